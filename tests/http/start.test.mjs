// The program starts, answers and ends as a service should. This also shows that the harness works.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { patience, run, startServer } from './harness.mjs';

let server;
before(async () => {
    server = await startServer();
});
after(() => server?.stop());

test('it says where it listens', async () => {
    const line = await server.logged('listening');
    assert.match(line.address, /^127\.0\.0\.1:[1-9]\d*$/);
});

test('it is alive and ready', async () => {
    for (const target of ['/healthz', '/readyz']) {
        assert.equal((await server.get(target)).status, 200, target);
    }
});

test('bytes that are no request are refused and the connection closed', async () => {
    const answer = await server.raw('\x16\x03\x01 no HTTP\r\n\r\n');
    assert.match(answer.text, /^HTTP\/1\.[01] 4\d\d /);
    assert.ok(answer.closed);
});

test('a keep-alive connection answers twice', async () => {
    const request = 'GET /healthz HTTP/1.1\r\nHost: a\r\n';
    const answer = await server.raw(`${request}\r\n${request}Connection: close\r\n\r\n`);
    assert.equal(answer.text.match(/HTTP\/1\.1 200 /g)?.length, 2, answer.text);
    assert.ok(answer.closed);
});

test('the health check agrees', async () => {
    const alive = await run(['healthcheck', '--address', `127.0.0.1:${server.port}`]);
    assert.equal(alive.code, 0, alive.stderr);
    const dead = await run(['healthcheck', '--address', '127.0.0.1:1']);
    assert.equal(dead.code, 1);
});

test('SIGTERM ends an idle server at once, with exit code 0', async () => {
    const own = await startServer();
    const begin = Date.now();
    await own.stop();
    assert.ok(Date.now() - begin < patience(5000));
});

test('a port in use is one clear line and exit code 1', async () => {
    for (const address of ['127.0.0.1', '127.0.0.1:', '127.0.0.1:x', '127.0.0.1:65536', '127.0.0.1:-1', `${'1'.repeat(90)}:80`]) {
        const wrong = await run(['serve', '--listen', address]);
        assert.equal(wrong.code, 1, address);
        assert.match(wrong.stderr, /the listen address "[^"]+" is not ADDRESS:PORT/);
    }
    const second = await run(['serve', '--listen', `127.0.0.1:${server.port}`]);
    assert.equal(second.code, 1);
    assert.equal(second.stderr.trim().split('\n').length, 1, second.stderr);
    assert.match(second.stderr, new RegExp(String(server.port)));
});
