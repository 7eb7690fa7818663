// A private overlay: marked wherever it shows, in no export, refused as a whole where it is wrong. The example is the one of docs/overlay.md.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import Ajv2020 from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { PROGRAM, run, startServer, TOP } from './harness.mjs';

const text = fs.readFileSync(path.join(TOP, 'docs/overlay.md'), 'utf8');
const block = (language) => new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'ms').exec(text)[1];
const EXAMPLE = JSON.parse(block('json'));
const html = { headers: { accept: 'text/html' } };
const site = ['--public-url', 'https://sandboxes.example'];

let folder;
let plain;
let server;
const file = (name, content) => {
    const target = path.join(folder, name);
    fs.writeFileSync(target, typeof content === 'string' ? content : JSON.stringify(content));
    return target;
};
before(async () => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'overlay-'));
    plain = await startServer({ args: site });
    server = await startServer({ args: [...site, '--overlay', file('example.json', block('json'))] });
});
after(async () => {
    await plain?.stop();
    await server?.stop();
    fs.rmSync(folder, { recursive: true, force: true });
});

test('the example of docs/overlay.md does what it says', async () => {
    const [commands] = [block('console')];
    for (const part of commands.split(/^\$ /m).slice(1)) {
        const end = part.indexOf('\n');
        const command = part.slice(0, end).replaceAll('http://127.0.0.1:8080', server.origin).replace(/^agent-sandboxes/, PROGRAM);
        if (command.includes(' serve ')) {
            continue; // it does
        }
        const { stdout } = await promisify(execFile)('bash', ['-c', `${command} || true`], { cwd: folder });
        assert.equal(stdout.replaceAll('\r\n', '\n'), part.slice(end + 1), command);
    }
});

const ask = async (from, query) => (await from.get(`/cost?${query}`)).json;
const named = (answer, slug) => ['results', 'free_software', 'does_not_fit', 'no_published_rate', 'not_on_sale'].flatMap((list) => answer[list].filter((entry) => entry.slug === slug))[0];

test('plans, sizes and billing of an overlay are what costs are computed from, each with its mark', async () => {
    const use = 'sandboxes=10&hours=200&vcpu=2&memory_gib=4';
    const [costs, list] = [await ask(server, use), await ask(plain, use)];
    const e2b = named(costs, 'e2b');
    // 10 x 200 h x (2 x 0.031 + 4 x the list price of memory) + 200 - 100
    assert.deepEqual([e2b.total.usd, e2b.at_least, e2b.plan.name, e2b.plan.receipt.basis, e2b.plan.receipt.text], [353.6, false, 'Framework (private)', 'private', 'Framework: $200 a month (private)']);
    assert.deepEqual(e2b.parts.map(({ label }) => label), ['CPU (private)', 'Memory', 'Plan fee (private)', 'Monthly credit (private)']);
    assert.notEqual(named(list, 'e2b').total.usd, 353.6);
    const yard = named(costs, 'private-yard');
    assert.deepEqual([yard.name, yard.total.usd, yard.at_least, yard.plan.name], ['Yard (private)', 220, false, 'in house (private)']);
    assert.deepEqual([yard.parts[0].label, yard.rule.receipt.basis], ['Size quarter (private)', 'private']);
    assert.equal(named(await ask(server, 'vcpu=8&hours=10'), 'private-yard').total.usd, 4);
    assert.deepEqual([named(costs, 'beam').outcome, named(costs, 'beam').reason], ['does_not_fit', 'It runs in no region that the private overlay allows.']);
    assert.ok(['results', 'others'].every((key) => !JSON.stringify(list[key] ?? []).includes('private')));
    // the page, its twin and CSV say the same, all of them with the mark
    const page = (await server.get(`/pricing/?${use}`, html)).text;
    const twin = (await server.get(`/pricing.md?${use}`)).text;
    const csv = (await server.get(`/cost?${use}&format=csv`)).text;
    for (const [form, said] of Object.entries({ page, twin, csv })) {
        assert.match(said, /Framework \(private\)/, form);
        assert.match(said, /Plan fee \(private\)/, form);
        assert.doesNotMatch(said.replace(/plan Framework\b|Framework: \$200 a month \(private\)|Framework contract/g, ''), /Framework(?! \(private\))/, form);
        assert.doesNotMatch(said, /\bYard\b(?! \(private\))/, form);
    }
});

test('what has no price in public, and a provider of the overlay with classes, get costs by its billing', async () => {
    const billing = { charge: 'metered', cpu_active: 'full', cpu_idle: 'none', memory_active: 'none', memory_idle: 'none', note: 'Annex 2.' };
    const own = {
        ...EXAMPLE,
        offerings: [{ provider: 'private-yard', slug: 'plain', name: 'Plain' }, { provider: 'private-yard', slug: 'gpu', name: 'With a GPU', stage: 'beta' }],
        facts: [
            ...EXAMPLE.facts,
            { provider: 'private-yard', offering: 'gpu', attribute: 'gpu', value: true },
            { provider: 'private-yard', offering: 'gpu', attribute: 'gpu_types', value: ['H100'] },
            { provider: 'private-yard', offering: 'gpu', attribute: 'price_gpu_hour_usd', value: { H100: 1.5 } },
            { provider: 'morph', attribute: 'price_vcpu_hour_usd', value: 0.05 },
        ],
        billing: [...EXAMPLE.billing, { provider: 'morph', ...billing }, { provider: 'daytona', charge: 'unpublished', reason: 'Ask Bo for the price' }],
    };
    const running = await startServer({ args: ['--overlay', file('classes.json', own)] });
    try {
        const yard = named(await ask(running, 'gpu=h100&hours=10'), 'private-yard');
        assert.deepEqual([yard.offering_name, yard.total.usd, yard.parts.map(({ label }) => label)], ['With a GPU (private)', 16.1, ['Size quarter (private)', 'GPU H100 (private)', 'Plan fee (private)']]);
        const morph = named(await ask(running, 'hours=10'), 'morph');
        assert.deepEqual([morph.outcome, morph.total.usd, morph.rule.receipt.note], ['total', 1, 'Annex 2.']);
        assert.equal(named(await ask(plain, 'hours=10'), 'morph').outcome, 'no_published_rate');
        const told = named(await ask(running, ''), 'daytona');
        assert.deepEqual([told.outcome, told.reason], ['no_published_rate', 'Ask Bo for the price (private)']);
        const compared = (await running.get('/compare?providers=private-yard&gpu=true')).json;
        assert.deepEqual(compared.matches.map((match) => match.offerings.map(({ slug, name, stage, default: first }) => [slug, name, stage, first])), [[['gpu', 'With a GPU (private)', 'beta', false]]]);
        assert.equal((await running.get('/sandboxes/private-yard/', html)).status, 200);
    } finally {
        await running.stop();
    }
});

test('the sizes of docs/overlay.md, a fifth off', async () => {
    const statement = /^```text\n(INSERT INTO overlay_size.*?)^```/ms.exec(text)[1];
    const running = await startServer({ args: ['--overlay', file('sizes.sql', sql(statement))] });
    try {
        const [own, list] = [named(await ask(running, 'vcpu=2&memory_gib=1'), 'openai-code-interpreter'), named(await ask(plain, 'vcpu=2&memory_gib=1'), 'openai-code-interpreter')];
        const size = ({ parts }) => parts.find(({ part }) => part === 'size');
        assert.equal(Math.round(size(own).usd * 1000), Math.round(size(list).usd * 800));
        assert.match(size(own).label, / \(private\)$/);
    } finally {
        await running.stop();
    }
});

const targets = (xml) => [...xml.matchAll(/<loc>https:\/\/sandboxes\.example(.*?)<\/loc>/g)].map((match) => match[1]);

test('every export, and all that is for others, is byte for byte the public one', async () => {
    const { json } = await plain.get('/data/datapackage.json');
    const files = json.resources.map((resource) => `/data/${resource.path}`);
    assert.ok(files.includes('/data/catalogue.sqlite') && files.length >= 8, String(files));
    const others = ['/data/', '/data/SHA256SUMS', '/data/datapackage.json', '/data/providers/e2b.json', '/data/catalogue.sqlite', '/sitemap.xml', '/llms.txt', '/llms-full.txt', '/changes/', '/changes.atom',
        '/changes.json', '/compare.atom', '/match.feed.json', '/calendar.ics', '/badge/e2b.svg?attribute=price_vcpu_hour_usd', '/embed/compare', '/oembed?url=/sandboxes/e2b/', '/corrections/?fact=e2b:price_vcpu_hour_usd', '/glossary/gvisor/',
        '/guides/agent-sandbox-pricing/', '/sandboxes/modal/?as_of=2026-11-30', '/compare?as_of=2026-11-30', '/data/facts.csv?as_of=2026-11-30', '/site.css'];
    for (const target of new Set([...files, ...others])) {
        const [one, other] = await Promise.all([plain, server].map(async (from) => {
            const answer = await from.fetch(target, { headers: { accept: 'text/html, */*;q=0.1' } });
            const headers = Object.fromEntries([...answer.headers].filter(([name]) => name !== 'date'));
            return { status: answer.status, headers, body: Buffer.from(await answer.arrayBuffer()) };
        }));
        assert.equal(one.status, 200, target);
        assert.deepEqual(other, one, target);
    }
    const missing = await server.get('/data/providers/private-yard.json');
    assert.equal(missing.status, 404);
});

test('dump and export take no overlay, and a catalogue holds nothing private', async () => {
    const overlay = path.join(folder, 'example.json');
    for (const args of [['dump', '--overlay', overlay], ['export', '--static', path.join(folder, 'out'), ...site, '--overlay', overlay]]) {
        const { code, stdout, stderr } = await run(args);
        assert.deepEqual([code, stdout], [2, ''], args[0]);
        assert.match(stderr, /an overlay is private: only the public catalogue is/);
    }
    const db = path.join(folder, 'private.db');
    assert.equal((await run(['build', '--out', db])).code, 0);
    const set = await run(['set', 'e2b', 'price_vcpu_hour_usd', '0.03', '--source', 'e2b-docs-sandbox', '--basis', 'private', '--db', db]);
    assert.equal(set.code, 1, set.stdout);
    assert.match(set.stderr, /breaks the rule private: fact e2b price_vcpu_hour_usd/);
});

test('a private value is marked in JSON, CSV, Markdown, HTML and MCP', async () => {
    const { json } = await server.get('/compare?providers=e2b&columns=price_vcpu_hour_usd');
    assert.match(json.generation, /^private-[0-9a-f]{32}$/);
    assert.equal(json.matches[0].name, 'E2B (private values)');
    const fact = json.matches[0].offerings[0].facts.price_vcpu_hour_usd;
    assert.deepEqual([fact.value, fact.text, fact.basis, fact.source.kind, fact.source.id, fact.checked_on, fact.note], [0.031, '$0.031 (private)', 'private', 'private', 'private-contract', '2026-11-02', 'Until 2027-10-31.']);
    const ajv = new Ajv2020({ strict: false });
    addFormats(ajv);
    for (const name of ['providers', 'compare', 'match']) {
        ajv.addSchema((await server.get(`/data/${name}.schema.json`)).json);
    }
    const matched = (await server.get('/match?must.isolation=microvm')).json;
    for (const [name, answer] of [['compare', json], ['compare', (await server.get('/compare')).json], ['match', matched]]) {
        const validate = ajv.getSchema(`/data/${name}.schema.json`);
        assert.ok(validate(answer), `${name}: ${ajv.errorsText(validate.errors)}`);
    }
    const csv = (await server.get('/compare?providers=e2b&columns=price_vcpu_hour_usd&format=csv')).text;
    assert.match(csv, /E2B \(private values\).*,0\.031,documented,private: https:\/\/wiki\.corp\.example\//);
    const costs = (await server.get('/cost?format=csv')).text;
    assert.match(costs, /^total,e2b,E2B \(private values\),.*,CPU \(private\) \$/m);
    const page = (await server.get('/sandboxes/e2b/', html)).text;
    assert.match(page, /\$0\.031 \(private\)/);
    assert.match(page, /Private: from an overlay of this server/);
    assert.match(page, /<div class="as-of" role="note"><p><b>With a private overlay\.<\/b> Example Ltd lays 4 values, 5 terms of payment, 1 note/);
    assert.match(page, /<meta name="robots" content="noindex">/);
    const twin = (await server.get('/sandboxes/e2b.md')).text;
    assert.match(twin, /^> \*\*With a private overlay\.\*\* Example Ltd lays/);
    assert.match(twin, /\$0\.031 \(private\)/);
    const note = (await server.get('/sandboxes/daytona.md')).text;
    assert.match(note, /Private note: Ask Ana of the platform team before use\./);
    const call = await server.fetch('/mcp', {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } } }),
    });
    assert.equal(call.status, 200, await call.text());
    const asked = await server.fetch('/mcp', {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json', 'mcp-protocol-version': '2025-06-18' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'get_provider', arguments: { slug: 'e2b', attributes: ['price_vcpu_hour_usd'] } } }),
    });
    const said = await asked.text();
    assert.match(said, /\$0\.031 \(private\)/);
    assert.match(said, /\\?"basis\\?": ?\\?"private\\?"/);
});

test('no page shows a private number without the mark of its provider', async () => {
    // 0.031 is nowhere else on these pages but as the price of E2B; Yard and the note are found by name.
    const { text: map } = await server.get('/sitemap.xml');
    const hidden = new Set();
    for (const target of [...targets(map), '/sandboxes/private-yard/', '/alternatives/private-yard/', '/compare/e2b-vs-private-yard/', '/search?q=yard', '/match/?must.isolation=microvm', '/compare/?gpu=false']) {
        const answer = await server.get(target, html);
        if (answer.status === 404) {
            hidden.add(target);
            continue;
        }
        assert.equal(answer.status, 200, target);
        if (answer.headers.get('catalogue-overlay') === null) {
            assert.doesNotMatch(answer.text, /private-yard|Ask Ana|\(private/, target);
            continue;
        }
        const words = answer.text.replace(/<[^>]*>/g, ' ');
        assert.match(answer.text, /With a private overlay/, target);
        assert.doesNotMatch(words, /\bE2B\b(?! \(private values\))(?=[^.]{0,40}\$0\.031)/, target);
        assert.doesNotMatch(words, /\bYard\b(?! \(private\))/, target);
        assert.doesNotMatch(words, /(?<!Private note: )Ask Ana/, target);
        assert.doesNotMatch(words, /(?<! CPU \(private\)  100 h × 2 vCPU × )\$0\.031(?! \(private\))(?!\d)/, target);
    }
    assert.ok([...hidden].every((target) => target.includes('modal')), String([...hidden]));
    assert.ok(hidden.has('/sandboxes/modal/'));
});

test('what has an overlay over it is for nobody to keep, pass on or read from elsewhere', async () => {
    for (const target of ['/', '/compare', '/compare?format=csv', '/sandboxes/e2b.md', '/pricing/']) {
        const [one, other] = await Promise.all([plain.get(target), server.get(target)]);
        assert.equal(other.headers.get('cache-control'), 'private, max-age=300', target);
        assert.equal(other.headers.get('catalogue-overlay'), 'private', target);
        assert.equal(other.headers.get('access-control-allow-origin'), null, target);
        assert.equal(other.headers.get('cross-origin-resource-policy'), 'same-origin', target);
        assert.notEqual(other.headers.get('etag'), one.headers.get('etag'), target);
        assert.equal(one.headers.get('catalogue-overlay'), null, target);
        const again = await server.fetch(target, { headers: { 'if-none-match': other.headers.get('etag') } });
        assert.deepEqual([again.status, again.headers.get('cache-control')], [304, 'private, max-age=300'], target);
    }
});

test('hidden providers are gone, and banned regions exclude with that reason', async () => {
    const { json } = await server.get('/compare');
    const all = ['matches', 'undecided', 'excluded'].flatMap((list) => json[list].map((entry) => entry.slug));
    assert.ok(!all.includes('modal') && all.includes('private-yard'));
    const beam = json.excluded.find((entry) => entry.slug === 'beam');
    assert.ok(beam.because.length > 0);
    for (const reason of beam.because) {
        assert.deepEqual([reason.attribute, reason.condition, reason.fact.text], ['region_groups', 'a region that the private overlay allows', 'Asia-Pacific (private)']);
    }
    const matched = (await server.get('/match?must.isolation=container')).json;
    const out = matched.excluded.find((entry) => entry.slug === 'beam');
    assert.equal(out.offerings[0].must.not_met[0].condition, 'a region that the private overlay allows');
    const koyeb = (await server.get('/compare?providers=koyeb')).json;
    assert.equal(koyeb.excluded.filter((entry) => entry.slug === 'koyeb').length, 0, 'one that also runs elsewhere stays');
    for (const target of ['/best/', '/']) {
        const answer = await server.get(target, { headers: { accept: 'application/json' } });
        assert.doesNotMatch(JSON.stringify(answer.json), /"modal"/);
    }
    const page = (await server.get('/compare/', html)).text;
    assert.match(page, /asked for: a region that the private overlay allows/);
});

test('the schema holds for the example, and refuses what is not one', async () => {
    const schema = (await server.get('/data/overlay.schema.json')).json;
    const ajv = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true });
    addFormats(ajv);
    assert.ok(ajv.validateSchema(schema), ajv.errorsText());
    const validate = ajv.compile(schema);
    assert.ok(validate(EXAMPLE), ajv.errorsText(validate.errors));
    for (const wrong of [{}, { ...EXAMPLE, prices: [] }, { ...EXAMPLE, hidden: [{ provider: 'modal' }] }, { ...EXAMPLE, providers: [{ ...EXAMPLE.providers[0], slug: 'yard' }] }]) {
        assert.ok(!validate(wrong));
    }
});

const changed = (change) => {
    const copy = structuredClone(EXAMPLE);
    change(copy);
    return copy;
};
const sql = (statement) => `INSERT INTO overlay (name) VALUES ('Example Ltd');\nINSERT INTO overlay_source (id, url, title, publisher, day)\n  VALUES ('private-x', 'https://wiki.corp.example/', 'x', 'x', '2026-11-02');\n${statement}\n`;

// what is wrong: the place, and what is said of it
const wrongs = {
    'is no JSON': ['{"name": "x",\n "facts": [}', /line 2: /],
    'is no object': ['[1]', /write one object/],
    'names nobody': [changed((o) => delete o.name), /says whose overlay it is nowhere/],
    'has an unknown list': [changed((o) => (o.prices = [])), /\/prices: is unknown/],
    'has an unknown member': [changed((o) => (o.facts[1].prise = 1)), /\/facts\/1: has the unknown member "prise"/],
    'lacks a member': [changed((o) => delete o.hidden[0].reason), /\/hidden\/0\/reason: is missing/],
    'has a number for a text': [changed((o) => (o.notes[0].text = 1)), /\/notes\/0\/text: write a text/],
    'has a list that is none': [changed((o) => (o.facts = {})), /\/facts: is no list/],
    'names no provider': [changed((o) => (o.facts[0].provider = 'e3b')), /\/facts\/0: names a provider that is not there: e3b/],
    'names no attribute': [changed((o) => (o.facts[0].attribute = 'price')), /\/facts\/0: names an attribute that is not there: price/],
    'names no offering': [changed((o) => (o.facts[0].offering = 'none')), /\/facts\/0: names an offering that is not there: e2b\/none/],
    'names no source': [changed((o) => (o.facts[0].source = 'private-other')), /\/facts\/0: rests on a source that the overlay does not have: private-other/],
    'rests on nothing': [changed((o) => delete o.sources), /\/providers\/0: rests on no source/],
    'has a public source id': [changed((o) => (o.sources[0].id = 'contract')), /\/sources\/0: has the id contract; begin it with private-/],
    'has a public slug': [changed((o) => (o.providers[0].slug = 'yard')), /\/providers\/0: has the slug yard; begin it with private-/],
    'has a kind of its own': [changed((o) => (o.providers[0].kind = 'ours')), /\/providers\/0: has the kind ours/],
    'says it twice': [changed((o) => o.facts.push(o.facts[0])), /\/facts\/4: states it again: e2b price_vcpu_hour_usd/],
    'hides what it changes': [changed((o) => (o.hidden[0].provider = 'e2b')), /\/facts\/0: is about a provider that the overlay hides: e2b/],
    'hides nobody': [changed((o) => (o.hidden[0].provider = 'nobody')), /\/hidden\/0: names a provider that is not there: nobody/],
    'bans no region': [changed((o) => (o.banned_regions[0].region = 'tokyo')), /\/banned_regions\/0: bans a region that is not there: tokyo; take one of north-america/],
    'repeats a plan': [changed((o) => o.plans.push(o.plans[0])), /\/plans\/2: states it again: e2b Framework/],
    'has a text for a number': [changed((o) => (o.plans[0].fee_usd = '200')), /\/plans\/0\/fee_usd: write a number/],
    'has a fee below zero': [changed((o) => (o.plans[0].fee_usd = -1)), /\/plans\/0: has the fee_usd -1; write dollars/],
    'has a fee that is too fine': [changed((o) => (o.plans[0].fee_usd = 0.0001)), /\/plans\/0: billing_plan e2b 1 has an amount that cannot be counted: 0\.0001; write a plain decimal/],
    'has a limit of no sandbox': [changed((o) => (o.plans[0].max_sandboxes = 0.5)), /\/plans\/0: has the max_sandboxes 0\.5; write a whole number from 1/],
    'has a flag that is none': [changed((o) => (o.billing[0].sizes_complete = 1)), /\/billing\/0\/sizes_complete: write true or false/],
    'has an unknown charge': [changed((o) => (o.billing[0].charge = 'cash')), /\/billing\/0: has the charge cash; take metered/],
    'charges a state otherwise': [changed((o) => (o.billing[0].memory_idle = 'half')), /\/billing\/0: has the memory_idle half; take full, used or none/],
    'is free without a reason': [changed((o) => (o.billing[0].charge = 'free')), /\/billing\/0: gives no reason; say in words why it is free/],
    'has sizes of what is metered': [changed((o) => (o.sizes[0].provider = 'e2b')), /\/sizes\/0: is a size of e2b, which is not charged by sizes; add its charge to billing/],
    'has a size for nothing': [changed((o) => (o.sizes[0].vcpu = 0)), /\/sizes\/0: has the vcpu 0\.0; write a number above 0/],
    'has a size that costs too much': [changed((o) => (o.sizes[0].usd = 1e9)), /\/sizes\/0: rate_size private-yard 2 has an amount that cannot be counted: 1000000000;/],
    'has a rate that is too fine': [changed((o) => (o.facts[0].value = 0.012345678901)), /\/facts\/0: fact e2b price_vcpu_hour_usd is a price that cannot be counted: 0\.012345678901;/],
    'has a class of a public provider': [changed((o) => (o.offerings = [{ provider: 'e2b', slug: 'x', name: 'X' }])), /\/offerings\/0: is of a provider that the overlay does not add: e2b/],
    'has a class twice': [changed((o) => (o.offerings = [0, 1].map(() => ({ provider: 'private-yard', slug: 'x', name: 'X' })))), /\/offerings\/1: repeats the offering private-yard\/x/],
    'has a class of an unknown stage': [changed((o) => (o.offerings = [{ provider: 'private-yard', slug: 'x', name: 'X', stage: 'new' }])), /\/offerings\/0: has the stage new; take ga/],
    'has a plan of a provider that is not there': [changed((o) => (o.plans[0].provider = 'e3b')), /\/plans\/0: names a provider that is not there: e3b/],
    'has SQL with a number that is none': [sql("INSERT INTO overlay_plan (provider, name, fee_usd, max_vcpu) VALUES ('e2b', 'x', 'much', 1);"), /line 4: has the fee_usd much; write dollars/, 'sql'],
    'is of a day to come': [changed((o) => (o.sources[0].day = '9999-01-01')), /\/sources\/0: is of a day to come/],
    'is of no day': [changed((o) => (o.notes[0].day = '2026-11-31')), /\/notes\/0: is no day: 2026-11-31/],
    'has a value of another type': [changed((o) => (o.facts[0].value = 'cheap')), /\/facts\/0: fact e2b price_vcpu_hour_usd is not a value of type money/],
    'has an unknown value': [changed((o) => (o.facts[1].value = ['magic'])), /\/facts\/1: fact private-yard isolation has the unknown value magic/],
    'has a control character': [changed((o) => (o.notes[0].text = 'a\u0007b')), /\/notes\/0: event daytona \d+ holds a control character/],
    'is SQL with a mistake': [sql('INSERT INTO overlay_fact (provider) VALUE;'), /line 4: near "VALUE": syntax error/, 'sql'],
    'deletes': [sql('DELETE FROM fact;'), /line 4: DELETE FROM fact is not allowed/, 'sql'],
    'updates': [sql("UPDATE provider SET name = 'x';"), /line 4: UPDATE provider is not allowed/, 'sql'],
    'inserts past its tables': [sql("INSERT INTO setting VALUES ('x', 'y');"), /line 4: INSERT INTO setting is not allowed/, 'sql'],
    'attaches': [sql("ATTACH '/etc/passwd' AS x;"), /line 4: this statement is not allowed/, 'sql'],
    'sets a pragma': [sql('PRAGMA writable_schema = 1;'), /line 4: PRAGMA writable_schema is not allowed/, 'sql'],
    'makes a table': [sql('CREATE TABLE x (a);'), /line 4: this statement is not allowed/, 'sql'],
    'writes a file': [sql("VACUUM INTO '/tmp/x.db';"), /line 4: cannot VACUUM/, 'sql'],
    'ends the transaction': [sql('COMMIT;'), /line 4: this statement is not allowed/, 'sql'],
    'loads code': [sql("SELECT load_extension('x');"), /line 4: the function load_extension is not allowed/, 'sql'],
    'takes memory': [sql('SELECT zeroblob(1000000000);'), /line 4: the function zeroblob is not allowed/, 'sql'],
    'never ends': [sql('WITH RECURSIVE c (x) AS (SELECT 1 UNION ALL SELECT x FROM c) SELECT count(*) FROM c;'), /line 4: this statement is not allowed/, 'sql'],
    'takes too long': [sql('SELECT count(*) FROM fact a, fact b, fact c;'), /line 4: takes too long/, 'sql'],
};

for (const [words, [content, pattern, form = 'json']] of Object.entries(wrongs)) {
    test(`an overlay that ${words} is refused with its place`, async () => {
        const { code, stdout, stderr } = await run(['check', '--overlay', file(`wrong.${form}`, content)]);
        assert.deepEqual([code, stdout], [1, ''], stderr);
        assert.match(stderr, pattern);
        assert.equal(stderr.trim().split('\n').length, 1);
    });
}

test('a file that is no overlay at all', async () => {
    for (const [name, content, pattern] of [['overlay.txt', '{}', /neither \.sql nor \.json/], ['nul.json', '{"name": "x"}\0', /it is no text/], ['big.json', ' '.repeat(1024 * 1024 + 1), /longer than 1048576 bytes/]]) {
        const { code, stderr } = await run(['serve', '--listen', '127.0.0.1:0', '--overlay', file(name, content)]);
        assert.equal(code, 1, name);
        assert.match(stderr, pattern);
    }
    const { code, stderr } = await run(['check', '--overlay', path.join(folder, 'none.json')]);
    assert.equal(code, 1);
    assert.match(stderr, /No such file/);
});

test('the SQL of docs/overlay.md: a changed file is taken over, a bad one leaves the old', async () => {
    const live = file('live.sql', block('sql'));
    const own = await startServer({ args: ['--overlay', live, '--confine', 'auto'] });
    const price = async () => (await own.get('/compare?providers=e2b&columns=price_memory_gib_hour_usd')).json.matches[0].offerings[0].facts.price_memory_gib_hour_usd;
    const list = (await plain.get('/data/providers/e2b.json')).json.provider.facts.price_memory_gib_hour_usd.value;
    const replace = (content) => {
        fs.writeFileSync(`${live}.new`, content);
        fs.renameSync(`${live}.new`, live);
    };
    try {
        assert.equal((await price()).value, Number((list * 0.6).toFixed(6)));
        replace(block('sql').replace('0.6', '0.5'));
        await own.logged('catalogue_loaded', { test: (entry) => entry.reason === 'the overlay changed' });
        assert.equal((await price()).value, Number((list * 0.5).toFixed(6)));
        replace('DELETE FROM fact;');
        const refused = await own.logged('catalogue_refused');
        assert.match(refused.error, /live\.sql is refused: line 1: DELETE FROM fact is not allowed/);
        assert.equal((await price()).value, Number((list * 0.5).toFixed(6)));
        assert.equal((await own.get('/data/facts.json')).text, (await plain.get('/data/facts.json')).text);
    } finally {
        await own.stop();
    }
});

test('a catalogue that an older program made takes an overlay too', async () => {
    const db = path.join(folder, 'older.db');
    assert.equal((await run(['build', '--out', db])).code, 0);
    const { code, stdout, stderr } = await run(['check', '--db', db, '--overlay', path.join(folder, 'example.json'), '--json']);
    assert.equal(code, 0, stderr);
    assert.match(JSON.parse(stdout).generation, /^private-/);
});
