// Malformed and hostile bytes: a 4xx and a closed connection, and what was sent behind them is never answered.
import assert from 'node:assert/strict';
import net from 'node:net';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { patience, startServer } from './harness.mjs';

let server;
before(async () => {
    server = await startServer();
});
after(() => server?.stop());

const NEXT = 'GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n';

/** Sends a request with another right behind it, and expects one refusal, a 4xx, 501 or 505, and the end. */
async function refused(request, name, status = /^HTTP\/1\.[01] (4\d\d|50[15]) /) {
    const answer = await server.raw(request + NEXT);
    assert.match(answer.text, status, `${name}: ${answer.text.slice(0, 200)}`);
    assert.ok(answer.closed, `${name}: the connection stayed open`);
    // libmicrohttpd 0.9.75 sends the head of some of its own refusals twice; what matters is that nothing behind them is answered.
    const statuses = new Set(answer.text.match(/HTTP\/1\.[01] \d{3} /g));
    assert.equal(statuses.size, 1, `${name}: bytes behind a refusal were answered: ${answer.text}`);
    assert.equal((await server.get('/healthz')).status, 200, `${name}: the server is not well afterwards`);
}

const get = (target, headers = '') => `GET ${target} HTTP/1.1\r\nHost: a\r\n${headers}\r\n`;

test('framing that a proxy may read otherwise is refused', async () => {
    const cases = {
        'Host twice': 'GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n',
        'no Host': 'GET / HTTP/1.1\r\n\r\n',
        'length and chunked': get('/', 'Content-Length: 3\r\nTransfer-Encoding: chunked\r\n') + '0\r\n\r\n',
        'chunked and length': get('/', 'Transfer-Encoding: chunked\r\nContent-Length: 3\r\n') + '0\r\n\r\n',
        'two lengths': get('/', 'Content-Length: 3\r\nContent-Length: 4\r\n') + 'abc',
        'equal lengths': get('/', 'Content-Length: 3\r\nContent-Length: 3\r\n') + 'abc',
        'a list of lengths': get('/', 'Content-Length: 3, 3\r\n') + 'abc',
        'a signed length': get('/', 'Content-Length: +3\r\n') + 'abc',
        'a negative length': get('/', 'Content-Length: -1\r\n'),
        'a hexadecimal length': get('/', 'Content-Length: 0x3\r\n') + 'abc',
        'a blank before the colon': get('/', 'Content-Length : 3\r\n') + 'abc',
        'chunked alone': get('/', 'Transfer-Encoding: chunked\r\n') + '0\r\n\r\n',
        'an unknown coding': get('/', 'Transfer-Encoding: cow\r\n'),
        'a body on GET': get('/', 'Content-Length: 3\r\n') + 'abc',
        'a body on HEAD': 'HEAD / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc',
        'a body on DELETE': 'DELETE / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc',
        'a header name with a blank': get('/', 'X y: 1\r\n'),
        'a header without a colon': get('/', 'nonsense\r\n'),
        'a header without a name': get('/', ': 3\r\n'),
        'a header that goes on': get('/', 'X: a\r\n b\r\n'),
        'a header that goes on, the last': 'GET / HTTP/1.1\r\nHost: a\r\n\tb\r\n\r\n',
        'a coding in the next line': get('/', 'Transfer-Encoding:\r\n chunked\r\n') + '0\r\n\r\n',
        'a length in the next line': 'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length:\r\n 5\r\nX: 1\r\n\r\nhello',
        'a NUL in a length': 'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\x005\r\nX: 1\r\n\r\nhello',
        'a NUL in the last header': 'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\x005\r\n\r\nhello',
        'a NUL in the target': 'GET /\x00a HTTP/1.1\r\nHost: a\r\n\r\n',
        'a lone CR in a header': get('/', 'X: a\rContent-Length: 3\r\n'),
        'a CR too many': get('/', 'X: a\r\r\n'),
        'a lone LF behind the request line': 'GET / HTTP/1.1\nHost: a\r\n\r\n',
        'a lone LF behind a header': get('/', 'X: a\nY: b\r\n'),
        'a lone LF behind the last header': 'GET / HTTP/1.1\r\nHost: a\n\r\n',
        'lone LFs': 'GET / HTTP/1.1\nHost: a\n\n',
        'an odd Host': 'GET / HTTP/1.1\r\nHost: a/b@c\r\n\r\n',
        'a blank in Host': 'GET / HTTP/1.1\r\nHost: a b\r\n\r\n',
        'a version of the future': 'GET / HTTP/2.0\r\nHost: a\r\n\r\n',
        'a blank in the target': 'GET /a b HTTP/1.1\r\nHost: a\r\n\r\n',
        'no version': 'GET /\r\nHost: a\r\n\r\n',
    };
    for (const [name, request] of Object.entries(cases)) {
        await refused(request, name);
    }
});

test('what is only unusual is answered', async () => {
    const cases = {
        'no blanks around values': 'GET /healthz HTTP/1.1\r\nHost:a\r\nX:b\r\nConnection:close\r\n\r\n',
        'blanks around values': 'GET /healthz HTTP/1.1\r\nHost: \t a\r\nX: b \t \r\nY:\r\nConnection: close\r\n\r\n',
        'an address as Host': 'GET /healthz HTTP/1.1\r\nHost: [2001:db8::1]:8080\r\nConnection: close\r\n\r\n',
        'an empty Host': 'GET /healthz HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n',
        'HTTP/1.0 without headers': 'GET /healthz HTTP/1.0\r\n\r\n',
        'a query': get('/healthz?a=b&c=d', 'Connection: close\r\n'),
        'empty lines before': `\r\n\r\n${get('/healthz', 'Connection: close\r\n')}`,
        'long headers': get('/healthz', `${`X: ${'a'.repeat(900)}\r\n`.repeat(7)}Connection: close\r\n`),
        'many headers': get('/healthz', `${'X: a\r\n'.repeat(60)}Connection: close\r\n`),
    };
    for (const [name, request] of Object.entries(cases)) {
        const cut = Math.floor(request.length / 2);
        for (const pieces of [[request], [request.slice(0, cut), request.slice(cut)], ['POST /mcp HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc' + request]]) {
            const socket = net.connect({ host: server.host, port: server.port, noDelay: true });
            let text = '';
            const ended = new Promise((resolve) => socket.on('data', (chunk) => (text += chunk.toString('latin1'))).on('close', resolve).on('error', resolve));
            for (const piece of pieces) {
                socket.write(Buffer.from(piece, 'latin1'));
                await sleep(20);
            }
            await ended;
            assert.match(text, /HTTP\/1\.[01] 200 OK\r\n[^]*\r\n\r\nok\n$/, `${name}: ${text}`);
        }
    }
});

test('an over-long target and over-long headers are refused', async () => {
    await refused(get('/' + 'a'.repeat(9000)), 'target of 9,000 bytes');
    await refused(get('/compare?q=' + 'a'.repeat(100_000)), 'target of 100,000 bytes');
    await refused(get('/', `X-Long: ${'a'.repeat(40_000)}\r\n`), 'a header of 40,000 bytes');
    await refused(get('/', 'X-Many: 1\r\n'.repeat(5000)), '5,000 headers');
});

test('targets that are not strictly encoded are refused', async () => {
    const targets = {
        'a bad escape': '/%zz',
        'a cut escape': '/sandboxes/%2',
        'NUL': '/sandboxes/e2b%00.json',
        'a control character': '/sandboxes/%0d%0aX:1',
        'an encoded slash': '/sandboxes%2fe2b/',
        'an encoded backslash': '/sandboxes/%5c..%5c',
        'dot segments': '/sandboxes/../data/providers.json',
        'encoded dot segments': '/%2e%2e/%2e%2e/etc/passwd',
        'an empty segment': '//sandboxes/',
        'invalid UTF-8': '/%ff%fe',
        'an overlong form': '/%c0%af',
        'a surrogate': '/%ed%a0%80',
        'NUL in the query': '/compare?q=%00',
        'invalid UTF-8 in the query': '/compare?q=%ff',
        'a control byte': '/\x01',
        'absolute form': 'http://elsewhere/sandboxes/',
        'asterisk form': '*',
        'no slash': 'sandboxes/',
    };
    for (const [name, target] of Object.entries(targets)) {
        await refused(`GET ${target} HTTP/1.1\r\nHost: a\r\n\r\n`, name);
    }
});

test('too many pairs in a query are refused at once', async () => {
    for (const pairs of [101, 150, 300, 900]) {
        const answer = await server.raw(get('/compare?' + 'a=1&'.repeat(pairs)));
        assert.match(answer.text, /^HTTP\/1\.1 4\d\d /, `${pairs} pairs`);
        assert.ok(answer.closed && answer.milliseconds < patience(5000), `${pairs} pairs: the client was left waiting`);
    }
});

test('methods: 405 names those that are allowed, and unknown ones are no server error', async () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
        const answer = await server.get('/data/providers.json', { method });
        assert.equal(answer.status, 405, method);
        assert.equal(answer.headers.get('allow'), 'GET, HEAD', method);
        assert.equal(answer.json.type, '/problems/method-not-allowed');
    }
    // A browser asks first whether a script of another site may send fields that need leave.
    const headers = { origin: 'https://elsewhere.example', 'access-control-request-method': 'GET', 'access-control-request-headers': 'if-none-match' };
    for (const target of ['/data/providers.json', '/compare?gpu=true', '/about/']) {
        const answer = await server.fetch(target, { method: 'OPTIONS', headers });
        assert.deepEqual([answer.status, await answer.text()], [204, ''], target);
        assert.equal(answer.headers.get('access-control-allow-origin'), '*');
        assert.equal(answer.headers.get('access-control-allow-methods'), 'GET, HEAD');
        assert.match(answer.headers.get('access-control-allow-headers'), /\bIf-None-Match\b/);
        assert.equal(answer.headers.get('x-content-type-options'), 'nosniff');
    }
    for (const method of ['get', 'BREW', 'TRACE']) {
        const answer = await server.raw(`${method} /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
        assert.match(answer.text, /^HTTP\/1\.1 (405|501) /, method);
    }
});

test('a problem has its own media type, or is a page for a browser', async () => {
    const script = await server.get('/no/such/page');
    assert.equal(script.status, 404);
    assert.equal(script.headers.get('content-type'), 'application/problem+json');
    assert.equal(script.json.status, 404);
    const browser = await server.get('/no/such/page', { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } });
    assert.equal(browser.status, 404);
    assert.match(browser.headers.get('content-type'), /^text\/html/);
    assert.match(browser.text, /<h1>Not found<\/h1>/);
});

test('a hostile path is shown as text', async () => {
    const answer = await server.get('/%3Cscript%3Ealert(1)%3C%2Fscript%3E'.replace('%2F', ''), { headers: { accept: 'text/html' } });
    assert.equal(answer.status, 404);
    assert.doesNotMatch(answer.text, /<script>alert/);
});

test('a client that sends half a request and goes does no harm', async () => {
    for (let i = 0; i < 20; i++) {
        await server.raw('GET /data/provid', { halfClose: true, milliseconds: 200 });
    }
    assert.equal((await server.get('/healthz')).status, 200);
});
