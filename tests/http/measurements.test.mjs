// Measurements: the data, the pages and the charts agree with the catalogue.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { startServer, TOP } from './harness.mjs';
import { text } from './html.mjs';

const ROWS = 1423;
const MODES = ['sequential', 'staggered', 'burst'];
const HTML = { headers: { accept: 'text/html' } };
let server;
let data;
let model;
let page;
before(async () => {
    server = await startServer();
    data = (await server.get('/data/measurements.json')).json;
    model = (await server.get('/measurements/?format=json')).json;
    page = (await server.get('/measurements/', HTML)).text;
});
after(() => server?.stop());

const words = (html) => text(`<b>${html}</b>`, 'b');
const milliseconds = (number) => `${number.toLocaleString('en-GB', { maximumFractionDigits: 10 })} ms`;
const rows = (table) => [...table.matchAll(/<tr>(<th scope="row">.*?)<\/tr>/gs)].map((match) => match[1]);
const cells = (row) => [...row.matchAll(/<td[^>]*>(.*?)<\/td>/gs)].map((match) => match[1]);
/** A cell's value without its source mark and receipt. */
const value = (cell) => words(cell.replace(/<button.*$/s, ''));
/** The table whose caption has this id. */
const table = (html, id) => new RegExp(`<table[^>]*><caption id="${id}">.*?</table>`, 's').exec(html)[0];
const newest = (slug, mode) => data.measurements.findLast((row) => row.provider === slug && row.mode === mode);

test('every row of the catalogue is in the JSON', async () => {
    assert.equal(data.count, ROWS);
    assert.equal(data.measurements.length, ROWS);
    assert.equal(data.source.licence, 'MIT');
    const seed = await readFile(path.join(TOP, 'sql/seed.sql'), 'utf8');
    for (const row of [data.measurements[0], data.measurements[700], data.measurements[ROWS - 1]]) {
        const line = seed.split('\n').find((entry) => entry.includes(`'${row.provider}'`) && entry.includes(`'${row.mode}'`) && entry.includes(`'${row.day}'`));
        assert.ok(line?.includes(String(row.median_ms)), JSON.stringify(row));
    }
});

test('the CSV has the same rows', async () => {
    const answer = await server.get('/data/measurements.csv');
    assert.match(answer.headers.get('content-type'), /^text\/csv/);
    const [head, ...lines] = answer.text.split('\r\n');
    assert.equal(lines.pop(), '');
    const names = head.split(',');
    const parsed = lines.map((line) => Object.fromEntries(line.split(',').map((field, index) => [names[index], field])));
    assert.deepEqual(
        parsed,
        data.measurements.map((row) => Object.fromEntries(names.map((name) => [name, row[name] === null ? '' : String(row[name])]))),
    );
});

test('the newest runs and ratios are computed from the rows', () => {
    const measured = model.providers.filter((entry) => entry.measured.sequential !== null);
    assert.equal(measured.length, new Set(data.measurements.map((row) => row.provider)).size);
    for (const entry of measured) {
        for (const mode of MODES) {
            for (const key of ['day', 'median_ms', 'p95_ms', 'success_rate']) {
                assert.equal(entry.measured[mode][key], newest(entry.slug, mode)[key], `${entry.slug} ${mode} ${key}`);
            }
        }
        const ratio = entry.claimed_ms === null ? null : entry.measured.sequential.median_ms / entry.claimed_ms;
        assert.equal(entry.ratio === null, ratio === null, entry.slug);
        assert.ok(ratio === null || Math.abs(entry.ratio - ratio) < 1e-9, entry.slug);
    }
    const medians = measured.map((entry) => entry.measured.sequential.median_ms);
    assert.deepEqual(medians, [...medians].sort((one, other) => one - other));
});

test('a claim is the fact of the class that a new user gets', async () => {
    for (const entry of model.providers) {
        const { provider } = (await server.get(`/data/providers/${entry.slug}.json`)).json;
        const offering = provider.offerings.find((candidate) => candidate.is_default) ?? provider.offerings[0];
        const fact = offering?.facts.cold_start_ms ?? provider.facts.cold_start_ms;
        assert.equal(entry.claimed_ms, fact?.value ?? null, entry.slug);
    }
});

test('the table of the modes shows those runs', () => {
    const shown = rows(table(page, 't-modes'));
    const measured = model.providers.filter((entry) => entry.measured.sequential !== null);
    assert.equal(shown.length, measured.length);
    shown.forEach((row, index) => {
        const entry = measured[index];
        const texts = cells(row).map(value);
        assert.equal(texts[0], entry.claimed_ms === null ? 'Not documented' : milliseconds(entry.claimed_ms));
        MODES.forEach((mode, place) => {
            assert.equal(texts[1 + 3 * place], milliseconds(entry.measured[mode].median_ms));
            assert.equal(texts[3 + 3 * place], `${Math.round(entry.measured[mode].success_rate * 100)} %`);
        });
    });
});

test('the claims chart stands where its table says', () => {
    const chart = /<svg viewBox="0 0 420 [^>]*aria-labelledby="claims-t.*?<\/svg>/s.exec(page)[0];
    const ticks = [...chart.matchAll(/<text class="d-small" x="([\d.]+)"[^>]*>([\d.,]+) (ms|s)</g)].map((match) => ({
        x: Number(match[1]),
        time: Number(match[2].replace(',', '')) * (match[3] === 's' ? 1000 : 1),
    }));
    const first = ticks[0];
    const last = ticks.at(-1);
    const place = (time) => first.x + ((last.x - first.x) * Math.log(time / first.time)) / Math.log(last.time / first.time);
    const measured = model.providers.filter((entry) => entry.measured.sequential !== null);
    const dots = [...chart.matchAll(/<circle class="ch-meas" cx="([\d.]+)"/g)].map((match) => Number(match[1]));
    const claims = [...chart.matchAll(/<circle class="ch-claim" cx="([\d.]+)"/g)].map((match) => Number(match[1]));
    assert.equal(dots.length, measured.length);
    dots.forEach((x, index) => assert.ok(Math.abs(x - place(measured[index].measured.sequential.median_ms)) < 0.06));
    const claimed = measured.filter((entry) => entry.claimed_ms !== null);
    assert.equal(claims.length, claimed.length);
    claims.forEach((x, index) => assert.ok(Math.abs(x - place(claimed[index].claimed_ms)) < 0.06));
    assert.equal(rows(table(page, 'claims-c')).length, measured.length);
});

test('the pages of the providers have every row between them, in the chart and in the table', async () => {
    let total = 0;
    for (const slug of new Set(data.measurements.map((row) => row.provider))) {
        const own = data.measurements.filter((row) => row.provider === slug);
        const { text: html } = await server.get(`/measurements/${slug}/`, HTML);
        const lines = [...html.matchAll(/<path class="ch-line" d="([^"]*)"/g)].map((match) => match[1]);
        MODES.forEach((mode, place) => {
            const days = own.filter((row) => row.mode === mode).map((row) => Date.parse(row.day) / 86_400_000);
            assert.equal(lines[place].match(/[ML]/g).length, days.length, `${slug} ${mode}`);
            const gaps = days.filter((day, index) => day !== days[index - 1] + 1).length;
            assert.equal(lines[place].match(/M/g).length, gaps, `${slug} ${mode}: the line breaks where a day is missing`);
        });
        for (const row of rows(table(html, `t-series-${slug}`))) {
            const day = /datetime="([\d-]+)"/.exec(row)[1];
            const texts = cells(row).map(value);
            for (const mode of MODES) {
                const run = own.find((entry) => entry.day === day && entry.mode === mode);
                if (run === undefined) {
                    assert.equal(texts.shift(), 'No run', `${slug} ${day} ${mode}`);
                } else {
                    total += 1;
                    const p95 = run.p95_ms === null ? 'Not published' : milliseconds(run.p95_ms);
                    assert.deepEqual(texts.splice(0, 3), [milliseconds(run.median_ms), p95, `${Math.round(run.success_rate * 100)} %`]);
                }
            }
        }
    }
    assert.equal(total, ROWS);
});

test('who was not measured has no page', async () => {
    for (const slug of ['beam', 'nobody']) {
        assert.equal((await server.get(`/measurements/${slug}/`, HTML)).status, 404, slug);
    }
});
