// The files below /data/: one model in every form, the package, the sums, the database, ranges, Link, CORS.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { parseCsv, parseRows } from './csv.mjs';
import { PROGRAM, startServer } from './harness.mjs';

let server;
let folder;
let providers;
let facts;
before(async () => {
    server = await startServer();
    folder = await fs.mkdtemp(path.join(os.tmpdir(), 'data-'));
    providers = (await server.get('/data/providers.json')).json;
    facts = (await server.get('/data/facts.json')).json;
});
after(async () => {
    await server?.stop();
    await fs.rm(folder, { recursive: true });
});

const bytes = async (target, headers = {}) => Buffer.from(await (await server.fetch(target, { headers: { 'accept-encoding': 'identity', ...headers } })).arrayBuffer());
const sha256 = (data) => createHash('sha256').update(data).digest('hex');

/** What a CSV field says of a JSON value. */
function field(value) {
    if (value === null || value === undefined) {
        return '';
    }
    if (Array.isArray(value)) {
        return value.length === 0 ? 'none' : value.join('; ');
    }
    if (typeof value === 'object') {
        const pairs = Object.entries(value);
        return pairs.length === 0 ? 'none' : pairs.map(([name, amount]) => `${name}=${amount}`).join('; ');
    }
    const text = String(value);
    return /^[=+\-@\t\r]/.test(text) && Number.isNaN(Number(text)) ? `'${text}` : text;
}

test('every fact of providers.json is in facts.json, and no other', () => {
    const all = new Map();
    for (const provider of providers.providers) {
        for (const [offering, own] of [[null, provider.facts], ...provider.offerings.map((entry) => [entry.slug, entry.facts])]) {
            for (const fact of Object.values(own)) {
                all.set(fact.id, { provider: provider.slug, offering, ...fact });
            }
        }
    }
    assert.equal(facts.count, providers.counts.facts);
    assert.equal(facts.facts.length, all.size);
    for (const fact of facts.facts) {
        assert.deepEqual(fact, all.get(fact.id));
    }
});

test('facts.csv has the same receipts, one a row', async () => {
    const rows = parseCsv((await server.get('/data/facts.csv')).text);
    assert.equal(rows.length, facts.facts.length);
    rows.forEach((row, index) => {
        const { source, unlimited, value, ...rest } = facts.facts[index];
        assert.equal(row.value, unlimited ? 'unlimited' : field(value), row.id);
        for (const [name, wanted] of Object.entries(rest)) {
            assert.equal(row[name], field(wanted), `${row.id} ${name}`);
        }
        for (const name of ['id', 'url', 'title', 'publisher', 'kind', 'copy_date', 'accessed_on', 'verified_on']) {
            assert.equal(row[`source_${name}`], field(source?.[name]), `${row.id} source ${name}`);
        }
    });
});

test('providers.csv has a row for each thing on sale, with its own facts or its provider\'s', async () => {
    const rows = parseCsv((await server.get('/data/providers.csv')).text);
    const wanted = providers.providers.flatMap((provider) => (provider.offerings.length === 0 ? [[provider, null]] : provider.offerings.map((offering) => [provider, offering])));
    assert.equal(rows.length, wanted.length);
    rows.forEach((row, index) => {
        const [provider, offering] = wanted[index];
        assert.equal(row.provider, provider.slug);
        assert.equal(row.offering, offering?.slug ?? '');
        assert.equal(row.summary, field(provider.summary));
        for (const { key } of providers.attributes) {
            const fact = offering?.facts[key] ?? provider.facts[key];
            assert.equal(row[key], fact?.unlimited ? 'unlimited' : field(fact?.value), `${provider.slug} ${key}`);
            assert.equal(row[`${key}_state`], fact?.state ?? 'not_documented');
            assert.equal(row[`${key}_basis`], fact?.basis ?? '');
            assert.equal(row[`${key}_source`], fact?.source?.id ?? '');
            assert.equal(row[`${key}_checked_on`], fact?.checked_on ?? '');
        }
    });
});

test('no field of any CSV starts a formula', async () => {
    for (const name of ['providers', 'facts', 'sources', 'measurements']) {
        for (const row of parseRows((await server.get(`/data/${name}.csv`)).text)) {
            for (const value of row) {
                assert.ok(!/^[=+\-@\t\r]/.test(value) || !Number.isNaN(Number(value)), value);
            }
        }
    }
});

test('sources, attributes and glossary', async () => {
    const sources = (await server.get('/data/sources.json')).json;
    assert.equal(sources.count, providers.counts.sources);
    const rows = parseCsv((await server.get('/data/sources.csv')).text);
    assert.deepEqual(rows, sources.sources.map((source) => Object.fromEntries(Object.entries(source).map(([name, value]) => [name, field(value)]))));
    assert.ok(facts.facts.every((fact) => fact.source === null || rows.some((row) => row.id === fact.source.id)));
    const attributes = (await server.get('/data/attributes.json')).json;
    assert.deepEqual(attributes.attributes, providers.attributes);
    assert.deepEqual(attributes.attribute_groups, providers.attribute_groups);
    const glossary = (await server.get('/data/glossary.json')).json;
    assert.equal(glossary.count, providers.counts.glossary_terms);
    assert.ok(glossary.terms.every((term) => term.facts.length > 0 && term.facts.every((fact) => fact.source !== null)));
});

test('the package describes the live bytes', async () => {
    const { json } = await server.get('/data/datapackage.json');
    assert.equal(json.version, providers.generation);
    assert.equal(new Set(json.resources.map((resource) => resource.name)).size, json.resources.length);
    for (const resource of json.resources) {
        const live = await bytes(`/data/${resource.path}`);
        assert.equal(live.length, resource.bytes, resource.path);
        assert.equal(`sha256:${sha256(live)}`, resource.hash, resource.path);
        assert.equal((await server.fetch(`/data/${resource.path}`, { method: 'HEAD' })).headers.get('content-type').split(';')[0], resource.mediatype);
        assert.ok(resource.licenses[0].name.length > 0);
        if (resource.type !== 'table') {
            continue;
        }
        const rows = parseCsv(live.toString('utf8'));
        const names = resource.schema.fields.map((column) => column.name);
        assert.deepEqual(Object.keys(rows[0]), names, resource.path);
        assert.equal(new Set(rows.map((row) => resource.schema.primaryKey.map((key) => row[key]).join(' '))).size, rows.length, `key of ${resource.path}`);
        const patterns = { boolean: /^(true|false)?$/, date: /^(\d{4}-\d\d-\d\d)?$/, number: /^(-?\d+(\.\d+)?)?$/, integer: /^(\d+)?$/, string: /^/ };
        for (const column of resource.schema.fields) {
            const wrong = rows.find((row) => !patterns[column.type].test(row[column.name]));
            assert.equal(wrong, undefined, `${resource.path} ${column.name}: ${wrong?.[column.name]}`);
        }
        for (const { fields, reference } of resource.schema.foreignKeys ?? []) {
            const other = json.resources.find((entry) => entry.name === reference.resource);
            const known = new Set(parseCsv((await bytes(`/data/${other.path}`)).toString('utf8')).map((row) => row[reference.fields[0]]));
            assert.ok(rows.every((row) => row[fields[0]] === '' || known.has(row[fields[0]])), resource.path);
        }
    }
});

test('sha256sum -c agrees', async () => {
    const sums = (await server.get('/data/SHA256SUMS')).text;
    const names = sums.trimEnd().split('\n').map((line) => line.slice(66));
    for (const name of names) {
        await fs.writeFile(path.join(folder, name), await bytes(`/data/${name}`));
    }
    await fs.writeFile(path.join(folder, 'SHA256SUMS'), sums);
    const said = execFileSync('sha256sum', ['-c', '--strict', 'SHA256SUMS'], { cwd: folder, encoding: 'utf8' });
    assert.equal(said.match(/: OK$/gm).length, names.length);
    for (const name of ['catalogue.sqlite', 'datapackage.json', 'facts.csv', 'providers.schema.json']) {
        assert.ok(names.includes(name), name);
    }
});

test('the database opens in the sqlite3 shell and has every fact', async () => {
    const file = path.join(folder, 'whole.sqlite');
    await fs.writeFile(file, await bytes('/data/catalogue.sqlite'));
    execFileSync(PROGRAM, ['build', '--db', file, '--out', path.join(folder, 'sealed.sqlite')]);
    assert.ok((await fs.readFile(file)).equals(await fs.readFile(path.join(folder, 'sealed.sqlite'))), 'it is as the build sealed it');
    const count = execFileSync('sqlite3', [file, 'SELECT count(*) FROM fact WHERE valid_to IS NULL; PRAGMA integrity_check;'], { encoding: 'utf8' });
    assert.equal(count, `${facts.count}\nok\n`);
});

test('ranges: parts join to the whole, nonsense is the whole, beyond the end is 416', async () => {
    for (const target of ['/data/catalogue.sqlite', '/data/facts.json']) {
        const whole = await bytes(target);
        const half = Math.floor(whole.length / 2);
        const one = await server.fetch(target, { headers: { range: `bytes=0-${half - 1}`, 'accept-encoding': 'br' } });
        assert.equal(one.status, 206);
        assert.equal(one.headers.get('content-range'), `bytes 0-${half - 1}/${whole.length}`);
        assert.equal(one.headers.get('content-encoding'), null);
        const other = await server.fetch(target, { headers: { range: `bytes=-${whole.length - half}`, 'if-range': one.headers.get('etag') } });
        assert.equal(other.status, 206);
        assert.ok(whole.equals(Buffer.concat([Buffer.from(await one.arrayBuffer()), Buffer.from(await other.arrayBuffer())])));
        for (const range of ['bytes=0-1,4-5', 'bytes=5-1', 'lines=1-2', 'bytes=x']) {
            const answer = await server.fetch(target, { headers: { range, 'accept-encoding': 'identity' } });
            assert.equal(answer.status, 200, range);
            assert.equal((await answer.arrayBuffer()).byteLength, whole.length);
        }
        assert.equal((await server.fetch(target, { headers: { range: 'bytes=0-1', 'if-range': '"old"' } })).status, 200);
        assert.equal((await server.fetch(target, { headers: { range: 'bytes=0-1', 'if-range': one.headers.get('last-modified') } })).status, 206);
        const beyond = await server.get(target, { headers: { range: `bytes=${whole.length}-` } });
        assert.equal(beyond.status, 416);
        assert.equal(beyond.headers.get('content-range'), `bytes */${whole.length}`);
        assert.equal(beyond.json.type, '/problems/range-not-satisfiable');
        const head = await server.fetch(target, { method: 'HEAD', headers: { range: 'bytes=0-1' } });
        assert.equal(head.status, 200);
        assert.equal(head.headers.get('accept-ranges'), 'bytes');
        const again = await server.fetch(target, { headers: { range: 'bytes=0-1', 'if-none-match': one.headers.get('etag') } });
        assert.equal(again.status, 304);
    }
    assert.equal((await server.fetch('/about/', { headers: { range: 'bytes=0-1' } })).status, 200);
});

test('every file: HEAD, ETag and 304, CORS, Link', async () => {
    const names = (await server.get('/data/SHA256SUMS')).text.trimEnd().split('\n').map((line) => line.slice(66)).filter((name) => !name.endsWith('.schema.json'));
    const { resources } = (await server.get('/data/datapackage.json')).json;
    const licencesOf = (name) => resources.find(({ path }) => path === name)?.licenses.map(({ path }) => path) ?? ['https://creativecommons.org/licenses/by/4.0/'];
    assert.deepEqual(['catalogue.sqlite', 'facts.csv', 'measurements.csv'].map((name) => licencesOf(name).length), [2, 1, 1]);
    assert.doesNotMatch(licencesOf('measurements.json')[0], /creativecommons/);
    for (const name of [...names, 'SHA256SUMS']) {
        const head = await server.fetch(`/data/${name}`, { method: 'HEAD' });
        assert.equal(head.status, 200, name);
        assert.equal(head.headers.get('access-control-allow-origin'), '*', name);
        assert.deepEqual([...head.headers.get('link').matchAll(/<([^>]*)>; rel="license"/g)].map(([, address]) => address), licencesOf(name), name);
        const again = await server.fetch(`/data/${name}`, { headers: { 'if-none-match': head.headers.get('etag') } });
        assert.equal(again.status, 304, name);
        const describedBy = /<([^>]*)>; rel="describedby"/.exec(head.headers.get('link'))?.[1];
        if (/\.(json|csv)$/.test(name)) {
            assert.equal((await server.get(describedBy)).status, 200, name);
        }
    }
    assert.match((await server.fetch('/data/facts.json')).headers.get('link'), /<\/data\/facts\.csv>; rel="alternate"; type="text\/csv"/);
    const page = (await server.fetch('/compare?gpu=true&format=html')).headers.get('link');
    assert.match(page, /<\/compare\?gpu=true&format=json>; rel="alternate"; type="application\/json"/);
    const long = `/compare?q=${'a'.repeat(150)}&${Array.from({ length: 30 }, (_, i) => `utm_x${i}=${'b'.repeat(60)}`).join('&')}`;
    assert.equal((await server.get(long)).status, 200);
});
