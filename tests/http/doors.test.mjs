// Every row of the route table is asked, and bad input at each door gets the right error on a connection that goes on.
import assert from 'node:assert/strict';
import fs from 'node:fs/promises';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { patience, startServer, TOP } from './harness.mjs';

let server;
let api;
before(async () => {
    server = await startServer();
    api = (await server.get('/openapi.json')).json;
});
after(() => server?.stop());

const JSON_TYPE = { 'Content-Type': 'application/json' };
const message = (method, params) => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });

// Rows that /openapi.json gives no example of: how they are asked instead.
const OWN = {
    '/mcp': ['/mcp', { method: 'POST', headers: JSON_TYPE, body: message('tools/list') }],
    '/{file...}': ['/site.css', {}],
};

test('every row of the route table has an example, and it is answered', async (t) => {
    const table = await fs.readFile(path.join(TOP, 'src/route/table.c'), 'utf8');
    const rows = [...table.matchAll(/^ {4}\{"([^"]+)", (READ|METHOD_\w+)/gm)].map((match) => match[1]);
    assert.equal(rows.length, table.match(/\.summary =/g).length);
    for (const row of rows) {
        await t.test(row, async () => {
            const [target, options] = OWN[row] ?? [api.paths[row]?.get?.['x-example'], {}];
            assert.ok(target && !target.includes('{'), 'give the row an .example');
            const answer = await server.fetch(target, options);
            assert.equal(answer.status, 200);
            assert.ok((await answer.arrayBuffer()).byteLength > 0);
        });
    }
});

/** A request as bytes for one connection; all but the last keep it. */
function wire(target, { method = 'GET', headers = {}, body } = {}) {
    const fields = { Host: 'localhost', ...(body !== undefined && { 'Content-Length': Buffer.byteLength(body) }), ...headers };
    return `${method} ${target} HTTP/1.1\r\n${Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body ?? ''}`;
}

test('bad input is refused, one after the other on the same connection', async () => {
    const deep = `${'{"a":'.repeat(100)}1${'}'.repeat(100)}`;
    const requests = [
        ['/compare?isolatoin=microvm', {}, 400],
        ['/compare?isolation=paper', {}, 400],
        ['/compare?limit=many&format=csv', {}, 400],
        ['/match?must.gpu=perhaps', {}, 400],
        ['/cost?hours=-1', {}, 400],
        ['/about/?format=pdf', {}, 400],
        ['/sandboxes/nobody/', {}, 404],
        ['/sandboxes/nobody.md', {}, 404],
        ['/data/providers/nobody.json', {}, 404],
        ['/compare', { method: 'POST', headers: JSON_TYPE, body: '{"isolation":"microvm"}' }, 405],
        ['/mcp', {}, 405],
        ['/mcp', { method: 'DELETE' }, 405],
        ['/', { headers: { Accept: 'image/png, */*;q=0' } }, 406],
        ['/compare', { headers: { Accept: 'application/json;q=0, text/html;q=0, text/csv;q=0, text/markdown;q=0' } }, 406],
        ['/data/facts.json', { headers: { Range: 'bytes=99999999-' } }, 416],
        ['/data/sources.csv', { headers: { Range: 'bytes=-0' } }, 416],
        ['/data/glossary.json', { headers: { Range: 'bytes=9-1' } }, 200],
        ['/data/glossary.json', { headers: { Range: 'cats=1-2' } }, 200],
        ['/mcp', { method: 'POST', headers: JSON_TYPE, body: '{"jsonrpc":' }, 400],
        ['/mcp', { method: 'POST', headers: JSON_TYPE, body: message('ping', { deep: JSON.parse(deep) }) }, 400],
        ['/mcp', { method: 'POST', headers: JSON_TYPE, body: `[${message('ping')}]` }, 400],
        ['/mcp', { method: 'POST', headers: { 'Content-Type': 'text/plain' }, body: message('ping') }, 415],
        ['/mcp', { method: 'POST', headers: { ...JSON_TYPE, Accept: '*/*;q=0' }, body: message('ping') }, 406],
        ['/mcp', { method: 'POST', headers: { ...JSON_TYPE, Origin: 'https://evil.example' }, body: message('ping') }, 403],
        ['/mcp', { method: 'POST', headers: JSON_TYPE, body: message('tools/call', { name: 'no_such_tool' }) }, 200],
        ['/mcp', { method: 'POST', headers: JSON_TYPE, body: message('tools/call', { name: 'get_provider', arguments: { slug: 5 } }) }, 200],
        ['/mcp', { method: 'POST', headers: JSON_TYPE, body: message('ping') }, 200],
        ['/healthz', { headers: { Connection: 'close' } }, 200],
    ];
    const { text } = await server.raw(requests.map(([target, options]) => wire(target, options)).join(''), { milliseconds: patience(20_000) });
    const seen = [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map((match) => Number(match[1]));
    assert.deepEqual(seen.map((status, index) => [requests[index]?.[0], status]), requests.map(([target, , status]) => [target, status]));
    const types = new Set([...text.matchAll(/"type": "(\/problems\/[^"]*)"/g)].map((match) => match[1]));
    assert.ok(types.size >= 5, [...types].join(' '));
    for (const type of types) {
        const page = await server.fetch(type, { headers: { accept: 'text/html' } });
        assert.deepEqual([type, page.status, page.headers.get('content-type')], [type, 200, 'text/html; charset=utf-8']);
    }
});

test('Accept: 406 only where nothing fits; an address with one form answers it to everybody', async () => {
    for (const accept of ['image/png', 'application/json;q=0', 'text/html']) {
        for (const target of ['/data/facts.csv', '/data/attributes.json', '/llms.txt', '/sitemap.xml', '/data/catalogue.sqlite', '/openapi.json']) {
            assert.equal((await server.fetch(target, { headers: { accept } })).status, 200, `${target} ${accept}`);
        }
    }
    for (const [accept, status, type] of [
        ['image/png', 200, 'text/html; charset=utf-8'], // names no form at all, and refuses none
        ['image/png, */*;q=0', 406, 'application/problem+json'],
        ['application/json;q=0, text/html;q=0, text/markdown;q=0', 406, 'application/problem+json'],
        ['image/png, */*;q=0.1', 200, 'text/html; charset=utf-8'],
        ['image/png, text/*;q=0.1', 200, 'text/html; charset=utf-8'],
        ['image/png, application/json;q=0.001', 200, 'application/json'],
        ['text/html;q=0, text/markdown', 200, 'text/markdown; charset=utf-8'],
        ['nonsense', 200, 'text/html; charset=utf-8'],
        ['', 200, 'text/html; charset=utf-8'],
    ]) {
        const answer = await server.fetch('/best/', { headers: { accept } });
        assert.deepEqual([accept, answer.status, answer.headers.get('content-type')], [accept, status, type]);
    }
});

test('the package and the sums are hashed ahead: nobody waits for them', async () => {
    const own = await startServer({ args: ['--log-level', 'debug'] });
    try {
        await own.logged('warm');
        const ticks = async () => (await fs.readFile(`/proc/${own.pid}/stat`, 'utf8')).split(') ')[1].split(' ').slice(11, 13).reduce((sum, field) => sum + Number(field), 0);
        const start = await ticks();
        assert.equal((await own.get('/data/datapackage.json')).status, 200);
        assert.equal((await own.get('/data/SHA256SUMS')).status, 200);
        const spent = (await ticks()) - start; // hundredths of a second of the processor; making the hashes takes about forty
        assert.ok(spent < 20, `${spent}`);
    } finally {
        await own.stop();
    }
});
