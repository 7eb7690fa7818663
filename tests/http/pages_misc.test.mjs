// Sources, changes, data, search, corrections, problems and the small files: what they show is what the catalogue holds, and no text
// that a reader types is anything but text.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { startServer, TOP } from './harness.mjs';
import { attributes, canonical, decode, sitemapPaths, text } from './html.mjs';

const HTML = { headers: { Accept: 'text/html' } };
const PUBLIC = 'https://sandboxes.example';
const folder = mkdtempSync(path.join(tmpdir(), 'pages-'));
const database = path.join(folder, 'catalogue.db');

function shell(sql, ...options) {
    const run = spawnSync('sqlite3', ['-batch', ...options, database], { cwd: TOP, input: sql, encoding: 'utf8', maxBuffer: 1 << 26 });
    assert.equal(run.stderr, '');
    return run.stdout;
}

const rows = (sql) => JSON.parse(shell(sql, '-json') || '[]');

let server;
before(async () => {
    shell(['schema', 'seed'].map((name) => readFileSync(path.join(TOP, 'sql', `${name}.sql`), 'utf8')).join('\n'));
    server = await startServer({ args: ['--public-url', PUBLIC] });
});
after(async () => {
    rmSync(folder, { recursive: true });
    await server?.stop();
});

async function page(target, status = 200) {
    const answer = await server.get(target, HTML);
    assert.equal(answer.status, status, target);
    return answer.text;
}

async function json(target) {
    const answer = await server.get(target, { headers: { Accept: 'application/json' } });
    assert.equal(answer.status, 200, target);
    return answer.json;
}

/** All sources that /sources/ lists, over all its pages. */
async function allSources(query = '') {
    const first = await json(`/sources/?format=json${query}`);
    const found = [...first.sources];
    for (let number = 2; number <= first.pages; number++) {
        found.push(...(await json(`/sources/?page=${number}&format=json${query}`)).sources);
    }
    assert.equal(found.length, first.total);
    return found;
}

// Sources

test('checks that failed, were refused or did not happen are listed, not hidden: every source is in one state', async () => {
    const file = path.join(folder, 'failed.db');
    const day = new Date().toISOString().slice(0, 10);
    const ids = rows('SELECT id FROM source ORDER BY id LIMIT 7').map(({ id }) => id);
    const states = ['changed', 'redirected', 'blocked', 'gone', 'unreachable'];
    const change = [
        ...states.map((state, i) => `INSERT INTO source_failure VALUES ('${ids[i]}', '${state}', 'what <went> wrong ${i}', '2026-11-30');`),
        `UPDATE source SET verified_on = '2026-11-30', quote_words = 3, quote_sha256 = '${'a'.repeat(64)}' WHERE id = '${ids[5]}';`,
        `INSERT INTO source_exemption VALUES ('${ids[6]}', 'It lets no program in.', '${day}');`,
    ];
    const made = spawnSync('sqlite3', ['-batch', file], { cwd: TOP, encoding: 'utf8', input: ['schema', 'seed'].map((name) => readFileSync(path.join(TOP, 'sql', `${name}.sql`), 'utf8')).join('\n') + change.join('\n') });
    assert.equal(made.stderr, '');
    const own = await startServer({ args: ['--db', file] });
    try {
        const { json: all } = await own.get('/data/sources.json');
        const of = Object.fromEntries(all.sources.map((source) => [source.id, source]));
        states.forEach((state, i) => assert.deepEqual([of[ids[i]].state, of[ids[i]].failed_on, of[ids[i]].failure], [state, '2026-11-30', `what <went> wrong ${i}`]));
        assert.equal(of[ids[5]].state, 'verified');
        assert.deepEqual([of[ids[6]].exempt_until, of[ids[6]].exemption], [day, 'It lets no program in.']);
        for (const source of all.sources) {
            const wanted = states.includes(source.state) ? source.state : source.verified_on !== null ? 'verified' : source.quote_sha256 === null ? 'no-passage' : 'unchecked';
            assert.equal(source.state, wanted, source.id);
            assert.equal(states.includes(source.state), source.failed_on !== null, source.id);
        }
        const counts = {};
        all.sources.forEach(({ state }) => (counts[state] = (counts[state] ?? 0) + 1));
        const { json: listed } = await own.get('/sources/?format=json');
        assert.deepEqual(listed.states, counts);
        assert.deepEqual(listed.failed.map(({ id }) => id).sort(), ids.slice(0, 5).sort());
        assert.deepEqual(listed.exempt.map(({ id }) => id), [ids[6]]);
        const html = (await own.get('/sources/', HTML)).text;
        const twin = (await own.get('/sources.md')).text;
        assert.match(html, /1 found again, \d+ not yet looked for again, /);
        for (let i = 0; i < 5; i++) {
            assert.ok(html.includes(`id="failed-${ids[i]}"`) && html.includes(`what &lt;went&gt; wrong ${i}`), ids[i]);
            assert.ok(twin.includes(`wrong ${i}; checked 30 Nov 2026`), twin.slice(0, 900));
        }
        assert.match(html, /not checked until <time [^>]*>[^<]*<\/time>: It lets no program in\./);
        const csv = (await own.get('/data/sources.csv')).text;
        assert.match(csv.split('\r\n')[0], /,state,failed_on,failure,exempt_until,exemption$/);
        assert.ok(csv.includes('gone,2026-11-30,what <went> wrong 3,,'), csv.slice(0, 300));
    } finally {
        await own.stop();
    }
    const { json: now } = await server.get('/sources/?format=json');
    assert.deepEqual([now.failed, now.exempt], [[], []]);
    assert.doesNotMatch(await page('/sources/'), /not checked until|id="failed-/);
});

test('every source of the catalogue is on a page of /sources/', async () => {
    const ids = rows('SELECT id FROM source').map(({ id }) => id);
    const { pages } = await json('/sources/?format=json');
    const shown = [];
    for (let number = 1; number <= pages; number++) {
        shown.push(...attributes(await page(`/sources/?page=${number}`), 'id', 'li'));
    }
    assert.deepEqual(shown.filter((id) => ids.includes(id)).sort(), ids.sort());
});

test('what rests on a source is what the catalogue says', async () => {
    const sources = new Map((await allSources()).map((source) => [source.id, source.uses.flatMap(({ items }) => items)]));
    for (const { source, count } of rows(
        'SELECT source, count(*) AS count FROM fact WHERE source IS NOT NULL AND valid_to IS NULL GROUP BY 1',
    )) {
        const facts = sources.get(source).filter(({ href }) => /^\/sandboxes\/[^/]+\/#/.test(href));
        assert.equal(facts.length, count, source);
    }
    for (const { source, guide } of rows('SELECT DISTINCT source, guide FROM guide_fact')) {
        assert.ok(sources.get(source).some(({ href }) => href === `/guides/${guide}/`), `${source}: ${guide}`);
    }
    for (const { source, term } of rows('SELECT DISTINCT source, term FROM glossary_fact')) {
        assert.ok(sources.get(source).some(({ href }) => href === `/glossary/${term}/`), `${source}: ${term}`);
    }
});

test('a source is "found again" only where it was', async () => {
    const [{ found }] = rows('SELECT count(verified_on) AS found FROM source');
    const { pages } = await json('/sources/?format=json');
    let said = 0;
    for (let number = 1; number <= pages; number++) {
        said += (await page(`/sources/?page=${number}`)).match(/\. Found again </g)?.length ?? 0;
    }
    assert.equal(said, found);
});

test('sources are filtered by provider and by kind', async () => {
    const facts = rows("SELECT DISTINCT source FROM fact WHERE provider = 'e2b' AND valid_to IS NULL AND source IS NOT NULL");
    const listed = (await allSources('&provider=e2b')).map(({ id }) => id);
    assert.deepEqual(facts.filter(({ source }) => !listed.includes(source)), []);
    assert.ok(listed.length < rows('SELECT id FROM source').length);
    const papers = await allSources('&kind=paper');
    assert.deepEqual(papers.map(({ id }) => id).sort(), rows("SELECT id FROM source WHERE kind = 'paper' ORDER BY id").map(({ id }) => id));
});

// Changes

test('every event is on /changes/, and one ahead is announced', async () => {
    const changes = await json('/changes/?format=json');
    const [{ events }] = rows('SELECT count(*) AS events FROM event');
    assert.equal(changes.events.length + changes.announced.length, events);
    const today = new Date().toISOString().slice(0, 10);
    changes.announced.forEach(({ date }) => assert.ok(date > today, date));
    changes.events.forEach(({ date }) => assert.ok(date <= today, date));
    const dates = changes.events.map(({ date }) => date);
    assert.deepEqual(dates, dates.toSorted ? dates.toSorted().reverse() : [...dates].sort().reverse());
});

test('a changed value shows both values and its day', async () => {
    const changed = path.join(folder, 'changed.db');
    execFileSync('cp', [database, changed]);
    const sql =
        "UPDATE fact SET valid_from = '2026-01-01', valid_to = '2026-11-01' WHERE provider = 'e2b' AND offering IS NULL AND attribute = 'cli';" +
        "INSERT INTO fact SELECT provider, offering, attribute, state, 'false', detail, note, source, basis, checked_on, '2026-11-01', NULL FROM fact " +
        "WHERE provider = 'e2b' AND offering IS NULL AND attribute = 'cli';";
    execFileSync('sqlite3', ['-batch', changed], { input: sql });
    const other = await startServer({ args: ['--db', changed] });
    try {
        const { text: html } = await other.get('/changes/?provider=e2b', HTML);
        assert.match(html, /<time datetime="2026-11-01">.*E2B: CLI<\/a>: from <del>yes<\/del> to <ins>no<\/ins>/);
        assert.doesNotMatch((await other.get('/changes/?provider=modal', HTML)).text, /<del>/);
    } finally {
        await other.stop();
    }
});

test('changes of one provider are its own', async () => {
    const changes = await json('/changes/?provider=runloop&format=json');
    assert.ok(changes.events.length > 0);
    [...changes.events, ...changes.announced].forEach(({ provider }) => assert.equal(provider, 'runloop'));
});

// Search

const search = async (query) => json(`/search?format=json&q=${encodeURIComponent(query)}`);

test('a search finds providers, terms and guides, and the start of a word', async () => {
    const paths = async (query) => (await search(query)).results.map((result) => result.path);
    assert.ok((await paths('daytona')).slice(0, 3).includes('/sandboxes/daytona/'));
    assert.ok((await paths('gvisor')).slice(0, 3).includes('/glossary/gvisor/'));
    assert.ok((await paths('how to choose')).includes('/guides/how-to-choose-an-agent-sandbox/'));
    assert.ok((await paths('firecrac')).includes('/glossary/firecracker/'));
});

test('what matched is marked, and nothing of the search syntax has a meaning', async () => {
    const { results } = await search('snapshot');
    assert.ok(results[0].extract.some(({ hit, text: words }) => hit && /snapshot/i.test(words)));
    assert.match(await page('/search?q=snapshot'), /<mark>[^<]*napshot[^<]*<\/mark>/);
    const words = (await search('snapshot fork')).results.map(({ path: at }) => at);
    for (const same of ['"snapshot" fork', 'snapshot AND-fork'.replace('AND-', ''), '(snapshot) fork', 'snapshot: fork', '-snapshot ^fork']) {
        assert.deepEqual((await search(same)).results.map(({ path: at }) => at), words, same);
    }
});

test('no extract shows the marks of prose, nor a bare true or false', async () => {
    for (const query of ['snapshot', 'e2b', 'price', 'session', 'source', 'gvisor', 'persistent', 'fork']) {
        const words = (await search(query)).results.map(({ extract }) => extract.map((piece) => piece.text).join('')).join('\n');
        assert.doesNotMatch(words, /\[\[|\]\]|\[\^|[a-z0-9]:[a-z]+_[a-z]+|\(\/|[a-z]\/\)|(^|[^a-z] )(true|false) [A-Z]/m, query);
    }
});

test('no text makes a search fail', async () => {
    const hostile = ['"', '""', '"a', "'", "' OR 1=1 --", 'NEAR(', 'a NEAR/2 b', 'AND', 'a AND', 'OR OR', 'NOT a', '*', 'a*b*', '-', '^', '^^a', '{title}: a',
        'title:a', 'kind:provider', '(', ')', '(((', '\\', '%', '%00', '<script>alert(1)</script>', '\u0301', '\u{1F600}', '\u200b', 'ß', '日本', 'a'.repeat(200), '" '.repeat(100), '::', '+a', 'a+b', ';'];
    for (const query of hostile) {
        const target = `/search?q=${encodeURIComponent(query)}`;
        const answer = await server.get(target, HTML);
        assert.equal(answer.status, 200, target);
        assert.ok(!answer.text.includes('<script>alert'), target);
        assert.equal(decode(/id="search-q" value="([^"]*)"/.exec(answer.text)[1]), query, target);
    }
});

test('a text too long, and bytes that are no text, are refused', async () => {
    await page(`/search?q=${'a'.repeat(201)}`, 400);
    for (const target of [`/search?q=${'a'.repeat(10_000)}`, '/search?q=%00', '/search?q=a%00b', '/search?q=%ff', '/search?q=%']) {
        const { status } = await server.get(target, HTML);
        assert.ok([400, 414, 431].includes(status), `${target.slice(0, 40)}: ${status}`);
    }
    await page('/search?q=b'); // it lives
});

test('where nothing is found, something near is', async () => {
    const nothing = await search('dayton');
    assert.ok(nothing.results.length > 0); // the start of a word
    assert.deepEqual((await search('daytana')).nearest, { title: 'Daytona', path: '/sandboxes/daytona/' });
    const partial = await search('snapshot xyzzyx');
    assert.equal(partial.results.length, 0);
    assert.ok(partial.partial.length > 0);
    assert.match(await page('/search?q=xyzzyx'), /Nothing has all the words of xyzzyx/);
});

// Data

test('the examples of /data/ run as they stand', async () => {
    const html = await page('/data/');
    const examples = [...html.matchAll(/curl -s '?([^'<\s]+)'?/g)].map((match) => decode(match[1]));
    assert.ok(examples.length >= 4);
    for (const address of examples) {
        assert.ok(address.startsWith(PUBLIC), address);
        const answer = await server.get(address.slice(PUBLIC.length));
        assert.equal(answer.status, 200, address);
        assert.ok(answer.json, address);
    }
});

test('/data/ names the generation and the counts of the catalogue', async () => {
    const html = await page('/data/');
    const { generation } = (await server.get('/data/providers.json')).json;
    assert.ok(html.includes(`<code>${generation}</code>`));
    const [{ sources }] = rows('SELECT count(*) AS sources FROM source');
    assert.match(html, new RegExp(`<dt>sources</dt><dd>${sources}</dd>`));
    assert.match(html, /@misc\{agent-sandboxes,\n/);
});

test('every address that /data/ links to answers', async () => {
    for (const href of attributes(await page('/data/'), 'href', 'a').filter((at) => at.startsWith('/'))) {
        assert.equal((await server.get(href)).status, 200, href);
    }
});

test('pages for people set the thousands of a count apart, data does not', async () => {
    const [{ facts }] = rows('SELECT count(*) AS facts FROM fact WHERE valid_to IS NULL AND state = \'documented\'');
    assert.ok(facts >= 1000);
    const apart = facts.toLocaleString('en-GB');
    for (const at of ['/', '/about/', '/data/', '/methodology/']) {
        for (const address of [at, at === '/' ? '/index.md' : `${at.slice(0, -1)}.md`]) {
            const { status, text } = await server.get(address);
            assert.equal(status, 200, address);
            assert.ok(text.includes(apart), `${address}: ${apart}`);
            assert.doesNotMatch(text, new RegExp(`>${facts}<|: ${facts}\\b|\\b${facts} recorded`), address);
        }
    }
    assert.equal((await json('/methodology/?format=json')).counts.facts_documented, facts);
});

// Corrections

test('a report names the fact, its value, source and page', async () => {
    for (const id of ['e2b:isolation', 'daytona/container:isolation']) {
        const html = await page(`/corrections/?fact=${encodeURIComponent(id)}`);
        const report = decode(/<textarea[^>]*>(.*?)<\/textarea>/s.exec(html)[1]);
        assert.match(report, new RegExp(`^Fact: ${id}\n`));
        assert.match(report, /\nShown: \S/);
        assert.match(report, /\nSource: .*https:\/\//);
        assert.match(html, /popovertarget=/);
        assert.equal(canonical(html), `${PUBLIC}/corrections/`);
    }
});

test('a fact that is none is refused, in both forms', async () => {
    for (const id of ['nothing', 'e2b', 'e2b:', ':isolation', 'e2b:nothing', 'e2b/nothing:isolation', 'nobody:isolation', '%3Cb%3E:x', 'e2b/:isolation']) {
        const target = `/corrections/?fact=${id}`;
        const { status, json: problem } = await server.get(target);
        assert.deepEqual([target, status, problem.type, problem.parameter], [target, 400, '/problems/invalid-parameter', 'fact']);
        await page(target, 400);
    }
});

test('the settings of the catalogue say where a report goes', async () => {
    assert.match(await page('/corrections/'), /names no address of its own/);
    const named = path.join(folder, 'named.db');
    execFileSync('cp', [database, named]);
    execFileSync('sqlite3', ['-batch', named], { input: "INSERT INTO setting VALUES ('corrections_url', 'https://example.org/report');" });
    const other = await startServer({ args: ['--db', named] });
    try {
        const { text: html } = await other.get('/corrections/', HTML);
        assert.ok(attributes(html, 'href', 'a').includes('https://example.org/report'));
        assert.doesNotMatch(html, /names no address of its own/);
    } finally {
        await other.stop();
    }
});

// Problems

test('every type of problem that the program uses is explained', async () => {
    const types = new Set();
    for (const name of readdirSync(path.join(TOP, 'src'), { recursive: true }).filter((file) => file.endsWith('.c'))) {
        const code = readFileSync(path.join(TOP, 'src', name), 'utf8');
        for (const match of code.matchAll(/reply_problem\([^;]*?,\s*(?:MHD_HTTP_\w+|\d+),\s*"([a-z-]+)"/gs)) {
            types.add(match[1]);
        }
    }
    assert.ok(types.size >= 4, [...types].join());
    const listed = attributes(await page('/problems/'), 'href', 'a');
    for (const type of types) {
        assert.ok(listed.includes(`/problems/${type}`), type);
        assert.match(await page(`/problems/${type}`), /How to mend it/);
    }
    await page('/problems/nothing', 404);
});

test('a wrong address names the nearest ones', async () => {
    for (const [wrong, right] of [['/sandboxes/e2bb/', '/sandboxes/e2b/'], ['/E2B', '/sandboxes/e2b/'], ['/glossary/gvisr/', '/glossary/gvisor/'], ['/abuot/', '/about/'], ['/guides/what-is-an-agent-sandbx/', '/guides/what-is-an-agent-sandbox/']]) {
        const { status, json: problem } = await server.get(wrong);
        assert.equal(status, 404);
        assert.ok(problem.addresses.includes(right), `${wrong}: ${problem.addresses}`);
        assert.ok(problem.addresses.length <= 3);
        assert.ok(attributes(await page(wrong, 404), 'href', 'a').includes(right));
    }
    assert.deepEqual((await server.get(`/${'x'.repeat(4000)}`)).json.addresses, []);
});

test('bad choices are refused with what is allowed', async () => {
    for (const [target, parameter] of [['/sources/?kind=doc', 'kind'], ['/sources/?provider=e2', 'provider'], ['/sources/?page=0', 'page'], ['/sources/?page=9999', 'page'], ['/changes/?provider=x', 'provider']]) {
        const { status, json: problem } = await server.get(target);
        assert.deepEqual([target, status, problem.parameter], [target, 400, parameter]);
    }
    assert.equal((await server.get('/sources/?kind=doc')).json.nearest, 'docs');
});

// Small files

test('the site map names every provider, term and guide', async () => {
    const paths = sitemapPaths((await server.get('/sitemap.xml')).text);
    for (const [table, prefix] of [['provider', 'sandboxes'], ['glossary_term', 'glossary'], ['guide', 'guides']]) {
        rows(`SELECT slug FROM ${table}`).forEach(({ slug }) => assert.ok(paths.includes(`/${prefix}/${slug}/`), slug));
    }
});

test('security.txt is valid for at least three months', async () => {
    const { text: words, headers } = await server.get('/.well-known/security.txt');
    assert.match(headers.get('content-type'), /^text\/plain/);
    assert.match(words, /^Contact: https:\/\/sandboxes\.example\/corrections\/$/m);
    const days = (Date.parse(/^Expires: (.*)$/m.exec(words)[1]) - Date.now()) / 86_400_000;
    assert.ok(days > 90 && days < 366, `${days} days`);
});

test('the web manifest names icons that exist', async () => {
    const { json: manifest, headers } = await server.get('/site.webmanifest');
    assert.match(headers.get('content-type'), /^application\/manifest\+json/);
    for (const { src, type } of manifest.icons) {
        const icon = await server.get(src);
        assert.deepEqual([icon.status, icon.headers.get('content-type')], [200, type]);
    }
});

test('llms.txt links to every provider, term and guide, and the full text holds every documented value', async () => {
    const { text: index } = await server.get('/llms.txt');
    const { text: full } = await server.get('/llms-full.txt');
    for (const [table, prefix] of [['provider', 'sandboxes'], ['glossary_term', 'glossary'], ['guide', 'guides']]) {
        for (const { slug } of rows(`SELECT slug FROM ${table}`)) {
            assert.ok(index.includes(`](${PUBLIC}/${prefix}/${slug}.md)`), slug);
            assert.ok(full.includes(`\n${PUBLIC}/${prefix}/${slug}/\n`), slug);
        }
    }
    assert.doesNotMatch(full, /\[\[/);
    const marks = new Set([...full.matchAll(/\[\^([a-z0-9.-]+)\](?!:)/g)].map((match) => match[1]));
    const notes = new Set([...full.matchAll(/^\[\^([a-z0-9.-]+)\]: /gm)].map((match) => match[1]));
    assert.deepEqual([...marks].sort(), [...notes].sort());
    assert.ok(notes.size > 50);
    const [{ facts }] = rows('SELECT count(*) AS facts FROM fact WHERE valid_to IS NULL');
    const lines = full.slice(0, full.indexOf('\n# Glossary')).split('\n').filter((line) => /^- [A-Z].*: /.test(line));
    assert.ok(lines.length >= facts, `${lines.length} lines for ${facts} facts`);
});

test('the pages say what they are', async () => {
    for (const [target, heading] of [['/about/', 'About this site'], ['/data/', 'Data and citation'], ['/corrections/', 'Report an error'], ['/search', 'Search'], ['/sources/', 'Sources'], ['/changes/', 'What changed'], ['/problems/', 'Problems that programs meet']]) {
        assert.equal(text(await page(target), 'h1'), heading);
    }
});
