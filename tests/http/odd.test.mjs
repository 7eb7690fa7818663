// Odd requests: random and mutated paths, queries and headers against every route. Never a 5xx, never silence, always a 4xx that helps.
// ODD_SEED repeats or varies a run, ODD_TIMES lengthens it.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { patience, startServer, TOP } from './harness.mjs';

const SEED = Number(process.env.ODD_SEED ?? 20261130);
const TIMES = Number(process.env.ODD_TIMES ?? 1);
const SLOW_MILLISECONDS = patience(10_000); // a busy machine

/** A small generator of random numbers that a seed repeats (mulberry32). */
function generator(seed) {
    let state = seed >>> 0;
    const next = () => {
        state = (state + 0x6d2b79f5) >>> 0;
        let t = Math.imul(state ^ (state >>> 15), state | 1);
        t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
        return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
    };
    const below = (count) => Math.floor(next() * count);
    return { below, pick: (list) => list[below(list.length)], chance: (share) => next() < share };
}

const PATTERNS = [...fs.readFileSync(path.join(TOP, 'src/route/table.c'), 'utf8').matchAll(/^ {4}\{"([^"]+)"/gm)].map((match) => match[1]);

const SLUGS = ['e2b', 'modal', 'daytona', 'nobody', 'E2B', 'e2b%2F', 'agent-sandbox', 'microvm', 'not-found', 'untrusted-code', 'agent-sandbox-security', '-', '%00', '..', '%2e%2e', 'a'.repeat(300)];

const OWN_KEYS = [
    'q', 'status', 'stage', 'kind', 'use_case', 'sort', 'columns', 'providers', 'limit', 'offset', 'format', 'page', 'provider', 'fact', 'w.gpu',
    'w.max_vcpu', 'w.', 'w.nothing', 'must.gpu', 'prefer.isolation', 'avoid.gpu', 'must.', 'sandboxes', 'hours', 'active', 'paused', 'runs', 'vcpu',
    'memory_gib', 'storage_gib', 'gpu', 'gpu_hours', 'utm_source', 'ref', 'isolation__', '__gte', 'isolation__all__not', '', '%00', '%F0%9F%92%A5', '__proto__',
];
const SUFFIXES = ['', '', '', '__all', '__not', '__gte', '__lte', '__GTE', '__', '__x'];
const PREFIXES = ['', '', '', '', 'must.', 'prefer.', 'avoid.', 'w.'];

const VALUES = [
    '', '0', '1', '-1', '-0', '+1', '00', '1.5', '1e3', '1e999', '-1e999', '1e-999', 'NaN', 'nan', 'inf', '-Infinity', '0x10', '1_000', '1,000', '9223372036854775807',
    '9223372036854775808', '-9223372036854775808', '18446744073709551616', '340282366920938463463374607431768211456', '4294967295', '4294967296', '2147483648',
    '0.' + '0'.repeat(300) + '1', '9'.repeat(400), '1' + '0'.repeat(30) + '.5', '.5', '5.', '.', '1..2', '24h', '1d', '7dd', 'h', '99999999999999999999d', '-5m', 'unlimited', 'unlimitedh',
    'true', 'false', 'yes', 'unknown', 'none', 'any', 'null', 'undefined', 'microvm', 'microvm,gvisor', 'microvm,unknown', ',', ',,,', 'e2b', 'e2b,modal', 'e2b,e2b,e2b',
    'e2b:isolation', 'e2b/none:isolation', ':', '/', 'name', '-name', '--name', '-max_vcpu', 'html', 'json', 'csv', 'markdown', 'xml', 'overall', 'untrusted-code', 'h100', 'docs',
    '%', '%%', '%2', '%zz', '%u0041', '%00', '%0d%0aX-Odd:%201', '%C0%AF', '%FF%FE', '%ED%A0%80', '%F4%90%80%80', '%EF%BF%BF', '%E2%80%AE', '%F0%9F%A4%96', '%2525', '+', '%20', '%2B',
    '%3Cscript%3Ealert(1)%3C/script%3E', '%22%20onload%3Dx', '%7B%7Bx%7D%7D', '%27%20OR%201%3D1--', '%22AND%22', 'NEAR(a%20b)', 'a*', '*', '%5E', 'title:%20x', 'a%20OR', '(((((', '%5B%5D',
    'a'.repeat(201), '%F0%9F%A4%96'.repeat(60), 'a+'.repeat(40), '%CC%81'.repeat(80), '{}', '[]', '"',
];

const ACCEPTS = [
    undefined, undefined, '*/*', 'text/html', 'application/json', 'text/csv', 'text/markdown', 'text/*', 'text/html;q=0', '*/*;q=0', 'text/html;q=1e9', 'text/html;q=-1', 'text/html;q=', ';', ',,,',
    'text/html;level=1;q=0.5,application/json;q=0.50001', '/'.repeat(500), 'text/html;q="0.5', 'a/b,'.repeat(300), '\xff\xfe', 'application/problem+json', 'image/*', 'text/html;charset="x\\"y"',
];
const ENCODINGS = [undefined, undefined, 'gzip', 'br', 'zstd', 'identity;q=0', '*;q=0', 'gzip;q=nan', 'br;q=1.0000001', ',', 'x'.repeat(400), 'gzip, gzip, gzip', '*'];
const CONDITIONS = [undefined, undefined, undefined, '*', '"x"', 'W/"', '"', '""', 'W/"a", "b', ','.repeat(200)];
const DATES = [undefined, undefined, undefined, 'Thu, 01 Jan 1970 00:00:00 GMT', 'Fri, 31 Dec 9999 23:59:59 GMT', 'Fri, 99 Foo 99999 99:99:99 GMT', 'yesterday', '-1', '0'];

let server;
let keys;
let agent;
before(async () => {
    server = await startServer();
    agent = new http.Agent({ keepAlive: true, maxSockets: 4 });
    const { json } = await server.get('/compare?no_such_thing=1');
    assert.equal(json.status, 400);
    keys = json.allowed;
    assert.ok(keys.length > 30, 'a refusal names the parameters that there are');
});
after(async () => {
    agent?.destroy();
    await server?.stop();
});

/** A GET of these bytes as they are; refuses to wait longer than SLOW_MILLISECONDS. */
function get(target, headers) {
    return new Promise((resolve, reject) => {
        const request = http.request({ agent, host: server.host, port: server.port, path: target, headers, timeout: SLOW_MILLISECONDS }, (answer) => {
            const chunks = [];
            answer.on('data', (chunk) => chunks.push(chunk));
            answer.on('end', () => resolve({ status: answer.statusCode, headers: answer.headers, body: Buffer.concat(chunks) }));
            answer.on('error', reject);
        });
        request.on('timeout', () => request.destroy(new Error('no answer in time')));
        request.on('error', reject);
        request.end();
    });
}

/** What is said where a request is too large for the library: a status, and no more than the library's own words. */
const isCut = ({ status, headers }) => (status === 414 || status === 431) && headers['content-type'] === undefined;

/** A problem that helps: it says what is wrong, in the form that was asked for. */
function assertHelps({ headers, body }, about) {
    const text = body.toString();
    if (/^text\/html/.test(headers['content-type'])) {
        assert.match(text, /<h1[ >][^]*<p[ >]/, about);
        return;
    }
    assert.match(headers['content-type'], /^application\/problem\+json/, about);
    const problem = JSON.parse(text);
    assert.ok(problem.title.length > 3 && problem.detail.length > 10, `${about}: ${text}`);
}

async function check(target, headers = {}) {
    const about = `seed ${SEED}: ${target} ${JSON.stringify(headers)}`;
    let answer;
    try {
        answer = await get(target, headers);
    } catch (error) {
        throw new Error(`${about}: ${error.message}`, { cause: error });
    }
    assert.ok(answer.status < 500, `${about}: ${answer.status} ${answer.body.toString().slice(0, 300)}`);
    assert.equal(answer.headers['x-odd'], undefined, about);
    if (answer.status >= 400 && answer.headers['content-encoding'] === undefined && !isCut(answer)) {
        assertHelps(answer, about);
    }
    return answer.status;
}

const fill = (pattern, random) => pattern.replace(/\{[^}]*\}/g, () => random.pick(SLUGS));

function mutate(text, random) {
    const at = random.below(text.length + 1);
    const piece = random.pick(['/', '//', '.', '..', '%', '%2F', '%2e', '%00', '%5C', '\\', ';', '?', '&', '=', '\xff', '\x7f', '~', '{', '-vs-', 'A', '%E2%80%AE', '+', '"', "'", '<', '|', '^', '#']);
    return random.chance(0.3) ? text.slice(0, at) + text.slice(at + 1 + random.below(3)) : text.slice(0, at) + piece + text.slice(at);
}

function query(random) {
    const pairs = [];
    for (let count = random.below(4) + (random.chance(0.03) ? 99 : 1); count > 0; count--) {
        const key = random.pick(PREFIXES) + (random.chance(0.6) ? random.pick(keys) : random.pick(OWN_KEYS)) + random.pick(SUFFIXES);
        const pair = random.chance(0.05) ? key : `${key}=${random.pick(VALUES)}${random.chance(0.1) ? `,${random.pick(VALUES)}` : ''}`;
        pairs.push(pair, ...(random.chance(0.08) ? [pair] : []));
    }
    return pairs.join(random.chance(0.03) ? ';' : '&');
}

function someHeaders(random) {
    const headers = {
        Accept: random.pick(ACCEPTS), 'Accept-Encoding': random.pick(ENCODINGS), 'If-None-Match': random.pick(CONDITIONS), 'If-Modified-Since': random.pick(DATES),
    };
    return Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined));
}

async function repeat(count, seed, one) {
    let left = count * TIMES;
    const statuses = new Map();
    const worker = async (number) => {
        const random = generator(seed + number);
        while (left-- > 0) {
            const status = await one(random);
            statuses.set(status, (statuses.get(status) ?? 0) + 1);
        }
    };
    await Promise.all([0, 1, 2, 3].map(worker));
    return statuses;
}

test('every odd value of every parameter of a route, one at a time', async () => {
    const alone = [
        ['/cost', ['sandboxes', 'hours', 'active', 'paused', 'runs', 'vcpu', 'memory_gib', 'storage_gib', 'gpu', 'gpu_hours']],
        ['/compare', ['q', 'status', 'stage', 'kind', 'use_case', 'sort', 'columns', 'providers', 'limit', 'offset', 'max_vcpu__gte', 'max_session__lte', 'price_vcpu_hour__lte']],
        ['/match', ['must.gpu', 'prefer.max_vcpu__gte', 'avoid.isolation']],
        ['/', ['w.gpu']],
        ['/search', ['q']],
        ['/sources/', ['provider', 'kind', 'page']],
        ['/changes/', ['provider']],
        ['/corrections/', ['fact']],
    ];
    for (const [route, names] of alone) {
        for (const name of names) {
            await Promise.all(VALUES.map((value) => check(`${route}?${name}=${value}`, { Accept: 'application/json' })));
        }
    }
});

test('random queries on every route', async () => {
    const statuses = await repeat(1500, SEED, (random) => {
        const route = fill(random.pick(PATTERNS), random).replace(/%00|\.\./g, 'x');
        return check(`${route}?${query(random)}`.slice(0, 4000), someHeaders(random));
    });
    assert.ok(statuses.get(200) > 10 && statuses.get(400) > 100, JSON.stringify([...statuses]));
});

test('mutated paths and queries', async () => {
    const statuses = await repeat(600, SEED + 100, (random) => {
        let target = fill(random.pick(PATTERNS), random) + (random.chance(0.3) ? `?${query(random)}` : '');
        for (let count = 1 + random.below(3); count > 0; count--) {
            target = mutate(target, random);
        }
        target = target.replace(/[\x00-\x20]/g, '');
        return check(target.startsWith('/') ? target : `/${target}`, someHeaders(random));
    });
    assert.ok(statuses.get(404) > 20, JSON.stringify([...statuses]));
});

test('mutated request heads on raw sockets', async () => {
    const heads = [
        'GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
        'GET /compare?gpu=true HTTP/1.1\r\nHost: x\r\nAccept: text/csv\r\nConnection: close\r\n\r\n',
        'HEAD /sandboxes/e2b/ HTTP/1.1\r\nHost: x\r\nAccept-Encoding: br\r\nIf-None-Match: "a"\r\nConnection: close\r\n\r\n',
        'OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
        'POST /cost HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nConnection: close\r\n\r\nabc',
        'GET http://x/cost?hours=1 HTTP/1.0\r\n\r\n',
        'PUT /compare/e2b-vs-modal/ HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n1\r\na\r\n0\r\n\r\n',
    ];
    const statuses = await repeat(200, SEED + 200, async (random) => {
        const bytes = Buffer.from(random.pick(heads), 'latin1');
        for (let count = random.below(4); count > 0; count--) {
            bytes[random.below(bytes.length)] = random.chance(0.5) ? random.below(256) : random.pick([0, 9, 10, 13, 32, 58, 37, 47, 63]);
        }
        const { text } = await server.raw(bytes, { halfClose: true, milliseconds: SLOW_MILLISECONDS });
        const status = /^HTTP\/1\.[01] (\d{3}) /.exec(text)?.[1];
        const about = `seed ${SEED}: ${JSON.stringify(bytes.toString('latin1'))}: ${text.slice(0, 200)}`;
        // A head that the library cannot read may be answered by closing; a version it does not speak is a 505.
        assert.ok(text === '' || status !== undefined, about);
        assert.ok(status === undefined || Number(status) < 500 || status === '505', about);
        return status;
    });
    assert.ok(statuses.get('200') > 5, JSON.stringify([...statuses]));
});

test('a head of any size is answered', async () => {
    const silent = [];
    const shapes = {
        header: (n) => ['/cost', `X-A: ${'a'.repeat(n)}\r\n`],
        headers: (n) => ['/cost', 'A: b\r\n'.repeat(n / 6)],
        cookies: (n) => ['/cost', `Cookie: ${'a=b;'.repeat(n / 6)}\r\n`],
        page: (n) => ['/about/', `X-A: ${'a'.repeat(n)}\r\n`],
        target: (n) => [`/cost?${'a'.repeat(n)}`, ''],
        pairs: (n) => [`/about/?${'a&'.repeat(Math.min(n / 16, 99))}`, `X-A: ${'a'.repeat(n / 2)}\r\n`],
        redirect: (n) => [`/about?q=${'a'.repeat(Math.min(4000, n / 2))}`, `X-A: ${'a'.repeat(n / 2)}\r\n`],
    };
    for (const [name, make] of Object.entries(shapes)) {
        const sizes = Array.from({ length: 75 }, (_, i) => 3000 + i * 120);
        await Promise.all(sizes.map(async (n) => {
            const [target, fields] = make(n);
            const { text } = await server.raw(`GET ${target} HTTP/1.1\r\nHost: x\r\n${fields}Connection: close\r\n\r\n`, { milliseconds: patience(20_000) });
            if (!/^HTTP\/1\.1 (200|301|400|414|431) /.test(text)) {
                silent.push(`${name} ${n}: ${text.slice(0, 40)}`);
            }
        }));
    }
    assert.deepEqual(silent, []);
});

test('after all of it the server is well', async () => {
    assert.equal((await server.get('/healthz')).status, 200);
    const failures = server.log.filter((entry) => entry.event === 'request_failed' || entry.event === 'raw');
    assert.deepEqual(failures, []);
});
