// docs/own-catalogue.md: its commands make a catalogue, and the program serves it as a site about something else.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { PROGRAM, TOP, run, startServer } from '../http/harness.mjs';
import { htmlProblems } from '../http/valid_html.mjs';

const HOST = 'https://reference.test';
const folder = mkdtempSync(path.join(tmpdir(), 'own-catalogue-'));
const at = (name) => path.join(folder, name);
const document = readFileSync(path.join(TOP, 'docs/own-catalogue.md'), 'utf8');
const blocks = (language) => [...document.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\``, 'gm'))].map(([, text]) => text);
const PLAN = JSON.parse(blocks('json')[0]);

let server;
before(async () => {
    symlinkSync(PROGRAM, at('agent-sandboxes'));
    writeFileSync(at('plan.json'), blocks('json')[0]);
    execFileSync('bash', ['-euc', blocks('sh').join('\n')], { cwd: folder, env: { ...process.env, PATH: `${folder}:${process.env.PATH}` }, stdio: ['ignore', 'ignore', 'inherit'] });
    server = await startServer({ args: ['--db', at('served.db'), '--public-url', HOST] });
});
after(async () => {
    await server?.stop();
    rmSync(folder, { recursive: true });
});

const FEEDS = ['/sitemap.xml', '/llms.txt', '/llms-full.txt', '/openapi.json', '/site.webmanifest', '/changes.atom', '/changes.json', '/calendar.ics', '/robots.txt', '/data/providers.json',
    '/data/attributes.json', '/data/datapackage.json', '/data/facts.csv', '/compare?model=relational', '/compare?branches=true&format=csv', '/match?must.branches=true&format=md', '/search?q=store',
    '/embed/compare?branches=true', '/badge/tern.svg', '/nowhere', '/compare?x=1', '/databases/nobody/', '/compare/lakeview-vs-tern/', '/compare/tern-vs-tern/', '/compare/?providers=lakeview,tern,copperbase',
    '/oembed?url=/databases/tern/', '/?w.consistency=9', '/match/?must.branches=true'];
const OURS = /^\/(?!\/)/;

/** Every address that the site links to, from each of its own. */
let crawled;
async function crawl(server, more = []) {
    const seen = new Map();
    const from = new Map(['/', ...FEEDS, ...more].map((address) => [address, 'the test']));
    for (const address of from.keys()) {
        const answer = await server.get(address, { headers: { accept: 'text/html, */*;q=0.5' } });
        const type = answer.headers.get('content-type') ?? '';
        seen.set(address, { ...answer, type, from: from.get(address) });
        const found = [
            ...(/html|xml|svg/.test(type) ? [...answer.text.matchAll(/ (?:href|src|action)="([^"]+)"/g)].map(([, link]) => link.replaceAll('&amp;', '&')) : []),
            ...(/markdown|plain/.test(type) ? [...answer.text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link) : []),
            ...[...answer.text.matchAll(/<loc>([^<]+)/g)].map(([, link]) => link),
            answer.headers.get('location') ?? '',
        ];
        for (const link of found.map((text) => (text.startsWith(HOST) ? text.slice(HOST.length) : text).split('#')[0])) {
            if (OURS.test(link) && !from.has(link) && !/[?&](offset|sort|as_of)=/.test(link)) {
                from.set(link, address);
            }
        }
    }
    return seen;
}
const site = async () => (crawled ??= await crawl(server));

test('no link of the site is broken, and no answer is a fault of the program', async () => {
    const meant = new Set(['/nowhere', '/compare?x=1', '/databases/nobody/', '/compare/tern-vs-tern/']);
    for (const [address, { status, from }] of await site()) {
        assert.ok(status < 500, `${address} of ${from}: ${status}`);
        // A page names the door for agents, which takes POST.
        assert.ok(status < 400 || meant.has(address) || (address === '/mcp' && status === 405), `${address} of ${from}: ${status}`);
    }
    assert.ok((await site()).size > 100);
});

test('nothing says "sandbox"', async () => {
    for (const [address, { text, type }] of await site()) {
        if (/html|markdown|json|xml|svg|calendar|plain|csv/.test(type) && !/\.(schema\.json|js|css|sqlite)(\?|$)/.test(address)) {
            assert.doesNotMatch(text, /sandbox/i, address);
        }
    }
});

test('the pages are valid HTML', async () => {
    for (const [address, { text, type, status }] of await site()) {
        if (type.startsWith('text/html') && status === 200 && !address.includes('?')) {
            assert.deepEqual(await htmlProblems(text), [], address);
        }
    }
});

test('what the catalogue has no rows for is not there', async () => {
    for (const address of ['/guides/', '/glossary/', '/pricing/', '/cost', '/measurements/', '/sandboxes/', '/sandboxes/tern/', '/sandboxes/tern.md']) {
        assert.equal((await server.get(address)).status, 404, address);
    }
    assert.doesNotMatch((await server.get('/')).text, /href="\/(guides|glossary|pricing|measurements)\//);
});

test('a profile, its Markdown and its JSON say the same, at the folder of the catalogue', async () => {
    const page = await server.get('/databases/tern/');
    assert.match(page.text, /<h1>Tern Data/);
    assert.ok(page.text.includes(`<link rel="canonical" href="${HOST}/databases/tern/">`));
    assert.match((await server.get('/databases/tern.md')).text, /^# Tern Data/);
    const { provider } = (await server.get('/data/providers/tern.json')).json;
    assert.deepEqual(provider.facts.model.value, ['document', 'key-value']);
    assert.equal(provider.facts.backup_seconds.state, 'not_documented');
    assert.equal((await server.get('/databases/tern')).headers.get('location'), '/databases/tern/');
    assert.match((await server.get('/')).text, /<h1>Best database services<\/h1>/);
    assert.deepEqual((await server.get('/site.webmanifest')).json.name, PLAN.settings.title);
});

// What the example has no rows of: every other kind of page, with words that only look like addresses.
const DETAIL = 'Its API answers at "/sandboxes/" and (/sandboxes), see https://elsewhere.example/sandboxes/.';
const ROWS = `
    INSERT INTO measurement VALUES ('tern', 'sequential', date('now'), 10, 120.0, 200.0, 300.0, 1.0, 'tern-docs'), ('lakeview', 'burst', date('now'), 10, 100.0, 200.0, 300.0, 1.0, 'lakeview-docs');
    INSERT INTO billing_rule (provider, charge, cpu_in_memory, memory_active, assumptions, source, basis, checked_on) VALUES ('tern', 'sizes', 0, 'full', '[]', 'tern-docs', 'vendor-stated', date('now'));
    INSERT INTO rate_size VALUES ('tern', NULL, 1, 'small', 2.0, 8.0, '0.5', 3600, 'tern-docs', 'vendor-stated', date('now'), NULL);
    INSERT INTO cost_preset VALUES ('one', 1, 'One database', 'A database all month.', '{"sandboxes":1,"hours":730}');
    INSERT INTO glossary_term VALUES ('branch', 'Branch', '[]', '[]', 'A copy that shares data.', 'A **branch** shares data.', date('now'));
    INSERT INTO guide VALUES ('choosing', 1, 'Choosing a database', 'How to choose.', '["Ask first."]', '[]', '## What' || char(10) || char(10) || 'See [Tern](/sandboxes/tern/).', date('now'));
    INSERT INTO pair VALUES ('lakeview', 'tern', 1);
    INSERT INTO event VALUES ('tern', 1, '2026-10-01', 'It was announced.', 'tern-docs');
    INSERT INTO claim VALUES ('tern', 'strength', 1, 'Answers from the nearest copy', '["consistency"]', date('now')), ('tern', 'best_for', 1, 'Reading a lot', '["model"]', date('now'));
    UPDATE fact SET detail = '${DETAIL}' WHERE provider = 'tern' AND attribute = 'model';
    UPDATE provider SET status = 'discontinued', status_note = 'It ended.', status_source = 'copperbase-docs' WHERE slug = 'copperbase';`;

test('every other kind of page speaks of the subject too, and text that looks like an address stays as it is', async () => {
    execFileSync('cp', [at('served.db'), at('rich.db')]);
    execFileSync('sqlite3', ['-bail', at('rich.db')], { input: `PRAGMA foreign_keys = ON;${ROWS}` });
    const rich = await startServer({ args: ['--db', at('rich.db'), '--public-url', HOST] });
    try {
        const pages = await crawl(rich, ['/pricing/', '/cost', '/measurements/', '/measurements/tern/', '/guides/choosing/', '/glossary/branch/', '/databases/?sort=-model', '/databases/?branches=true', '/data/measurements.csv', '/databases/none/']);
        for (const address of ['/pricing/', '/cost', '/measurements/', '/measurements/tern/', '/guides/choosing/', '/glossary/branch/', '/compare/lakeview-vs-tern/', '/oembed?url=/databases/tern/']) {
            assert.equal(pages.get(address).status, 200, address);
        }
        assert.ok(pages.get('/databases/tern/').text.includes(DETAIL.replaceAll('"', '&quot;')));
        assert.ok((await rich.get('/data/facts.csv')).text.includes(DETAIL.replaceAll('"', '""')));
        const { provider } = (await rich.get('/data/providers/tern.json')).json;
        assert.equal(provider.facts.model.detail, DETAIL);
        assert.match((await rich.get('/guides/choosing.md')).text, /\]\(\/databases\/tern\/\)/);
        const { results } = (await rich.get('/cost?hours=10')).json;
        assert.deepEqual([results[0].slug, results[0].total.usd], ['tern', 5]);
        const missing = (await rich.get('/databases/turn/', { headers: { accept: 'application/problem+json' } })).json;
        assert.ok(missing.addresses.includes('/databases/tern/'), JSON.stringify(missing));
        const meant = new Set(['/nowhere', '/compare?x=1', '/databases/nobody/', '/databases/none/', '/databases/?sort=-model', '/compare/tern-vs-tern/']);
        for (const [address, { status, text, type, from }] of pages) {
            assert.ok(status < 400 || meant.has(address) || (address === '/mcp' && status === 405), `${address} of ${from}: ${status}`);
            if (!/html|markdown|json|xml|svg|calendar|plain|csv/.test(type) || /\.(schema\.json|js|css|sqlite)(\?|$)/.test(address)) {
                continue;
            }
            // The fact is data; "sandboxes" is the name of a parameter of /cost.
            const bare = text.replace(/Its API answers at .{0,140}?elsewhere\\?\.example\/sandboxes\//g, '');
            assert.doesNotMatch(bare.replace(/\bsandboxes(?=["=\x60<])|c-sandboxes|h-sandboxes|, sandboxes|^sandboxes/gm, ''), /sandbox|microvm|computesdk/i, address);
            if (type.startsWith('text/html')) {
                assert.doesNotMatch(bare.replace(/<[^>]*>/g, ' '), /AI agent|agents? (can )?run|virtual machine|Price per vCPU|Measured start|Longest session/, address);
                assert.deepEqual(status === 200 && !address.includes('?') ? await htmlProblems(text) : [], [], address);
            }
        }
    } finally {
        await rich.stop();
    }
});

test('below a base path the folder is the catalogue\'s too', async () => {
    const below = await startServer({ args: ['--db', at('served.db'), '--public-url', `${HOST}/guide`] });
    try {
        const page = (await below.get('/guide/databases/tern/', { headers: { accept: 'text/html' } })).text;
        assert.ok(page.includes(`<link rel="canonical" href="${HOST}/guide/databases/tern/">`));
        assert.match(page, / href="\/guide\/databases\/"/);
        assert.doesNotMatch(page, / (href|src|action)="\/(?!guide\/)/);
        assert.equal((await below.get('/guide/databases/tern')).headers.get('location'), '/guide/databases/tern/');
    } finally {
        await below.stop();
    }
});

test('check refuses a folder that another address begins with, or that is no name', async () => {
    const { json } = await server.get('/openapi.json');
    const taken = new Set(Object.keys(json.paths).map((pattern) => /^\/([a-z-]*)/.exec(pattern)[1]).filter((name) => name !== '' && name !== 'databases'));
    for (const always of ['guides', 'glossary', 'pricing', 'cost', 'measurements', 'share']) {
        taken.add(always);
    }
    for (const folder of [...taken, 'Databases', 'a/b', 'a b', '', 'x'.repeat(65)]) {
        const db = at('folder.db');
        execFileSync('cp', [at('served.db'), db]);
        execFileSync('sqlite3', [db, `UPDATE setting SET value = '${folder}' WHERE key = 'folder'`]);
        const { code, stdout } = await run(['check', '--db', db]);
        assert.equal(code, 1, folder);
        assert.match(stdout, /error \[folder\] setting folder cannot be the folder of the profiles/, folder);
    }
});

test('the copy of the site made of files filters by the own words, at the own folder', async () => {
    const made = await run(['export', '--static', at('site'), '--db', at('served.db'), '--public-url', HOST]);
    assert.equal(made.code, 0, made.stderr);
    const page = readFileSync(at('site/databases/index.html'), 'utf8');
    assert.match(page, /<html [^>]*data-folder="databases" data-noun="Database service"/);
    assert.doesNotMatch(readFileSync(at('site/offline.js'), 'utf8'), /sandbox/i);
    assert.ok(existsSync(at('site/databases/tern/index.html')));
});

test('the filter takes the own attributes', async () => {
    const { matches, counts } = (await server.get('/compare?consistency=strict&price_gib_month_usd__lte=0.5')).json;
    assert.deepEqual(matches.map(({ slug }) => slug), ['lakeview']);
    assert.equal(counts.considered, 3);
    assert.equal((await server.get('/compare?consistency=loose')).json.nearest === undefined, false);
    assert.match((await server.get('/compare/?branches=false')).text, /Tern Data/);
    const { ranked } = (await server.get('/?format=json')).json;
    assert.deepEqual(ranked.map(({ slug }) => slug), ['lakeview', 'tern', 'copperbase']);
});

test('agents find the tools by the own noun, and those that have something to answer from', async () => {
    const ask = async (method, params) => {
        const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
        return (await server.get('/mcp', { method: 'POST', body, headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-11-25' } })).json.result;
    };
    const initialised = await ask('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } });
    assert.deepEqual([initialised.serverInfo.name, initialised.serverInfo.title], ['database-compass', 'Database Compass']);
    assert.doesNotMatch(initialised.instructions, /sandbox/);
    const { tools } = await ask('tools/list', {});
    assert.deepEqual(tools.map(({ name }) => name), ['find_database_services', 'get_provider', 'compare', 'rank', 'match', 'search', 'get_sources']);
    assert.doesNotMatch(JSON.stringify(tools.map(({ description, title, inputSchema }) => ({ description, title, inputSchema }))), /sandbox|microvm|isolation/);
    const found = await ask('tools/call', { name: 'find_database_services', arguments: { where: { branches: true } } });
    assert.deepEqual(found.structuredContent.matches.map(({ slug }) => slug), ['lakeview']);
    assert.deepEqual(found.structuredContent.undecided.map(({ slug }) => slug), ['copperbase']);
    const read = await ask('resources/read', { uri: `${HOST}/databases/tern.md` });
    assert.match(read.contents[0].text, /^# Tern Data/);
});

test('dump, build and dump again give the same text, and the same generation', async () => {
    const again = await run(['dump', '--db', at('served.db'), '--inline', '--out', at('again.sql')]);
    assert.equal(again.code, 0, again.stderr);
    assert.equal(readFileSync(at('again.sql'), 'utf8'), readFileSync(at('databases.sql'), 'utf8'));
    const check = await run(['check', '--db', at('databases.db')]);
    assert.equal(check.code, 0, check.stdout);
});

test('an empty catalogue is a site too', async () => {
    const { rankings, ...plan } = PLAN;
    writeFileSync(at('empty.json'), JSON.stringify(plan));
    assert.ok(rankings.length > 0);
    const made = await run(['new', '--db', at('empty.db'), at('empty.json')]);
    assert.equal(made.code, 0, made.stderr);
    const empty = await startServer({ args: ['--db', at('empty.db')] });
    try {
        for (const address of ['/', '/index.md', '/?format=json', '/databases/', '/compare/', '/compare', '/match/', '/changes/', '/sources/', '/data/', '/data/api/', '/about/', '/methodology/', '/alternatives/', '/openapi.json', '/llms.txt',
            '/sitemap.xml', '/changes.atom', '/data/providers.json', '/data/providers.csv', '/data/datapackage.json', '/search?q=x', '/corrections/']) {
            const { status, text } = await empty.get(address);
            assert.equal(status, 200, `${address}: ${text.slice(0, 200)}`);
        }
        assert.match((await empty.get('/')).text, /<h1>Compare database services<\/h1>[^]*The catalogue is empty so far/);
        assert.equal((await empty.get('/best/')).status, 404);
    } finally {
        await empty.stop();
    }
});

const plan = (change) => {
    const copy = structuredClone(PLAN);
    change(copy);
    return JSON.stringify(copy);
};
for (const [what, text, words] of [
    ['no JSON', '{', /line 1/],
    ['a member that means nothing', plan((p) => { p.extra = 1; }), /has "extra", which means nothing there/],
    ['an attribute without a label', plan((p) => { delete p.attributes[1].label; }), /attribute 2 has no "label"/],
    ['an attribute of an unknown type', plan((p) => { p.attributes[0].type = 'colour'; }), /type IN/],
    ['an attribute of an unknown group', plan((p) => { p.attributes[0].group = 'none'; }), /foreign|FOREIGN|group/],
    ['a criterion of an unknown attribute', plan((p) => { p.rankings[0].criteria[0].attribute = 'none'; }), /foreign|FOREIGN|attribute/],
    ['no noun', plan((p) => { delete p.settings.noun; }), /"settings" has no "noun"/],
    ['a folder that is another page', plan((p) => { p.settings.folder = 'about'; }), /the folder "about"/],
    ['a setting that is no text', plan((p) => { p.settings.title = 7; }), /"settings" has no "title"/],
]) {
    test(`a plan with ${what} is refused, and no file is left`, async () => {
        writeFileSync(at('bad.json'), text);
        const { code, stderr } = await run(['new', '--db', at('bad.db'), at('bad.json')]);
        assert.equal(code, 1, stderr);
        assert.match(stderr, words);
        assert.ok(!existsSync(at('bad.db')));
    });
}

test('an existing file is never written over', async () => {
    const { code, stderr } = await run(['new', '--db', at('served.db'), at('plan.json')]);
    assert.equal(code, 1);
    assert.match(stderr, /is there already/);
});
