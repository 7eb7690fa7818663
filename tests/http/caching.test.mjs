// Entity tags, conditional requests, codings, HEAD and Vary (RFC 9110).
import assert from 'node:assert/strict';
import http from 'node:http';
import zlib from 'node:zlib';
import { after, before, test } from 'node:test';
import { startServer } from './harness.mjs';

let server;
let uncached;
before(async () => {
    server = await startServer();
    uncached = await startServer({ args: ['--cache-bytes', '0'] });
});
after(async () => {
    await server?.stop();
    await uncached?.stop();
});

const TARGET = '/data/providers/e2b.json';

/** A request without fetch's own decoding: status, headers and bytes as they came. */
function plain(from, target, headers = {}, method = 'GET') {
    return new Promise((resolve, reject) => {
        const request = http.request({ host: from.host, port: from.port, path: target, method, headers }, (answer) => {
            const chunks = [];
            answer.on('data', (chunk) => chunks.push(chunk));
            answer.on('end', () => resolve({ status: answer.statusCode, headers: answer.headers, bytes: Buffer.concat(chunks) }));
        });
        request.on('error', reject);
        request.end();
    });
}

test('an entity tag is strong, stable, and leads to 304', async () => {
    const first = await plain(server, TARGET);
    const second = await plain(server, TARGET);
    assert.match(first.headers.etag, /^"[^"]+"$/);
    assert.equal(second.headers.etag, first.headers.etag);
    assert.deepEqual(second.bytes, first.bytes);
    for (const sent of [first.headers.etag, `"x", ${first.headers.etag}`, `W/${first.headers.etag}`, '*']) {
        const again = await plain(server, TARGET, { 'if-none-match': sent });
        assert.equal(again.status, 304, sent);
        assert.equal(again.bytes.length, 0);
        assert.equal(again.headers.etag, first.headers.etag);
        assert.equal(again.headers.vary, first.headers.vary);
        assert.equal(again.headers['cache-control'], first.headers['cache-control']);
    }
    assert.equal((await plain(server, TARGET, { 'if-none-match': '"other"' })).status, 200);
});

test('If-Modified-Since counts only without If-None-Match', async () => {
    const { headers } = await plain(server, TARGET);
    const since = headers['last-modified'];
    assert.ok(!Number.isNaN(Date.parse(since)));
    assert.equal((await plain(server, TARGET, { 'if-modified-since': since })).status, 304);
    assert.equal((await plain(server, TARGET, { 'if-modified-since': 'Thu, 01 Jan 2015 00:00:00 GMT' })).status, 200);
    assert.equal((await plain(server, TARGET, { 'if-modified-since': 'yesterday' })).status, 200);
    assert.equal((await plain(server, TARGET, { 'if-modified-since': since, 'if-none-match': '"other"' })).status, 200);
});

test('every coding decodes to the same bytes and has a tag of its own', async () => {
    const identity = await plain(server, TARGET);
    assert.equal(identity.headers['content-encoding'], undefined);
    assert.match(identity.headers.vary, /Accept-Encoding/);
    const decoders = { gzip: zlib.gunzipSync, br: zlib.brotliDecompressSync };
    const tags = new Set([identity.headers.etag]);
    for (const [coding, decode] of Object.entries(decoders)) {
        const coded = await plain(server, TARGET, { 'accept-encoding': coding });
        assert.equal(coded.headers['content-encoding'], coding);
        assert.deepEqual(decode(coded.bytes), identity.bytes);
        assert.ok(coded.bytes.length < identity.bytes.length / 3, `${coding} saves too little`);
        tags.add(coded.headers.etag);
        assert.equal((await plain(server, TARGET, { 'accept-encoding': coding, 'if-none-match': coded.headers.etag })).status, 304);
    }
    assert.equal(tags.size, 3);
});

test('q-values of codings are honoured', async () => {
    const coding = async (accept) => (await plain(server, TARGET, { 'accept-encoding': accept })).headers['content-encoding'];
    assert.equal(await coding('gzip;q=0'), undefined);
    assert.equal(await coding('br;q=0.1, gzip;q=0.9'), 'gzip');
    assert.equal(await coding('gzip, deflate, br'), 'br');
    assert.equal(await coding('identity'), undefined);
    assert.equal(await coding('*;q=0'), undefined);
    assert.equal(await coding('nonsense'), undefined);
});

test('HEAD has the headers of GET and no body', async () => {
    for (const target of [TARGET, '/site.css', '/robots.txt']) {
        const get = await plain(server, target);
        const head = await plain(server, target, {}, 'HEAD');
        assert.equal(head.status, 200);
        assert.equal(head.bytes.length, 0);
        for (const name of ['content-length', 'content-type', 'etag', 'last-modified', 'vary', 'cache-control']) {
            assert.equal(head.headers[name], get.headers[name], `${name} of ${target}`);
        }
    }
});

test('liveness is never kept', async () => {
    const answer = await plain(server, '/healthz');
    assert.equal(answer.headers['cache-control'], 'no-store');
    assert.equal(answer.headers.etag, undefined);
});

test('with the cache off every answer is the same', async () => {
    for (const target of [TARGET, '/data/providers.json', '/site.css', '/sandboxes/e2b/']) {
        const [kept, made] = [await plain(server, target), await plain(uncached, target)];
        const [again, remade] = [await plain(server, target), await plain(uncached, target)];
        assert.equal(kept.headers.etag, made.headers.etag, target);
        assert.equal(again.headers.etag, remade.headers.etag, target);
    }
});

test('a flood of distinct addresses leaves the server well', async () => {
    for (let i = 0; i < 300; i++) {
        await plain(server, `/nothing/${i}`);
    }
    assert.equal((await plain(server, TARGET)).status, 200);
});
