// serve --surrogate-keys: what caches in front are told of the edition of an answer.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { run, startServer } from './harness.mjs';

const OLD = 1_700_000_000;
let folder, file, server;
before(async () => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'surrogate-'));
    file = path.join(folder, 'catalogue.db');
    assert.equal((await run(['build', '--out', file])).code, 0);
    fs.utimesSync(file, OLD, OLD);
    server = await startServer({ args: ['--db', file, '--surrogate-keys'] });
});
after(async () => {
    await server?.stop();
    fs.rmSync(folder, { recursive: true, force: true });
});

const marks = async (target, from = server, headers = {}) => {
    const answer = await from.fetch(target, { headers });
    await answer.arrayBuffer();
    return { status: answer.status, key: answer.headers.get('surrogate-key'), order: answer.headers.get('surrogate-order') };
};

test('nothing is told unless it is asked for', async () => {
    const plain = await startServer();
    assert.deepEqual(await marks('/', plain), { status: 200, key: null, order: null });
    await plain.stop();
});

test('every answer names the edition: pages, data, past days, redirects, not modified, not found', async () => {
    const { key, order } = await marks('/');
    assert.match(key, /^[0-9a-f]{12}-\d{5}-[0-9a-f]+$/);
    assert.match(order, /^\d{15}$/);
    const etag = (await server.fetch('/about/')).headers.get('etag');
    for (const [target, status, headers] of [
        ['/data/providers.json', 200], ['/compare?gpu=true', 200], ['/about.md', 200], ['/?as_of=2026-11-30', 200], ['/about', 301], ['/nowhere/', 404],
        ['/about/', 304, { 'if-none-match': etag }],
    ]) {
        assert.deepEqual(await marks(target, server, headers), { status, key, order }, target);
    }
});

test('another replica with the same file says the same', async () => {
    const copy = path.join(folder, 'copy.db');
    execFileSync('cp', ['-p', file, copy]);
    const other = await startServer({ args: ['--db', copy, '--surrogate-keys'] });
    assert.deepEqual(await marks('/', other), await marks('/'));
    await other.stop();
});

test('a newer catalogue has another key and a larger order, also where both are older than the program', async () => {
    const before = await marks('/');
    const next = path.join(folder, 'next.db');
    fs.copyFileSync(file, next);
    execFileSync('sqlite3', [next, "UPDATE provider SET name = 'E2B again' WHERE slug = 'e2b'"]);
    fs.utimesSync(next, OLD + 1, OLD + 1);
    const from = server.log.length;
    fs.renameSync(next, file);
    await server.logged('catalogue_loaded', { from });
    const after = await marks('/');
    assert.notEqual(after.key, before.key);
    assert.ok(Number(after.order) > Number(before.order), `${after.order} after ${before.order}`);
});
