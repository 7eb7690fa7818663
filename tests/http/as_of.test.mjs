// ?as_of=DAY: every address as it was that day, to the byte; pages say so and stay in the day; many days at once hurt nobody.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { patience, run, startServer, TOP } from './harness.mjs';
import { attributes, canonical, sitemapPaths } from './html.mjs';

const folder = mkdtempSync(join(tmpdir(), 'agent-sandboxes-as-of-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const file = (name) => join(folder, name);
const DAY_SECONDS = 86400;
const day = (offset) => new Date(Date.now() + offset * DAY_SECONDS * 1e3).toISOString().slice(0, 10);
const FIRST = day(-60);
const THEN = day(-25); // prices of the first day are late for review by then
const today = day(0);
const URL_OPTION = ['--public-url', 'https://guide.example'];

async function command(...args) {
    const { code, stdout, stderr } = await run(args);
    assert.equal(code, 0, `${args.join(' ')}\n${stderr}`);
    return stdout;
}
function sql(db, text) {
    const { status, stdout, stderr } = spawnSync('sqlite3', ['-batch', '-bail', db], { input: text, encoding: 'utf8' });
    assert.equal(status, 0, stderr);
    return stdout.trim();
}
/** What build makes of the text of a catalogue file. */
async function rebuild(db, name) {
    writeFileSync(file(`${name}.sql`), await command('dump', '--db', db, '--inline'));
    await command('build', '--seed', file(`${name}.sql`), '--out', file(`${name}.db`));
    return file(`${name}.db`);
}

/** A library that moves the clock: a server of an earlier day. */
function clock(offset) {
    const shim = file('clock.so');
    writeFileSync(file('clock.c'), `#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>
time_t time(time_t *out) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    time_t moved = now.tv_sec + atol(getenv("CLOCK_OFFSET"));
    if (out != NULL) *out = moved;
    return moved;
}\n`);
    const made = spawnSync('cc', ['-shared', '-fPIC', '-o', shim, file('clock.c')], { encoding: 'utf8' });
    assert.equal(made.status, 0, made.stderr);
    return { LD_PRELOAD: shim, CLOCK_OFFSET: String(offset * DAY_SECONDS), ASAN_OPTIONS: `${process.env.ASAN_OPTIONS ?? ''}:verify_asan_link_order=0` };
}

// The catalogue of then, and the one of today that came of it.
await command('build', '--out', file('raw.db'));
sql(file('raw.db'), `
    UPDATE source SET copy_date = NULL, accessed_on = '${FIRST}', verified_on = NULL;
    UPDATE fact SET checked_on = '${FIRST}', valid_from = '${FIRST}';
    UPDATE claim SET reviewed_on = '${FIRST}'; UPDATE review SET reviewed_on = '${FIRST}';
    UPDATE glossary_term SET reviewed_on = '${FIRST}'; UPDATE guide SET reviewed_on = '${FIRST}';
    UPDATE rate SET checked_on = '${FIRST}'; UPDATE rate_size SET checked_on = '${FIRST}';
    UPDATE billing_rule SET checked_on = '${FIRST}'; UPDATE billing_plan SET checked_on = '${FIRST}';
    UPDATE setting SET value = '${FIRST}' WHERE key = 'catalogue_date';`);
const oldFile = await rebuild(file('raw.db'), 'old');
const work = file('raw.db');
const source = sql(work, "SELECT id FROM source WHERE id LIKE 'e2b%' LIMIT 1;");
const edits = [
    ['set', '--db', work, 'e2b', 'max_session_seconds', '36h', '--source', source, '--basis', 'vendor-stated', '--on', day(-20)],
    ['review', '--db', work, 'e2b', '--on', day(-10)],
    ['unset', '--db', work, 'modal', 'gpu', '--on', day(-5)],
    ['add', 'source', 'zz-docs', '--db', work, '--url', 'https://example.com/docs', '--title', 'Docs', '--publisher', 'Zz', '--kind', 'docs', '--accessed-on', today],
    ['add', 'provider', 'zz', '--db', work, '--name', 'Zz', '--vendor', 'Zz', '--kind', 'hosted', '--status', 'active', '--homepage', 'https://example.com/', '--summary', 'Made up.'],
    ['set', '--db', work, 'zz', 'isolation', 'microvm', '--source', 'zz-docs', '--basis', 'repo'],
];
for (const edit of edits) await command(...edit);
const newFile = await rebuild(work, 'new');

const server = await startServer({ args: ['--db', newFile, ...URL_OPTION] });
after(() => server.stop());
const at = (target, on) => `${target}${target.includes('?') ? '&' : '?'}as_of=${on}`;
const html = { headers: { Accept: 'text/html' } };
const paths = sitemapPaths((await server.get('/sitemap.xml')).text);
const ranking = paths.find((path) => /^\/best\/.+/.test(path));
const kinds = [...new Map(paths.filter((path) => !path.includes('zz')).map((path) => [path.replace(/[^/]+\/$/, '*'), path])).values(), '/', '/sandboxes/', '/sandboxes/e2b/', '/search?q=gpu', '/changes/', '/compare/?gpu=true', '/pricing/', '/match/', '/corrections/', '/problems/', '/compare/e2b-vs-modal/'];

test('an old export and as_of of that day agree byte for byte', async () => {
    const old = await startServer({ args: ['--db', oldFile, ...URL_OPTION], env: clock(-25) });
    try {
        const data = ['/data/providers.json', '/data/providers/e2b.json', '/data/providers.csv', '/data/facts.json', '/data/facts.csv', '/data/sources.json', '/data/sources.csv', '/data/attributes.json', '/data/glossary.json',
            '/data/measurements.json', '/data/measurements.csv', '/data/catalogue.sqlite', '/data/SHA256SUMS', '/data/datapackage.json', '/sitemap.xml', '/?format=json', '/compare?gpu=true', '/compare?gpu=true&format=csv', `${ranking}?format=json`,
            '/match?must.gpu=true', '/cost?runs=10', '/compare/e2b-vs-modal/?format=json', '/changes/?format=json', '/sources/?format=json', '/methodology/?format=json', '/llms.txt', '/llms-full.txt'];
        for (const target of data) {
            const [before, now] = await Promise.all([old.fetch(target), server.fetch(at(target, THEN))]);
            assert.deepEqual([now.status, before.status], [200, 200], target);
            const [one, other] = await Promise.all([before.arrayBuffer(), now.arrayBuffer()]);
            assert.ok(Buffer.from(one).equals(Buffer.from(other)), `${target} differs`);
            assert.equal(now.headers.get('etag'), before.headers.get('etag'), target);
        }
        // A page is the old one too, but for the banner and what keeps the day.
        const bare = (text) => text.replace(/<meta name="robots"[^>]*>\n/, '').replace(/<div class="as-of".*?<\/div>\n/s, '').replace(/<input type="hidden" name="as_of"[^>]*>/g, '').replace(/(\?|&amp;)as_of=[0-9-]+(?=["#])/g, '');
        for (const target of ['/', '/sandboxes/', '/sandboxes/e2b/', '/pricing/', '/best/', '/methodology/', '/sources/', '/changes/', '/compare/e2b-vs-modal/', '/guides/what-is-an-agent-sandbox/']) {
            const [before, now] = await Promise.all([old.get(target, html), server.get(at(target, THEN), html)]);
            assert.equal(bare(now.text).replace(/\n+/g, '\n'), before.text.replace(/\n+/g, '\n'), target);
        }
    } finally {
        await old.stop();
    }
});

test('a day knows its facts, its providers and how old they were', async () => {
    const value = async (on) => {
        const { json } = await server.get(on === undefined ? '/data/facts.json' : at('/data/facts.json', on));
        return json.facts.find((fact) => fact.provider === 'e2b' && fact.offering === null && fact.attribute === 'max_session_seconds');
    };
    assert.equal((await value(day(-21))).value, 86400);
    assert.equal((await value(day(-20))).value, 129600);
    assert.equal((await value(day(-15))).checked_on, day(-20));
    assert.equal((await value()).checked_on, day(-10));
    const stale = async (on) => (await server.get(at('/data/facts.json', on))).json.facts.filter((fact) => fact.stale).length;
    assert.equal(await stale(FIRST), 0);
    assert.ok((await stale(THEN)) > 0);
    assert.equal((await server.get(at('/sandboxes/zz/', day(-1)), html)).status, 404);
    assert.equal((await server.get(at('/sandboxes/zz/', today), html)).status, 200);
    const now = await server.get('/data/providers.json');
    assert.equal((await server.get(at('/data/providers.json', today))).text, now.text);
    for (const on of [FIRST, THEN, day(-12)]) { // no day that was still to come, but for what was announced
        const { text } = await server.get(at('/data/sources.json', on));
        const later = [...text.matchAll(/"(?:accessed_on|verified_on|copy_date)": "(\d{4}-\d\d-\d\d)"/g)].map((match) => match[1]).filter((one) => one > on);
        assert.deepEqual(later, []);
    }
});

for (const path of kinds) {
    test(`${path}: the banner, the links and the forms of a day`, async () => {
        const { status, text, headers } = await server.get(at(path, THEN), html);
        assert.equal(status, 200);
        assert.match(text, new RegExp(`<div class="as-of" role="note"><p><b>As known on <time datetime="${THEN}">`));
        const present = /<a data-present href="([^"]*)"/.exec(text)[1].replaceAll('&amp;', '&');
        assert.equal((await server.get(present, html)).text.includes('class="as-of"'), false);
        assert.ok(!canonical(text).includes('as_of'));
        assert.ok(canonical(text).startsWith('https://guide.example/'));
        assert.match(text, /<meta name="robots" content="noindex">/);
        const own = attributes(text.replace(/<a data-present[^>]*>/, ''), 'href', 'a').filter((href) => /^[/?]/.test(href));
        assert.deepEqual(own.filter((href) => new URL(href, 'http://x').searchParams.get('as_of') !== THEN), []);
        assert.ok(own.length > 20);
        const forms = text.match(/<form\b/g).length;
        assert.equal(text.match(new RegExp(`<form\\b[^>]*><input type="hidden" name="as_of" value="${THEN}">`, 'g'))?.length, forms);
        const twin = /<link rel="alternate" type="text\/markdown" href="([^"]*)"/.exec(text);
        if (twin !== null) {
            const markdown = await server.get(twin[1].replaceAll('&amp;', '&'));
            assert.ok(markdown.text.startsWith('> **As known on '), twin[1]);
            const links = [...markdown.text.replace(/```.*?```/gs, '').matchAll(/\]\((\/[^)\s]*)\)/g)].map((match) => match[1]);
            assert.deepEqual(links.filter((href) => new URL(href, 'http://x').searchParams.get('as_of') !== THEN), []);
        }
        assert.match(headers.get('link'), /rel="latest-version"/);
        const plain = (await server.get(path, html)).text;
        assert.ok(!plain.includes('as_of') && !plain.includes('class="as-of"'));
    });
}

test('a day that is none is refused by name', async () => {
    for (const wrong of ['', 'yesterday', '2026-02-30', '2026-6-1', day(1), day(-61), '9999-12-31', '0000-00-00', `${THEN}T00:00`, '-1']) {
        const { status, json } = await server.get(at('/data/providers.json', wrong));
        assert.deepEqual([status, json.parameter, json.first_day, json.last_day], [400, 'as_of', FIRST, today], wrong);
        assert.match(json.detail, /^as_of .*takes one day/);
    }
    assert.equal((await server.get(`/about/?as_of=${THEN}&as_of=${THEN}`)).status, 400);
    const page = await server.get(at('/about/', 'never'), html);
    assert.match(page.text, /The parameter is <code>as_of<\/code>/);
    assert.equal((await server.get(at('/site.css', 'never'))).status, 200); // no part of the catalogue
    assert.equal((await server.get(at('/healthz', 'never'))).status, 200);
});

test('validators, caches and redirects know the day', async () => {
    const one = await server.fetch(at('/data/facts.csv', day(-21)));
    const other = await server.fetch(at('/data/facts.csv', day(-20)));
    await Promise.all([one.arrayBuffer(), other.arrayBuffer()]);
    assert.notEqual(one.headers.get('etag'), other.headers.get('etag'));
    const again = await server.fetch(at('/data/facts.csv', day(-21)), { headers: { 'If-None-Match': one.headers.get('etag') } });
    assert.equal(again.status, 304);
    assert.match(one.headers.get('cache-control'), /^public, max-age=/);
    assert.match((await server.fetch(at('/sandboxes/', THEN), html)).headers.get('vary'), /Accept\b/);
    assert.equal((await server.fetch(at('/compare/modal-vs-e2b/', THEN), html)).headers.get('location'), at('/compare/e2b-vs-modal/', THEN));
    assert.equal((await server.fetch(at('/about', THEN), html)).headers.get('location'), at('/about/', THEN));
    assert.equal((await server.fetch(at('/about/', THEN), { method: 'HEAD' })).status, 200);
    const below = await startServer({ args: ['--db', newFile, '--base-path', '/guide'] });
    try {
        const { text } = await below.get(at('/guide/sandboxes/', THEN), html);
        assert.ok(text.includes(`href="/guide/sandboxes/e2b/?as_of=${THEN}"`) && text.includes('<a data-present href="/guide/sandboxes/"'));
    } finally {
        await below.stop();
    }
});

test('a flood of days is bounded, and the present does not wait for it', async () => {
    // Forty days with a change each, so that no two share what was made.
    const busy = file('busy.db');
    const days = Array.from({ length: 40 }, (_, i) => day(i - 50));
    sql(work, `VACUUM INTO '${busy}';`);
    sql(busy, days.map((on, i) => `INSERT INTO review VALUES ('modal', '${on}', 'flood ${i}', NULL);`).join('\n'));
    const flooded = await startServer({ args: ['--db', busy] });
    const resident = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${flooded.pid}/status`, 'utf8'))[1]) / 1024;
    try {
        await flooded.get('/about/');
        const before = resident();
        let waiting = true;
        const asked = Promise.all([...days, ...days, ...days].map((on) => flooded.fetch(at('/about/', on)).then(async (answer) => {
            await answer.arrayBuffer();
            return answer;
        }))).finally(() => (waiting = false));
        let slowest = 0;
        let looked = 0;
        while (waiting) {
            const begin = Date.now();
            assert.equal((await flooded.get('/about/')).status, 200);
            slowest = Math.max(slowest, Date.now() - begin);
            looked += 1;
            await new Promise((resolve) => setTimeout(resolve, 20));
        }
        const answers = await asked;
        const refused = answers.filter((answer) => answer.status === 503);
        assert.deepEqual([...new Set(answers.map((answer) => answer.status))].sort(), [200, 503]);
            for (const answer of refused) assert.deepEqual([answer.headers.get('retry-after'), answer.headers.get('cache-control')], ['2', 'no-store']);
        assert.ok(looked >= 3 && slowest < patience(5000), `the present took ${slowest} ms`);
        for (const on of days) { // one after another: every day is had in the end
            const answer = await flooded.fetch(at('/about/', on));
            await answer.arrayBuffer();
            assert.equal(answer.status, 200, on);
        }
        assert.ok(resident() - before < 200, `${resident() - before} MiB`);
        const loads = flooded.log.filter((entry) => entry.event === 'past_loaded').length;
        const twice = await Promise.all([0, 1, 2, 3].map(() => flooded.get(at('/about/', day(-9)))));
        assert.ok(twice.every((answer) => answer.status === 200));
        assert.ok(flooded.log.filter((entry) => entry.event === 'past_loaded').length <= loads + 1); // one producer, one load
        flooded.fetch(at('/about/', days[0])).then((answer) => answer.arrayBuffer()).catch(() => {});
        flooded.fetch(at('/about/', days[3])).then((answer) => answer.arrayBuffer()).catch(() => {});
    } finally {
        await flooded.stop(); // while days are being made
    }
});

test('a new catalogue has a new past', async () => {
    const moving = file('moving.db');
    sql(oldFile, `VACUUM INTO '${moving}';`);
    const changing = await startServer({ args: ['--db', moving] });
    try {
        assert.equal((await changing.get(at('/sandboxes/zz/', today), html)).status, 404);
        const from = changing.log.length;
        writeFileSync(moving, readFileSync(newFile));
        changing.signal('SIGHUP');
        await changing.logged('catalogue_loaded', { from });
        assert.equal((await changing.get(at('/sandboxes/zz/', today), html)).status, 200);
        assert.equal((await changing.get(at('/sandboxes/zz/', THEN), html)).status, 404);
    } finally {
        await changing.stop();
    }
});

test('a guide that names what a day did not know stands that day all the same', async () => {
    const db = file('later.db');
    writeFileSync(db, readFileSync(oldFile));
    sql(db, `
        UPDATE fact SET checked_on = '${today}', valid_from = '${today}' WHERE provider = 'modal';
        UPDATE claim SET reviewed_on = '${today}' WHERE provider = 'modal'; UPDATE review SET reviewed_on = '${today}' WHERE provider = 'modal';
        UPDATE source SET accessed_on = '${today}' WHERE id = 'e2b-pricing';
        UPDATE guide SET reviewed_on = '${today}'; UPDATE glossary_term SET reviewed_on = '${today}';`);
    const own = await startServer({ args: ['--db', db] });
    try {
        const texts = paths.filter((path) => /^\/(guides|glossary)\/./.test(path));
        for (let tries = 0; tries < 20 && (await own.get(at('/about/', THEN))).status !== 200; tries++); // the day is made once
        assert.ok(texts.length > 20);
        let lost = 0;
        for (const target of texts) {
            const [now, then, twin] = await Promise.all([own.get(target, html), own.get(at(target, THEN), html), own.get(at(target.replace(/\/$/, '.md'), THEN))]);
            assert.deepEqual([now.status, then.status, twin.status], [200, 200, 200], target);
            assert.doesNotMatch(then.text, /class="fact" href="\/sandboxes\/modal\//, target);
            assert.doesNotMatch(twin.text, /\[\[/, target);
            lost += /class="fact" href="\/sandboxes\/modal\//.test(now.text) ? 1 : 0;
        }
        assert.ok(lost > 3, `${lost} texts name Modal today`);
        const full = await own.get(at('/llms-full.txt', THEN));
        assert.equal(full.status, 200);
        assert.doesNotMatch(full.text, /\[\[/);
    } finally {
        await own.stop();
    }
});
