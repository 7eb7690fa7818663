// /openapi.json is well-formed, tells of every row of the route table, and every operation does what it says, with good and bad parameters.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import fs from 'node:fs/promises';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import Ajv2020 from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { startServer, TOP } from './harness.mjs';

let server;
let api;
let ajv;
before(async () => {
    server = await startServer();
    api = (await server.get('/openapi.json')).json;
    ajv = new Ajv2020({ strict: true, allowUnionTypes: true, strictRequired: false, strictTypes: false });
    addFormats(ajv);
    const sums = (await server.get('/data/SHA256SUMS')).text;
    for (const [name] of sums.matchAll(/\S+\.schema\.json$/gm)) {
        ajv.addSchema((await server.get(`/data/${name}`)).json);
    }
});
after(() => server?.stop());

/** The GET operations as [{ path, parameters (references resolved), ... }]. */
const operations = () =>
    Object.entries(api.paths)
        .filter(([, item]) => item.get)
        .map(([pattern, { get }]) => ({ ...get, path: pattern, parameters: get.parameters.map((own) => (own.$ref ? api.components.parameters[own.$ref.split('/').at(-1)] : own)) }));
const resolve = (schema) => (schema.$ref?.startsWith('#') ? schema.$ref.slice(2).split('/').reduce((at, key) => at[key], api) : schema);
const withQuery = (target, name, value) => `${target}${target.includes('?') ? '&' : '?'}${new URLSearchParams({ [name]: value })}`;

/** Fails unless the answer is what the operation says of 200. */
function holds(operation, answer, words) {
    assert.equal(answer.status, 200, `${words}: ${answer.text.slice(0, 300)}`);
    const type = answer.headers.get('content-type').split('; charset')[0];
    const content = operation.responses['200'].content[type];
    assert.ok(content, `${words}: ${type}`);
    if (content.schema.$ref) {
        const validate = ajv.getSchema(content.schema.$ref);
        assert.ok(validate(answer.json), `${words}: ${JSON.stringify(validate.errors?.slice(0, 3))}`);
    }
}

function isProblem(answer, status, words) {
    assert.equal(answer.status, status, words);
    assert.equal(answer.headers.get('content-type'), 'application/problem+json', words);
    const validate = ajv.getSchema('/data/problem.schema.json');
    assert.ok(validate(answer.json), `${words}: ${JSON.stringify(validate.errors)}`);
    assert.equal(answer.json.status, status, words);
}

test('the linter has nothing to say', async () => {
    const { stdout, stderr } = await promisify(execFile)(path.join(TOP, 'tests/node_modules/.bin/redocly'), ['lint', `${server.origin}/openapi.json`, '--config', path.join(TOP, 'tests/redocly.yaml'), '--format', 'json'], {
        env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
        maxBuffer: 1 << 24,
    }).catch((error) => error);
    const report = JSON.parse(stdout.slice(stdout.indexOf('{')));
    assert.deepEqual(report.problems.map((problem) => `${problem.ruleId}: ${problem.message}`), [], stderr);
});

test('every row of the route table is there, and no other', async () => {
    const table = await fs.readFile(path.join(TOP, 'src/route/table.c'), 'utf8');
    const rows = [...table.matchAll(/^ {4}\{"([^"]+)"/gm)].map((match) => match[1]).filter((pattern) => pattern !== '/{file...}');
    assert.deepEqual(Object.keys(api.paths), rows);
    const ids = operations().map((operation) => operation.operationId);
    assert.equal(new Set(ids).size, ids.length);
});

test('every operation answers its example in every form, to GET and HEAD, and as 304', async () => {
    for (const operation of operations()) {
        for (const [type, { examples }] of Object.entries(operation.responses['200'].content)) {
            const address = examples.live.externalValue.replace(api.servers[0].url, '');
            const answer = await server.get(address);
            holds(operation, answer, address);
            assert.equal(answer.headers.get('content-type').split('; charset')[0], type, address);
            const head = await server.fetch(address, { method: 'HEAD' });
            assert.equal(head.status, 200, address);
            assert.equal(head.headers.get('etag'), answer.headers.get('etag'), address);
            if (operation.responses['304']) {
                const again = await server.fetch(address, { headers: { 'if-none-match': answer.headers.get('etag') } });
                assert.equal(again.status, 304, address);
            }
            const post = await server.fetch(address, { method: 'POST' });
            assert.equal(post.status, api.paths[operation.path].post ? post.status : 405, address);
        }
    }
});

/** Good values of a parameter as they stand in a query. */
function goodValues({ schema }) {
    const own = resolve(schema);
    if (own.items) {
        const item = resolve(own.items);
        const alternatives = item.anyOf ? goodValues({ schema: item }) : goodValues({ schema: item });
        return [alternatives[0], ...(alternatives.length > 1 ? [alternatives.slice(0, 2).join(',')] : [])];
    }
    if (own.anyOf) {
        return own.anyOf.flatMap((alternative) => goodValues({ schema: alternative }));
    }
    if (own.const) {
        return [own.const];
    }
    if (own.enum) {
        return own.enum.slice(0, 2);
    }
    if (own.pattern) {
        return ['90m', 'unlimited'];
    }
    if (own.format === 'date') {
        return ['2026-06-01', '2024-02-29'];
    }
    if (own.type === 'string') {
        return ['gpu'];
    }
    const low = own.minimum ?? 1;
    return [String(low), String(Math.max(low, Math.min(own.maximum ?? 7, 7)))];
}

/** Bad values; none where every text is good. */
function badValues({ schema }) {
    const own = resolve(schema);
    if (own.items) {
        return badValues({ schema: own.items });
    }
    if (own.anyOf) {
        return badValues({ schema: own.anyOf[0] });
    }
    if (own.enum) {
        return ['no-such-name', '\u{1F95C}'];
    }
    if (own.format === 'date') {
        return ['2026-02-30', '2025-02-29', 'today', '1'];
    }
    if (own.type === 'string') {
        return own.pattern ? ['soon'] : own.maxLength ? ['x'.repeat(own.maxLength + 1)] : [];
    }
    const bad = ['many', '1e999', '0x10'];
    if (own.minimum !== undefined) {
        bad.push(String(own.minimum - 1));
    }
    if (own.maximum !== undefined) {
        bad.push(String(own.maximum * 2));
    }
    return own.type === 'integer' ? [...bad, '1.5'] : bad;
}

// An example of its own where a parameter makes no sense alone.
const TOGETHER = { gpu_hours: 'gpu=h100&hours=10', fact: null, active: 'hours=10', runs: 'sandboxes=1' };

// What an operation cannot do without, values where no text is as good as another, and a refusal that another standard asks for.
const ALWAYS = { '/oembed': 'url=/sandboxes/e2b/' };
const GOOD = { url: ['/sandboxes/e2b/', '/compare/e2b-vs-modal/'], as_of: [new Date().toISOString().slice(0, 10)] };
const REFUSED = { '/oembed format': 501 };

// The conditions of all attributes are the same behind every door that takes them: each door is asked some, API_ALL=1 asks each for all.
const STEPS = { '/compare': 2, '/match': 6, '/': 3, '/best/{use_case}/': 3 };
const isCondition = (own) => own.name !== 'as_of' && own.name in api.components.parameters;

test('every operation that follows the catalogue, and no other, takes as_of', async () => {
    for (const { path: pattern, parameters, 'x-example': example } of operations()) {
        const own = parameters.find((parameter) => parameter.name === 'as_of');
        const answer = await server.get(withQuery(example, 'as_of', 'yesterday'), { headers: { accept: 'application/json' } });
        assert.equal(answer.status === 400 && answer.json.parameter === 'as_of', own !== undefined, pattern);
        if (own) assert.deepEqual([own.in, own.schema], ['query', { type: 'string', format: 'date' }], pattern);
    }
});

test('parameters of every operation take good values and refuse bad ones', async () => {
    let asked = 0;
    for (const operation of operations()) {
        const ranking = operation.path === '/' || operation.path.startsWith('/best/{') ? (await server.get(`${operation['x-example']}?format=json`)).json : null;
        const criteria = ranking?.criteria.map((criterion) => `w.${criterion.attribute}`);
        const base = operation['x-example'].split('?')[0];
        const step = process.env.API_ALL ? 1 : (STEPS[operation.path] ?? 12);
        const shown = operation.parameters.filter((own, index) => own.in === 'query' && (!isCondition(own) || index % step === 0));
        for (const parameter of shown) {
            if (criteria && parameter.name.startsWith('w.') && !criteria.includes(parameter.name)) {
                isProblem(await server.get(withQuery(base, parameter.name, '1')), 400, `${base} ${parameter.name}`);
                continue;
            }
            const inJson = criteria && parameter.name !== 'format' ? `${base}?format=json` : base; // the whole page takes long to draw
            const beside = TOGETHER[parameter.name] ?? (parameter.name === 'url' ? undefined : ALWAYS[operation.path]);
            const start = beside ? `${base}?${beside}` : inJson;
            for (const value of TOGETHER[parameter.name] === null ? [] : (GOOD[parameter.name] ?? goodValues(parameter))) {
                const target = withQuery(start, parameter.name, value);
                const answer = await server.get(target);
                asked += 1;
                if (answer.status === 301 && operation.responses['301']) {
                    continue;
                }
                holds(operation, answer, target);
            }
            for (const value of badValues(parameter)) {
                const target = withQuery(start, parameter.name, value);
                isProblem(await server.get(target), REFUSED[`${operation.path} ${parameter.name}`] ?? 400, target);
                asked += 1;
            }
        }
    }
    assert.ok(asked > 800, `${asked} requests`);
});

test('an unknown name in a path is a 404, an unknown parameter of a question a 400', async () => {
    for (const operation of operations()) {
        if (operation.path.includes('{')) {
            const target = operation.path.replace(/\{[^}]*\}/g, 'nobody-here');
            isProblem(await server.get(target, { headers: { accept: 'application/json' } }), 404, target);
        }
        if (operation.tags[0] === 'Questions' && operation.parameters.length > 3) {
            isProblem(await server.get(withQuery(operation.path, 'isolatoin', 'x')), 400, operation.path);
        }
        if (operation.responses['406']) {
            isProblem(await server.get(operation['x-example'], { headers: { accept: 'image/png, text/html;q=0, application/json;q=0, text/csv;q=0, */*;q=0' } }), 406, operation.path);
        }
    }
});

test('the page for people has every operation and attribute', async () => {
    const { text } = await server.get('/data/api/');
    for (const { operationId, path: pattern } of operations()) {
        assert.ok(text.includes(`<h3 id="${operationId}"><code>${pattern.replace('&', '&amp;')}</code></h3>`), operationId);
    }
    const { attributes } = (await server.get('/data/attributes.json')).json;
    for (const { key, filterable } of attributes) {
        assert.equal(text.includes(`<th scope="row"><code>${key}</code></th>`), filterable, key);
    }
});

test('a message of /mcp has its schema, and the example is answered as the document says', async () => {
    const { requestBody, responses } = api.paths['/mcp'].post;
    const { schema, example } = requestBody.content['application/json'];
    assert.ok(ajv.validate(schema, example) && !ajv.validate(schema, { method: 'ping' }));
    const answer = await server.get('/mcp', { method: 'POST', headers: { 'content-type': 'application/json', accept: 'application/json' }, body: JSON.stringify(example) });
    assert.equal(answer.status, 200, answer.text);
    assert.ok(ajv.validate(responses['200'].content['application/json'].schema, answer.json));
    assert.ok(answer.json.result.tools.length > 0);
});

test('every address names in Link its other forms, what describes it, and its licence', async () => {
    const parse = (field) => [...(field ?? '').matchAll(/<([^>]*)>; rel="([^"]*)"(?:; type="([^"]*)")?/g)].map(([, href, rel, type]) => ({ href, rel, type }));
    let seen = 0;
    for (const operation of operations()) {
        const { content } = operation.responses['200'];
        const answer = await server.get(operation['x-example'], { headers: { accept: 'application/json, */*;q=0.1' } });
        if (answer.headers.get('cache-control') === 'no-store') {
            continue; // of the running server, not of the catalogue
        }
        seen++;
        const links = parse(answer.headers.get('link'));
        const with_ = (rel) => links.filter((link) => link.rel === rel);
        assert.ok(with_('license').length > 0, operation.path);
        const type = answer.headers.get('content-type').split(';')[0];
        if (content[type]?.schema.$ref) {
            assert.ok(with_('describedby').some(({ href }) => href === content[type].schema.$ref), operation.path);
        }
        if (content['text/markdown'] && content['text/html']) {
            assert.ok([...with_('alternate'), ...with_('canonical')].some((link) => link.type === 'text/markdown'), operation.path);
        }
        for (const link of with_('alternate')) {
            const other = await server.get(link.href);
            assert.deepEqual([other.status, other.headers.get('content-type').split(';')[0]], [200, link.type], `${operation.path} ${link.href}`);
        }
    }
    assert.ok(seen > 40);
});

test('the versions of the interface are those of the changelog', async () => {
    const { text } = await server.get('/data/api/');
    const versions = [...text.slice(text.indexOf('id="changelog"')).matchAll(/<li><b>([\d.]+)<\/b>/g)].map(([, version]) => version);
    assert.equal(versions[0], api.info.version);
    const changes = await fs.readFile(path.join(TOP, 'CHANGELOG.md'), 'utf8');
    assert.deepEqual([...changes.matchAll(/\binterface ([\d.]+)/g)].map(([, version]) => version), versions);
});
