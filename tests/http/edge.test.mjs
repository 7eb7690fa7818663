// The edge: deadlines, limits, proxies, framing byte by byte, security headers, and the listener for the operator.
import assert from 'node:assert/strict';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { after, before, test } from 'node:test';
import { patience, run, startServer } from './harness.mjs';

const get = (target, headers = '') => `GET ${target} HTTP/1.1\r\nHost: a\r\n${headers}\r\n`;
const NEXT = get('/healthz');

let server; // with short deadlines and a listener for the operator
before(async () => {
    server = await startServer({ args: ['--head-seconds', '2', '--admin', '127.0.0.1:0', '--trusted-proxies', '127.0.0.1,10.0.0.0/8'] });
});
after(() => server?.stop());

async function admin(target, options, of = server) {
    const { admin: address } = await of.logged('listening');
    const answer = await fetch(`http://${address}${target}`, options);
    return { status: answer.status, type: answer.headers.get('content-type'), text: await answer.text() };
}

async function metric(name, of = server) {
    const { text } = await admin('/metrics', {}, of);
    const line = text.split('\n').find((one) => one.startsWith(`agent_sandboxes_${name} `));
    assert.ok(line, `no metric ${name}:\n${text}`);
    return Number(line.split(' ').at(-1));
}

/** Sends the pieces one after the other, and reads until the server closes; answers { text, closed, milliseconds }. */
function drip(to, pieces, { pause, milliseconds = patience(15_000) }) {
    return new Promise((resolve) => {
        const begin = Date.now();
        const socket = net.connect({ host: to.host, port: to.port, noDelay: true });
        let text = '';
        let over = false;
        const finish = (closed) => {
            over = true;
            clearTimeout(timer);
            socket.destroy();
            resolve({ text, closed, milliseconds: Date.now() - begin });
        };
        const timer = setTimeout(() => finish(false), milliseconds);
        socket.on('data', (chunk) => (text += chunk.toString('latin1')));
        socket.on('close', () => over || finish(true));
        socket.on('error', () => over || finish(true));
        socket.on('connect', async () => {
            for (const piece of pieces) {
                if (over) {
                    return;
                }
                socket.write(Buffer.from(piece, 'latin1'));
                await (pause === 0 ? new Promise(setImmediate) : sleep(pause));
            }
        });
    });
}

test('a head that drips is cut at its deadline, however lively the drip', async () => {
    const before = await metric('http_cut_total{reason="head"}');
    const shapes = {
        'the request line': [...'GET /'.padEnd(500, 'a')],
        'headers': ['GET / HTTP/1.1\r\nHost: a\r\n', ...Array(500).fill('X: 1\r\n')],
        'one header': ['GET / HTTP/1.1\r\nHost: a\r\nX: ', ...Array(500).fill('b')],
        'a body': ['POST /mcp HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n', ...Array(400).fill(' ')],
        'nothing at all': [],
        'a second head': [get('/healthz'), ...[...'GET /'.padEnd(800, 'a')]],
    };
    const answers = await Promise.all(Object.entries(shapes).map(async ([name, pieces]) => [name, await drip(server, pieces, { pause: 40, milliseconds: patience(25_000) })]));
    for (const [name, answer] of answers) {
        assert.ok(answer.closed, `${name}: still open after ${answer.milliseconds} ms`);
        assert.match(answer.text, /HTTP\/1\.1 408 /, name);
        const most = patience(name === 'a second head' ? 22_000 : 9_000);
        assert.ok(answer.milliseconds > 1500 && answer.milliseconds < most, `${name}: ${answer.milliseconds} ms`);
    }
    assert.ok((await metric('http_cut_total{reason="head"}')) >= before + answers.length);
});

test('a request that comes byte by byte, within its time, is answered as one that comes whole', async () => {
    const calm = await startServer();
    const requests = [
        [get('/healthz', 'Connection: close\r\n'), /^HTTP\/1\.1 200 /],
        ['GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n', /^HTTP\/1\.1 400 /],
        ['GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nContent-Length: 3\r\n\r\nabc', /^HTTP\/1\.1 400 /],
        ['GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n', /^HTTP\/1\.1 400 /],
        ['POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n', /^HTTP\/1\.1 400 /],
        ['GET / HTTP/1.1\r\nHost: a\r\nContent-Length : 3\r\n\r\nabc', /^HTTP\/1\.1 400 /],
        ['GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc', /^HTTP\/1\.1 413 /],
        ['GET /%zz HTTP/1.1\r\nHost: a\r\n\r\n', /^HTTP\/1\.1 400 /],
        ['GET /a b HTTP/1.1\r\nHost: a\r\n\r\n', /^HTTP\/1\.1 (4\d\d|505) /],
    ];
    for (const [request, status] of requests) {
        for (const [how, pieces] of [['whole', [request + NEXT]], ['byte by byte', [...(request + NEXT)]], ['cut in the middle', [request.slice(0, request.length / 2), request.slice(request.length / 2) + NEXT]]]) {
            const answer = await drip(calm, pieces, { pause: how === 'whole' ? 0 : 1 });
            assert.match(answer.text, status, `${how}: ${JSON.stringify(request)}`);
            assert.ok(answer.closed, `${how}: ${JSON.stringify(request)} left the connection open`);
            const statuses = answer.text.match(/HTTP\/1\.[01] \d{3} /g);
            assert.equal(new Set(statuses).size, 1, `${how}: bytes behind a refusal were answered: ${answer.text}`);
        }
    }
    await calm.stop();
});

test('pipelined requests are answered in order until one is refused, and nothing behind that one', async () => {
    const answer = await server.raw(NEXT + NEXT + get('/%zz') + NEXT + NEXT);
    assert.deepEqual(answer.text.match(/HTTP\/1\.1 \d{3}/g), ['HTTP/1.1 200', 'HTTP/1.1 200', 'HTTP/1.1 400']);
    assert.ok(answer.closed);
});

test('the limits of head, target and body hold as they are set', async () => {
    const small = await startServer({ args: ['--target-bytes', '300', '--body-bytes', '100', '--head-bytes', '4096'] });
    assert.equal((await small.get('/healthz')).status, 200);
    assert.match((await small.raw(get(`/compare?q=${'a'.repeat(280)}`, 'Connection: close\r\n'))).text, /^HTTP\/1\.1 200 /);
    assert.match((await small.raw(get(`/compare?q=${'a'.repeat(301)}`) + NEXT)).text, /^HTTP\/1\.1 414 [^]*"status": 414(?![^]*HTTP\/1)/);
    assert.match((await small.raw(get('/', `X: ${'a'.repeat(4000)}\r\n`) + NEXT)).text, /^HTTP\/1\.1 431 /);
    const post = (length) => `POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n${'x'.repeat(length)}`;
    assert.match((await small.raw(post(101) + NEXT)).text, /^HTTP\/1\.1 413 (?![^]*HTTP\/1)/);
    assert.match((await small.raw(post(100), { until: 'jsonrpc' })).text, /^HTTP\/1\.1 400 /);
    await small.stop();
});

test('an address has its share of connections, and a connection given back counts no more', async () => {
    const narrow = await startServer({ args: ['--address-connections', '5', '--admin', '127.0.0.1:0'] });
    const open = (localAddress) =>
        new Promise((resolve) => {
            const socket = net.connect({ host: narrow.host, port: narrow.port, localAddress });
            const timer = setTimeout(() => resolve({ socket, kept: true }), 700);
            socket.on('error', () => {});
            socket.on('close', () => {
                clearTimeout(timer);
                resolve({ socket, kept: false });
            });
        });
    await sleep(200); // the harness's own connection is idle and counts
    const held = await Promise.all(Array.from({ length: 12 }, () => open('127.0.0.2')));
    assert.equal(held.filter(({ kept }) => kept).length, 5);
    assert.equal((await narrow.get('/healthz')).status, 200, 'another address has its own share');
    held.forEach(({ socket }) => socket.destroy());
    await sleep(patience(300));
    const again = await open('127.0.0.2');
    assert.ok(again.kept);
    again.socket.destroy();
    await narrow.stop();
});

test('all connections together have a limit, and the waiting one is served when another goes', async () => {
    const narrow = await startServer({ args: ['--connections', '8', '--workers', '1', '--head-seconds', '1'] });
    const sockets = Array.from({ length: 20 }, () => net.connect({ host: narrow.host, port: narrow.port }).on('error', () => {}));
    await sleep(200);
    const answer = await narrow.raw(get('/healthz', 'Connection: close\r\n'), { milliseconds: patience(12_000) });
    assert.match(answer.text, /^HTTP\/1\.1 200 /, 'those that hold connections and say nothing are cut, and the next is served');
    sockets.forEach((socket) => socket.destroy());
    await narrow.stop();
});

test('a client that asks too often is told when to come back; others are not', async () => {
    const strict = await startServer({ args: ['--rate', '2', '--burst', '6', '--trusted-proxies', '127.0.0.1'] });
    const ask = (client) => strict.raw(get('/healthz', `X-Forwarded-For: ${client}\r\nConnection: close\r\n`));
    const answers = [];
    for (let i = 0; i < 12; i++) {
        answers.push((await ask('192.0.2.1')).text);
    }
    const refused = answers.filter((text) => text.startsWith('HTTP/1.1 429 '));
    assert.ok(refused.length >= 3 && answers[0].startsWith('HTTP/1.1 200 '), answers.map((text) => text.slice(9, 12)).join());
    assert.match(refused[0], /\r\nRetry-After: 1\r\n[^]*"status": 429/);
    assert.match((await ask('192.0.2.2')).text, /^HTTP\/1\.1 200 /);
    for (let i = 0; i < 12; i++) {
        // One subscriber of IPv6 has a whole /64.
        answers.push((await ask(`2001:db8::${i}`)).text);
    }
    assert.ok(answers.slice(12).some((text) => text.startsWith('HTTP/1.1 429 ')));
    assert.match((await ask('2001:db8:0:1::1')).text, /^HTTP\/1\.1 200 /);
    await sleep(1200);
    assert.match((await ask('192.0.2.1')).text, /^HTTP\/1\.1 200 /);
    await strict.stop();
});

test('a forwarded address is believed from a trusted proxy only, and read from its end', async () => {
    const seen = async (to, headers) => {
        const from = to.log.length;
        const target = `/healthz?${Math.random()}`;
        await to.raw(get(target, `${headers}Connection: close\r\n`));
        return (await to.logged('request', { from, test: (entry) => entry.target === target })).client;
    };
    const cases = [
        ['', '127.0.0.1'],
        ['X-Forwarded-For: 192.0.2.7\r\n', '192.0.2.7'],
        ['X-Forwarded-For: 198.51.100.1, 192.0.2.7\r\n', '192.0.2.7'],
        ['X-Forwarded-For: 198.51.100.1, 192.0.2.7, 10.1.2.3\r\n', '192.0.2.7'],
        ['X-Forwarded-For: 198.51.100.1\r\nX-Forwarded-For: 192.0.2.7 , 10.1.2.3:8080\r\n', '192.0.2.7'],
        ['X-Forwarded-For: 192.0.2.7\r\nX-Forwarded-For: 10.9.9.9\r\n', '192.0.2.7'],
        ['X-Forwarded-For: [2001:db8::1]:443\r\n', '2001:db8::1'],
        ['X-Forwarded-For: 192.0.2.7, nonsense\r\n', '127.0.0.1'],
        ['X-Forwarded-For: 192.0.2.7, \r\n', '127.0.0.1'],
        ['X-Forwarded-For: 10.0.0.1, 10.0.0.2\r\n', '10.0.0.1'],
    ];
    for (const [headers, client] of cases) {
        assert.equal(await seen(server, headers), client, headers);
    }
    const standard = await startServer({ args: ['--trusted-proxies', '127.0.0.1,10.0.0.0/8', '--proxy-field', 'forwarded'] });
    for (const [headers, client] of [
        ['Forwarded: for=192.0.2.7;proto=https;by=203.0.113.43\r\n', '192.0.2.7'],
        ['Forwarded: for=198.51.100.1, For="192.0.2.7:4711"\r\n', '192.0.2.7'],
        ['Forwarded: proto=http; for="[2001:db8::1]:443", for=10.1.2.3\r\n', '2001:db8::1'],
        ['Forwarded: for=192.0.2.7\r\nForwarded: for=10.9.9.9\r\n', '192.0.2.7'],
        ['Forwarded: for=_hidden\r\n', '127.0.0.1'],
        ['Forwarded: for=unknown\r\n', '127.0.0.1'],
        ['Forwarded: proto=https\r\n', '127.0.0.1'],
        ['Forwarded: for=\r\n', '127.0.0.1'],
        ['Forwarded: for="\r\n', '127.0.0.1'],
        ['X-Forwarded-For: 192.0.2.7\r\n', '127.0.0.1'],
    ]) {
        assert.equal(await seen(standard, headers), client, headers);
    }
    await standard.stop();
    assert.equal(await seen(server, 'Forwarded: for=192.0.2.7\r\n'), '127.0.0.1', 'a field that the proxy does not write may be the client\'s own');
    const plain = await startServer();
    assert.equal(await seen(plain, 'X-Forwarded-For: 192.0.2.7\r\nX-Request-Id: forged\r\n'), '127.0.0.1');
    assert.ok(!plain.log.some((entry) => entry.id === 'forged'));
    await plain.stop();
    const wrong = await run(['serve', '--listen', '127.0.0.1:0', '--trusted-proxies', '10.0.0.0/33']);
    assert.equal(wrong.code, 1);
    assert.match(wrong.stderr, /10\.0\.0\.0\/33/);
});

test('a problem names its request as the log does', async () => {
    const own = await server.get('/no-such-page');
    const id = own.headers.get('x-request-id');
    assert.match(id, /^[0-9a-f]+-[0-9a-f]+$/);
    await server.logged('request', { test: (entry) => entry.id === id });
    const given = await server.get('/no-such-page', { headers: { 'x-request-id': 'trace-42' } });
    assert.equal(given.headers.get('x-request-id'), 'trace-42');
    const odd = await server.get('/no-such-page', { headers: { 'x-request-id': 'a b"c' } });
    assert.notEqual(odd.headers.get('x-request-id'), 'a b"c');
    assert.equal((await server.get('/data/providers.json')).headers.get('x-request-id'), null, 'what caches may keep names no request');
});

test('every answer carries its security headers', async () => {
    const html = { accept: 'text/html' };
    for (const [target, options] of [['/', { headers: html }], ['/no-such-page', { headers: html }], ['/data/providers.json', {}], ['/compare?format=csv', {}], ['/site.css', {}], ['/no-such-page', {}], ['/compare/?format=json', { method: 'DELETE' }]]) {
        const { headers } = await server.get(target, options);
        const policy = headers.get('content-security-policy');
        assert.match(policy, /^default-src 'none';/, target);
        assert.match(policy, /frame-ancestors 'none'/, target);
        assert.doesNotMatch(policy, /unsafe|\*|data:|https?:/, target);
        assert.equal(headers.get('x-content-type-options'), 'nosniff', target);
        assert.equal(headers.get('referrer-policy'), 'strict-origin-when-cross-origin', target);
        assert.match(headers.get('cross-origin-resource-policy'), /^(same|cross)-origin$/, target);
        assert.equal(headers.get('strict-transport-security'), null, target);
        assert.equal(headers.get('server'), null, target);
        if (/^text\/html/.test(headers.get('content-type'))) {
            assert.match(policy, /script-src 'self';[^]*require-trusted-types-for 'script'/, target);
            assert.equal(headers.get('cross-origin-opener-policy'), 'same-origin', target);
            assert.match(headers.get('permissions-policy'), /camera=\(\)/, target);
        }
    }
    const secure = await startServer({ args: ['--hsts', '31536000'] });
    assert.equal((await secure.get('/')).headers.get('strict-transport-security'), 'max-age=31536000; includeSubDomains');
    assert.equal((await secure.get('/%zz')).headers.get('strict-transport-security'), 'max-age=31536000; includeSubDomains');
    await secure.stop();
});

test('metrics and health have a listener of their own, and the public port has no metrics', async () => {
    assert.equal((await server.get('/metrics')).status, 404);
    assert.deepEqual(await admin('/healthz'), { status: 200, type: 'text/plain; charset=utf-8', text: 'ok\n' });
    assert.equal((await admin('/readyz')).text, 'ready\n');
    assert.equal((await admin('/else')).status, 404);
    assert.equal((await admin('/metrics', { method: 'POST' })).status, 405);
    const answer = await admin('/metrics');
    assert.match(answer.type, /^text\/plain; version=0\.0\.4/);
    const typed = new Map();
    for (const line of answer.text.trimEnd().split('\n')) {
        const type = /^# TYPE (\S+) (counter|gauge|histogram)$/.exec(line);
        if (type) {
            assert.ok(!typed.has(type[1]), `${type[1]} is named twice`);
            typed.set(type[1], type[2]);
        } else if (!line.startsWith('# HELP ')) {
            const sample = /^([a-z_]+)(\{[a-z]+="[^"\\\n]*"\})? -?\d+(\.\d+)?$/.exec(line);
            assert.ok(sample, line);
            assert.ok(typed.has(sample[1].replace(/_(bucket|sum|count)$/, '')) || typed.has(sample[1]), `${line} has no type`);
        }
    }
    const counted = await metric('http_answers_total{class="2xx"}');
    await server.get('/healthz');
    await server.get('/data/providers.json');
    await server.get('/data/providers.json');
    await sleep(100);
    assert.ok((await metric('http_answers_total{class="2xx"}')) >= counted + 3);
    assert.ok((await metric('cache_hits_total')) >= 1);
    assert.ok((await metric('cache_entries')) >= 1);
    assert.ok((await metric('process_resident_memory_bytes')) > 1e6);
    const { generation } = (await server.get('/data/providers.json')).json;
    assert.match(answer.text, new RegExp(`catalogue_generation_info\\{id="${generation.slice(0, 12)}"\\} 1`));
    const loads = await metric('catalogue_loads_total{result="served"}');
    server.signal('SIGHUP');
    await server.logged('catalogue_loaded');
    assert.equal(await metric('catalogue_loads_total{result="served"}'), loads + 1);
});

test('a past day adds to what the caches hold; a new catalogue lets it go, and has the present anew', async () => {
    const one = await startServer({ args: ['--workers', '1', '--admin', '127.0.0.1:0'] });
    const held = async () => [await metric('cache_entries', one), await metric('cache_bytes', one)];
    const { first_day: day } = (await one.get('/about/?as_of=no-day')).json;
    for (const target of ['/', '/about/', '/compare', '/data/providers.json']) {
        await one.get(target);
    }
    const [entries, bytes] = await held();
    assert.ok(entries >= 4 && bytes > 1000);
    assert.equal((await one.get(`/about/?as_of=${day}`)).status, 200);
    const [more, larger] = await held();
    assert.ok(more === entries + 1 && larger > bytes);
    const from = one.log.length;
    one.signal('SIGHUP');
    await one.logged('catalogue_loaded', { from });
    await one.get('/healthz'); // a worker turns to the new catalogue with its next request
    const patience = Date.now() + 10_000; // the catalogue before is let go of within a second or two
    while ((await held())[0] > entries && Date.now() < patience) {
        await sleep(100);
    }
    assert.deepEqual(await held(), [entries, bytes]);
    await one.stop();
});

test('log levels leave out what is below them', async () => {
    const quiet = await startServer({ args: ['--log-level', 'info'] });
    await quiet.get('/healthz');
    await quiet.logged('request');
    await quiet.stop();
    const { code, stderr } = await run(['serve', '--log-level', 'loud']);
    assert.equal(code, 2);
    assert.match(stderr, /error, warn, info or debug/);
});
