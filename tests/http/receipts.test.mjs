// One model, many forms: facts chosen at random have the identical receipt in JSON, CSV, HTML, Markdown and over MCP.
// SEED=<number> repeats a run; FACTS=<number> takes more of them.
import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { after, before, test } from 'node:test';
import { parseCsv } from './csv.mjs';
import { startServer } from './harness.mjs';
import { decode } from './html.mjs';

const BASIS = {
    'vendor-stated': 'Stated by the vendor',
    'vendor-claim': 'Claimed by the vendor',
    repo: "Seen in the vendor's repository",
    'third-party': 'Reported by a third party',
    inferred: 'Follows from other statements',
    measured: 'Measured',
};
const STATES = { not_documented: 'Not documented', not_applicable: 'Does not apply' };

const seed = Number(process.env.SEED ?? randomInt(2 ** 31));
const wanted = Number(process.env.FACTS ?? 200);

/** A small generator (mulberry32): the same seed, the same facts. */
function generator(state) {
    return () => {
        state = (state + 0x6d2b79f5) | 0;
        let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
        mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
        return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
    };
}

function sample(list, count) {
    const random = generator(seed);
    const left = [...list];
    return Array.from({ length: Math.min(count, left.length) }, () => left.splice(Math.floor(random() * left.length), 1)[0]);
}

let server;
let generation;
let attributes;
let facts;
let rows;
let wide;
before(async () => {
    server = await startServer();
    const data = (await server.get('/data/facts.json')).json;
    generation = data.generation;
    facts = sample(data.facts, wanted);
    rows = new Map(parseCsv((await server.get('/data/facts.csv')).text).map((row) => [row.id, row]));
    wide = new Map(parseCsv((await server.get('/data/providers.csv')).text).map((row) => [`${row.provider}/${row.offering}`, row]));
    attributes = new Map((await server.get('/data/attributes.json')).json.attributes.map((attribute) => [attribute.key, attribute]));
});
after(() => server?.stop());

/** What every form must say of a fact. */
const receipt = (fact) => ({
    id: fact.id,
    value: (STATES[fact.state] ?? fact.text).toLowerCase(),
    ...(fact.source ? { basis: BASIS[fact.basis], source: fact.source.url, title: fact.source.title, checked: fact.checked_on } : {}),
});
const tidy = (text) => text.replace(/\s+/g, ' ').trim();

/** All receipts of a page by the id of the fact; the same fact may stand on it more than once. */
function receiptsOfPage(html) {
    const found = new Map();
    const pattern = /<span class="v[^"]*">([^<]*)<\/span><button class="src" type="button" popovertarget="(r-\d+)"[^>]*>\d+<\/button>\s*<div class="receipt" id="\2" popover>(.*?)<\/div>/gs;
    for (const [, value, , inner] of html.matchAll(pattern)) {
        const id = decode(/\/corrections\/\?fact=([^"]*)"/.exec(inner)[1]);
        const [, source, title] = /<dt>Source<\/dt><dd><a href="([^"]*)"[^>]*>([^<]*)<\/a>/.exec(inner);
        const own = {
            id,
            value: tidy(decode(value)).toLowerCase(),
            basis: decode(/<dt>Basis<\/dt><dd>([^<]*)</.exec(inner)[1]),
            source: decode(source),
            title: tidy(decode(title)),
            checked: /<dt>Checked<\/dt><dd><time datetime="([^"]*)"/.exec(inner)?.[1] ?? null,
        };
        found.set(id, [...(found.get(id) ?? []), own]);
    }
    return found;
}

/** What a page says where a fact has no source. */
function wordOfPage(html, fact) {
    const place = fact.offering ? `<td id="${fact.offering}-${fact.attribute}"` : `<tr id="${fact.attribute}"`;
    const at = html.indexOf(place);
    return at < 0 ? undefined : { id: fact.id, value: decode(/<span class="v[^"]*">([^<]*)<\/span>/.exec(html.slice(at))[1]).toLowerCase() };
}

const plain = (markdown) => tidy(decode(markdown.replace(/\[((?:[^\[\]\\]|\\.)*)\]\([^)]*\)/g, '$1').replace(/\\([!-/:-@[-`{-~])/g, '$1')));
const cells = (line) => line.split(/(?<!\\)\|/).slice(1, -1).map((cell) => cell.trim());
const day = (iso) => new Date(iso).toLocaleDateString('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' }).replace('Sept', 'Sep');

/** The receipt that a Markdown twin has in the fact's own cell. */
function receiptOfTwin(text, fact, provider) {
    const { label } = attributes.get(fact.attribute);
    const section = text.slice(text.indexOf(fact.offering ? '\n## Offerings' : '\n## Every fact') + 1);
    const lines = section.slice(0, section.indexOf('\n## ')).split('\n');
    const row = lines.filter((line) => line.startsWith('| ')).map(cells).find((own) => plain(own[0]) === label);
    if (!row) {
        return undefined;
    }
    const cell = fact.offering ? row[1 + provider.offerings.findIndex(({ slug }) => slug === fact.offering)] : row[1];
    const number = [...cell.matchAll(/\\\[(\d+)\\\]/g)].at(-1)?.[1];
    const listed = number && new RegExp(`^${number}\\. \\[((?:[^\\[\\]\\\\]|\\\\.)*)\\]\\(([^)]*)\\)`, 'm').exec(text.slice(text.lastIndexOf('\n## Sources')));
    const about = fact.offering ? /\(([^()]*), (\d{4}-\d\d-\d\d)\) \\\[\d+\\\]\s*$/.exec(cell) : /^(.*?) (\d+ \w{3} \d{4})/.exec(plain(row[3]));
    const value = fact.offering ? plain(cell) : plain(cell.replace(/ \\\[\d+\\\].*$/, ''));
    const text_ = STATES[fact.state] ?? fact.text;
    const own = { id: fact.id, value: (fact.offering && value.toLowerCase().startsWith(text_.toLowerCase()) ? text_ : value).toLowerCase() };
    return number ? { ...own, basis: plain(about[1]), source: decode(listed[2]), title: plain(listed[1]), checked: about[2] === day(fact.checked_on) ? fact.checked_on : about[2] } : own;
}

async function call(name, args) {
    const answer = await server.fetch('/mcp', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }) });
    return (await answer.json()).result.structuredContent;
}

function holdsInCsv(fact) {
    const row = rows.get(fact.id);
    assert.deepEqual([row.text.replace(/^'(?=[=+\-@])/, ''), row.state, row.basis, row.source_url, row.source_title, row.checked_on], [fact.text, fact.state, fact.basis ?? '', fact.source?.url ?? '', fact.source?.title ?? '', fact.checked_on ?? ''], `CSV ${fact.id}`);
    for (const own of fact.offering ? [wide.get(`${fact.provider}/${fact.offering}`)] : []) {
        assert.deepEqual([own[fact.attribute], own[`${fact.attribute}_state`], own[`${fact.attribute}_basis`], own[`${fact.attribute}_source`], own[`${fact.attribute}_checked_on`]], [row.value, fact.state, fact.basis ?? '', fact.source?.id ?? '', fact.checked_on ?? ''], `wide CSV ${fact.id}`);
    }
}

test(`${wanted} facts have one receipt in every form (SEED=${seed})`, async () => {
    assert.equal(facts.length, Math.min(wanted, rows.size));
    for (const slug of new Set(facts.map((fact) => fact.provider))) {
        const own = facts.filter((fact) => fact.provider === slug);
        const { json } = await server.get(`/data/providers/${slug}.json`);
        const mcp = await call('get_provider', { slug, detail: 'full' });
        const html = (await server.get(`/sandboxes/${slug}/`, { headers: { accept: 'text/html' } })).text;
        const twin = (await server.get(`/sandboxes/${slug}.md`)).text;
        assert.equal(json.generation, generation);
        assert.equal(mcp.about.generation, generation);
        assert.ok(html.includes(`generation <code>${generation.slice(0, 12)}</code>`), slug);
        assert.ok(twin.includes(`generation \`${generation.slice(0, 12)}\``), slug);
        const onPage = receiptsOfPage(html);
        for (const fact of own) {
            const { provider, offering, ...inner } = fact;
            for (const [door, model] of [['JSON', json.provider], ['MCP', mcp.provider]]) {
                const holder = offering ? model.offerings.find((entry) => entry.slug === offering) : model;
                assert.deepEqual(holder.facts[fact.attribute], inner, `${door} ${fact.id}`);
            }
            holdsInCsv(fact);
            for (const shown of fact.source ? (onPage.get(fact.id) ?? [undefined]) : [wordOfPage(html, fact)]) {
                assert.deepEqual(shown, receipt(fact), `HTML ${fact.id}`);
            }
            assert.deepEqual(receiptOfTwin(twin, fact, json.provider), receipt(fact), `Markdown ${fact.id}`);
        }
    }
});
