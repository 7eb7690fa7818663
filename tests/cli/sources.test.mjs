// sources check against a server of its own that plays every case. Nothing here leaves the machine.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { createServer as createSocketServer } from 'node:net';
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { PROGRAM, TOP, catalogue, expect, path, patience, program, sql } from './tools.mjs';

const today = new Date().toISOString().slice(0, 10);
const WORDS = 'the quick brown fox jumps over 13 lazy dogs today';
const sha256 = (text) => createHash('sha256').update(text).digest('hex');
const PASSAGE = '<p>The <b>quick</b>, brown&nbsp;fox &mdash; jumps over 13 lazy&#32;DOGS today!</p>';
const filler = 'lorem ipsum dolor sit amet '.repeat(30);
const html = (body, head = '') => `<!doctype html><html><head><title>Page</title>${head}</head><body>${filler}${body}${filler}</body></html>`;

let server;
let robots;
const asked = []; // { host, path, headers, at, done }
const open = new Map(); // host: requests under way
let most = 0; // requests under way at one host at once

function page(response, body = html(PASSAGE), type = 'text/html; charset=utf-8', more = {}) {
    response.writeHead(200, { 'content-type': type, ...more });
    response.end(body);
}
const status = (code, more = {}) => (request, response) => {
    response.writeHead(code, { 'content-type': 'text/html', ...more });
    response.end(html('An error, it says.'));
};
const redirect = (code, to) => status(code, { location: to });
const bomb = gzipSync(Buffer.alloc(5_000_000));
const counts = {};
const nth = (request) => (counts[request.url] = (counts[request.url] ?? 0) + 1);

const pages = {
    '/passage': (request, response) => page(response),
    '/no-passage': (request, response) => page(response, html('<p>The quick brown cat sleeps.</p>')),
    '/in-script': (request, response) => page(response, html(`<script>var a = "${WORDS}";</script><style>${WORDS}</style><!-- ${WORDS} -->`)),
    '/in-attribute': (request, response) => page(response, html(`<img alt="${WORDS}">`)),
    '/script-only': (request, response) => page(response, '<!doctype html><title>App</title><script src=app.js></script>'),
    '/moved-passage': (request, response) => page(response, html('', `<style>p { color: red }</style>`) + `<ul><li>THE QUICK<li>brown fox<br>jumps over <code>1</code><code>3</code> la<i>zy</i> dogs</ul><p>today`),
    '/plain': (request, response) => page(response, `# Title\n\n${WORDS.toUpperCase()}.\n`, 'text/markdown'),
    '/none': (request, response) => page(response),
    '/moved': redirect(301, '/passage'),
    '/moved-308-twice': redirect(308, '/moved'),
    '/moved-without': redirect(301, '/no-passage'),
    '/moved-gone': redirect(301, '/404'),
    '/temporary': redirect(302, '/passage'),
    '/temporary-then-moved': redirect(307, '/moved'),
    '/loop': redirect(302, '/loop'),
    '/loop-two': redirect(302, '/loop-three'),
    '/loop-three': redirect(302, '/loop-two'),
    '/to-file': redirect(302, 'file:///etc/passwd'),
    '/to-gopher': redirect(301, 'gopher://127.0.0.1:70/'),
    '/to-user': (request, response) => redirect(302, `http://a:b@${request.headers.host}/passage`)(request, response),
    '/to-private': (request, response) => redirect(302, `http://${request.headers.host.replace('127.0.0.1', '127.0.0.2')}/passage`)(request, response),
    '/to-metadata': redirect(302, 'http://169.254.169.254/latest/meta-data/'),
    '/to-nothing': (request, response) => {
        response.writeHead(302);
        response.end();
    },
    '/404': status(404),
    '/410': status(410),
    '/401': status(401, { 'www-authenticate': 'Basic realm="x"' }),
    '/403': status(403),
    '/451': status(451),
    '/418': status(418),
    '/429-once': (request, response) => (nth(request) === 1 ? status(429, { 'retry-after': '1' })(request, response) : page(response)),
    '/429-long': status(429, { 'retry-after': '86400' }),
    '/429-ever': status(429),
    '/500-once': (request, response) => (nth(request) === 1 ? status(500)(request, response) : page(response)),
    '/503-ever': status(503),
    '/reset-once': (request, response) => (nth(request) === 1 ? request.socket.resetAndDestroy() : page(response)),
    '/reset-ever': (request) => request.socket.resetAndDestroy(),
    '/reset-midway': (request, response) => {
        response.writeHead(200, { 'content-type': 'text/html', 'content-length': 100000 });
        response.write(html(PASSAGE));
        setTimeout(() => request.socket.resetAndDestroy(), 20);
    },
    '/drip': (request, response) => {
        response.writeHead(200, { 'content-type': 'text/html' });
        const timer = setInterval(() => response.write('<p>a'), 50);
        response.on('close', () => clearInterval(timer));
    },
    '/silent': () => {},
    '/endless': (request, response) => {
        response.writeHead(200, { 'content-type': 'text/html' });
        const more = () => {
            while (!response.destroyed && response.write('lorem ipsum '.repeat(1000)));
        };
        response.on('drain', more);
        more();
    },
    '/huge': (request, response) => page(response, Buffer.alloc(300000, 'word ')),
    '/huge-declared': (request, response) => {
        response.writeHead(200, { 'content-type': 'text/html', 'content-length': String(2 ** 40) });
        response.write('a');
    },
    '/bomb': (request, response) => page(response, bomb, 'text/html', { 'content-encoding': 'gzip' }),
    '/headers': (request, response) => {
        request.socket.write('HTTP/1.1 200 OK\r\n');
        const timer = setInterval(() => request.socket.write(`x-a: ${'b'.repeat(20000)}\r\n`), 1);
        request.socket.on('close', () => clearInterval(timer));
        request.socket.on('error', () => {});
    },
    '/pdf': (request, response) => page(response, `%PDF-1.7\n${WORDS}`, 'application/pdf'),
    '/pdf-as-text': (request, response) => page(response, `%PDF-1.7\n${WORDS}`, 'text/plain'),
    '/image': (request, response) => page(response, Buffer.from([0x89, 0x50, 0x4e, 0x47]), 'image/png'),
    '/gzip': (request, response) => page(response, gzipSync(html(PASSAGE)), 'text/html', { 'content-encoding': 'gzip' }),
    '/bad-gzip': (request, response) => page(response, 'this is no gzip', 'text/html', { 'content-encoding': 'gzip' }),
    '/unknown-coding': (request, response) => page(response, 'abc', 'text/html', { 'content-encoding': 'rot13' }),
    '/bad-utf8': (request, response) => page(response, Buffer.concat([Buffer.from([0xff, 0xc0, 0x80, 0xed, 0xa0, 0x80]), Buffer.from(html(`${PASSAGE}\0\x01`)), Buffer.from([0xe2])])),
    '/utf16': (request, response) => page(response, Buffer.from(`\ufeff${html(PASSAGE)}`, 'utf16le')),
    '/no-type': (request, response) => {
        response.writeHead(200);
        response.end(html(PASSAGE));
    },
    '/terminal': (request, response) => {
        request.socket.end(Buffer.from('HTTP/1.1 200 OK\r\ncontent-type: a/\x1b[31m\x9b31m\r\nconnection: close\r\n\r\nabc', 'latin1'));
    },
    '/odd-type': (request, response) => {
        request.socket.end(Buffer.from('HTTP/1.1 200 OK\r\ncontent-type: \xff\xfe\r\netag: "\xff"\r\nconnection: close\r\n\r\nabc', 'latin1'));
    },
    '/empty': (request, response) => page(response, ''),
    '/204': (request, response) => {
        response.writeHead(204);
        response.end();
    },
    '/no-http': (request) => request.socket.end('220 mail.example ESMTP\r\n'),
    '/private/page': (request, response) => page(response),
    '/private/open': (request, response) => page(response),
    '/etag': (request, response) => {
        if (request.headers['if-none-match'] === '"v1"') {
            response.writeHead(304);
            response.end();
        } else {
            page(response, html(PASSAGE), 'text/html', { etag: '"v1"' });
        }
    },
    '/modified': (request, response) => {
        if (request.headers['if-modified-since'] !== undefined) {
            response.writeHead(304);
            response.end();
        } else {
            page(response, html('nothing of it'), 'text/html', { 'last-modified': 'Mon, 30 Nov 2026 00:00:00 GMT' });
        }
    },
    '/lying-304': status(304),
};

before(async () => {
    server = createServer((request, response) => {
        const host = request.headers.host;
        const entry = { host, path: request.url, headers: request.headers, at: performance.now() };
        asked.push(entry);
        open.set(host, (open.get(host) ?? 0) + 1);
        most = Math.max(most, open.get(host));
        response.on('close', () => {
            open.set(host, open.get(host) - 1);
            entry.done = performance.now();
        });
        if (request.url === '/robots.txt') {
            robots(request, response);
        } else {
            (pages[request.url.replace(/\?.*/, '')] ?? pages['/passage'])(request, response);
        }
    });
    server.on('clientError', (error, socket) => socket.destroy());
    await new Promise((resolve) => server.listen(0, '0.0.0.0', resolve));
});
after(() => {
    server.closeAllConnections();
    server.close();
});

const base = () => `http://127.0.0.1:${server.address().port}`;
const plainRobots = (request, response) => page(response, 'User-agent: *\nDisallow: /private/\nAllow: /private/open\n', 'text/plain');

/** A catalogue file with one source for each of { id: path or address }; a path named none... has no fingerprint. */
function withSources(sources, more = '') {
    const rows = Object.entries(sources).map(([id, where]) => {
        const url = where.startsWith('/') ? base() + where : where;
        const quote = id.startsWith('none') ? 'NULL, NULL' : `10, '${sha256(WORDS)}'`;
        return `INSERT INTO source VALUES ('${id}', '${url}', 'T', 'P', 'docs', NULL, '2020-01-01', NULL, NULL, ${quote}, NULL);`;
    });
    return catalogue(`PRAGMA foreign_keys = OFF; DELETE FROM source; ${rows.join('\n')}${more}`);
}

/** Runs the command beside the server: { status, stdout, stderr, report }. */
async function check(db, ...args) {
    asked.length = 0;
    most = 0;
    const child = start(db, '--json', ...args);
    const run = { stdout: '', stderr: '' };
    child.stdout.on('data', (text) => (run.stdout += text));
    child.stderr.on('data', (text) => (run.stderr += text));
    run.status = await new Promise((resolve) => child.on('close', resolve));
    run.report = run.stdout.startsWith('{') ? JSON.parse(run.stdout) : null;
    run.of = Object.fromEntries((run.report?.sources ?? []).map((one) => [one.source, one]));
    return run;
}
const start = (db, ...args) => spawn(PROGRAM, ['sources', 'check', '--db', db, '--delay', '0.02', '--allow-private', '--timeout', '2.5', '--max-bytes', '200000', ...args], { cwd: TOP });

const cases = {
    '/passage': ['verified', 'found'],
    '/no-passage': ['changed', 'missing', /not among the page's \d+ words/],
    '/in-script': ['changed', 'missing'],
    '/in-attribute': ['changed', 'missing'],
    '/script-only': ['changed', 'missing', /only 1 words: a script may write the rest/],
    '/moved-passage': ['verified', 'found'],
    '/plain': ['verified', 'found'],
    '/none': ['reachable', 'none'],
    '/moved': ['redirected', 'found'],
    '/moved-308-twice': ['redirected', 'found'],
    '/moved-without': ['redirected', 'missing'],
    '/moved-gone': ['gone', 'unread', /404/],
    '/temporary': ['verified', 'found'],
    '/temporary-then-moved': ['verified', 'found'],
    '/loop': ['unreachable', 'unread', /more than 10 redirects/],
    '/loop-two': ['unreachable', 'unread', /more than 10 redirects/],
    '/to-file': ['unreachable', 'unread', /redirects to file:\/\/\/etc\/passwd: neither http nor https/],
    '/to-gopher': ['unreachable', 'unread', /neither http nor https/],
    '/to-user': ['unreachable', 'unread', /names a user/],
    '/to-private': ['unreachable', 'unread', /private, local or reserved/],
    '/to-metadata': ['unreachable', 'unread', /private, local or reserved/],
    '/to-nothing': ['unreachable', 'unread', /302/],
    '/404': ['gone', 'unread', /404/],
    '/410': ['gone', 'unread', /410/],
    '/401': ['blocked', 'unread', /401/],
    '/403': ['blocked', 'unread', /403/],
    '/451': ['blocked', 'unread', /451/],
    '/418': ['unreachable', 'unread', /418/],
    '/429-once': ['verified', 'found'],
    '/429-long': ['blocked', 'unread', /wait 86400 seconds/],
    '/429-ever': ['blocked', 'unread', /429/],
    '/500-once': ['verified', 'found'],
    '/503-ever': ['unreachable', 'unread', /503/],
    '/reset-once': ['verified', 'found'],
    '/reset-ever': ['unreachable', 'unread', /./],
    '/reset-midway': ['unreachable', 'unread', /./],
    '/drip': ['unreachable', 'unread', /timed? ?out/i],
    '/silent': ['unreachable', 'unread', /timed? ?out/i],
    '/endless': ['unreachable', 'unread', /too large/],
    '/huge': ['unreachable', 'unread', /too large/],
    '/huge-declared': ['unreachable', 'unread', /too large/],
    '/bomb': ['unreachable', 'unread', /too large/],
    '/headers': ['unreachable', 'unread', /too large/],
    '/pdf': ['reachable', 'unread', /application\/pdf/],
    '/pdf-as-text': ['reachable', 'unread', /no text/],
    '/image': ['reachable', 'unread', /image\/png/],
    '/gzip': ['verified', 'found'],
    '/bad-gzip': ['unreachable', 'unread', /./],
    '/unknown-coding': ['unreachable', 'unread', /./],
    '/bad-utf8': ['verified', 'found'],
    '/utf16': ['verified', 'found'],
    '/no-type': ['verified', 'found'],
    '/odd-type': ['reachable', 'unread'],
    '/terminal': ['reachable', 'unread', /^no text to look in: a\/\?\[31m\?31m$/],
    '/empty': ['changed', 'missing', /only 0 words/],
    '/204': ['unreachable', 'unread', /204/],
    '/no-http': ['unreachable', 'unread', /./],
    '/private/page': ['blocked', 'unread', /robots\.txt/],
    '/private/open': ['verified', 'found'],
    '/lying-304': ['unreachable', 'unread', /304/],
};
const idOf = (name) => (name === '/none' ? 'none' : name.slice(1).replaceAll('/', '-'));

test('every case has its one state, and only a found passage is verified', { timeout: patience(120_000) }, async () => {
    robots = plainRobots;
    // Hosts of their own for the slow ones, so that the rest need not wait.
    const slow = { '/drip': '127.0.0.3', '/silent': '127.0.0.4' };
    const addressOf = (name) => base().replace('127.0.0.1', slow[name] ?? '127.0.0.1') + name;
    const db = withSources(Object.fromEntries(Object.keys(cases).map((name) => [idOf(name), addressOf(name)])));
    const untouched = readFileSync(db);
    const run = await check(db);
    assert.equal(run.status, 1, run.stderr);
    assert.deepEqual(Object.keys(run.of).length, Object.keys(cases).length);
    for (const [name, [state, passage, reason]] of Object.entries(cases)) {
        const result = run.of[idOf(name)];
        assert.deepEqual([name, result.state, result.passage], [name, state, passage], JSON.stringify(result));
        if (reason) assert.match(result.reason ?? '', reason, name);
        assert.equal(result.moved_to, state === 'redirected' ? base() + (name === '/moved-without' ? '/no-passage' : '/passage') : null, name);
        assert.equal(result.seen_on, passage === 'found' ? today : null, name);
        assert.equal(result.url, addressOf(name));
    }
    // The sums of the report are those of its rows.
    const states = {};
    for (const result of run.report.sources) states[result.state] = (states[result.state] ?? 0) + 1;
    assert.deepEqual(Object.fromEntries(Object.entries(run.report.states).filter(([, count]) => count > 0)), Object.fromEntries(Object.entries(states)));

    // Dates and addresses are proposed only where the passage was seen.
    const set = Object.fromEntries(run.report.proposals.map((one) => [one.source, one.set]));
    for (const [name, [state, passage]] of Object.entries(cases)) {
        const expected = passage === 'found' ? { verified_on: today, ...(state === 'redirected' ? { url: `${base()}/passage` } : {}) } : {};
        assert.deepEqual(set[idOf(name)] ?? {}, expected, name);
    }
    assert.ok(readFileSync(db).equals(untouched), 'nothing is written');

    // Manners.
    assert.equal(most, 1, 'one request at a time to a host');
    assert.deepEqual(asked.filter((one) => one.host.startsWith('127.0.0.2')), [], 'a redirect to another private host is not followed');
    assert.deepEqual(asked.filter((one) => one.path === '/private/page'), [], 'robots.txt is obeyed');
    assert.equal(asked.filter((one) => one.path === '/robots.txt').length, 3);
    assert.deepEqual(asked.filter((one) => one.path === '/robots.txt' && asked.indexOf(one) !== asked.findIndex((other) => other.host === one.host)), [], 'it comes first at each host');
    for (const { headers } of asked) {
        assert.match(headers['user-agent'], /^agent-sandboxes-sources\/\d/);
        assert.deepEqual([headers.cookie, headers.authorization, headers.referer], [undefined, undefined, undefined]);
    }
    const tries = (name) => asked.filter((one) => one.path === name);
    for (const [name, count] of [['/503-ever', 4], ['/429-ever', 4], ['/429-long', 1], ['/410', 1], ['/403', 1], ['/500-once', 2], ['/drip', 4], ['/huge', 1], ['/bad-gzip', 1]]) {
        assert.equal(tries(name).length, count, name);
    }
    const waits = tries('/503-ever').map((one, i, all) => (i === 0 ? 0 : one.at - all[i - 1].at)).slice(1);
    assert.ok(waits[0] >= 40 && waits[1] >= 80 && waits[2] >= 160, `backs off: ${waits}`);
    const [first, second] = tries('/429-once');
    assert.ok(second.at - first.done >= 990, 'Retry-After is kept');
    assert.deepEqual(asked.filter((one) => one.host === first.host && one.at > first.done + 5 && one.at < second.at && one.at < first.done + 990), [], 'by the whole host');
});

test('a host rests between two requests, as long as robots.txt asks', async () => {
    robots = (request, response) => page(response, 'user-agent: Other\nDisallow: /\n\nUser-Agent: *\nCrawl-delay: 0.3\n', 'text/plain');
    const run = await check(withSources({ a: '/passage?1', b: '/passage?2', c: '/passage?3' }));
    assert.equal(run.status, 0, run.stdout);
    const gaps = asked.map((one, i) => (i === 0 ? Infinity : one.at - asked[i - 1].done));
    assert.equal(gaps.length, 4);
    assert.ok(gaps.slice(2).every((gap) => gap >= 280), `${gaps}`);
});

test('sources on one page cost one request, and each has its own passage', async () => {
    robots = status(404);
    const db = withSources({ a: '/passage', b: '/passage#part', c: '/passage', 'none-d': '/passage' }, `UPDATE source SET quote_sha256 = '${sha256('other words')}', quote_words = 2 WHERE id = 'c';`);
    const run = await check(db);
    assert.deepEqual(run.report.sources.map((one) => one.state), ['verified', 'verified', 'changed', 'reachable']);
    assert.deepEqual(asked.map((one) => one.path), ['/robots.txt', '/passage']);
});

test('robots.txt: missing allows, an error forbids, a redirect counts, our own group goes first', async () => {
    const one = async (handler) => {
        robots = handler;
        const run = await check(withSources({ a: '/passage' }));
        return run.of.a;
    };
    assert.equal((await one(status(404))).state, 'verified');
    assert.equal((await one(status(403))).state, 'verified');
    const forbidden = await one(status(500));
    assert.equal(forbidden.state, 'blocked');
    assert.match(forbidden.reason, /robots\.txt of 127\.0\.0\.1 cannot be read \(it answers 500\)/);
    assert.deepEqual([...new Set(asked.map((entry) => entry.path))], ['/robots.txt']);
    assert.equal((await one(redirect(301, '/robots.txt'))).state, 'verified'); // a loop: as if there were none
    assert.equal((await one((request, response) => page(response, 'User-agent: agent-sandboxes-sources\nDisallow: /\n\nUser-agent: *\nAllow: /\n', 'text/plain'))).state, 'blocked');
    assert.equal((await one((request, response) => page(response, 'User-agent: Agent-Sandboxes-Sources/9\nAllow: /passage\n\nUser-agent: *\nDisallow: /\n', 'text/plain'))).state, 'verified');
    assert.equal((await one((request, response) => page(response, `${'# words\n'.repeat(1000)}User-agent: *\r\nDisallow: /pass*ge$\r\n`, 'text/plain'))).state, 'blocked');
    assert.equal((await one((request) => request.socket.resetAndDestroy())).state, 'unreachable');
});

test('private addresses are refused without leave, whatever they are called', async () => {
    robots = plainRobots;
    const port = server.address().port;
    const urls = ['127.0.0.1', 'localhost', '0.0.0.0', '[::1]', '[::ffff:127.0.0.1]', '0x7f000001', '2130706433', '127.1', '10.0.0.1', '169.254.169.254', '192.168.1.1', '[fe80::1]', '[fd00::1]'];
    const db = withSources(Object.fromEntries(urls.map((host, i) => [`s${String(i).padStart(2, '0')}`, `http://${host}:${port}/passage`])));
    const child = spawn(PROGRAM, ['sources', 'check', '--db', db, '--delay', '0', '--json'], { cwd: TOP });
    asked.length = 0;
    let text = '';
    child.stdout.on('data', (part) => (text += part));
    assert.equal(await new Promise((resolve) => child.on('close', resolve)), 1);
    for (const result of JSON.parse(text).sources) {
        assert.equal(result.state, 'unreachable', result.url);
        assert.match(result.reason, /private, local or reserved/, result.url);
    }
    assert.deepEqual(asked, []);
});

test('nothing listens: unreachable, and no retry storm', async () => {
    const dead = await new Promise((resolve) => {
        const socket = createSocketServer().listen(0, '127.0.0.1', () => {
            const { port } = socket.address();
            socket.close(() => resolve(port));
        });
    });
    const run = await check(withSources({ a: `http://127.0.0.1:${dead}/x`, b: `http://127.0.0.1:${dead}/y` }));
    assert.deepEqual(run.report.sources.map((one) => one.state), ['unreachable', 'unreachable']);
    assert.match(run.of.a.reason, /connect/i);
});

test('what is remembered is asked for conditionally, and a 304 moves no date', async () => {
    robots = plainRobots;
    const db = withSources({ a: '/etag', b: '/modified', c: '/passage' });
    const memory = path('.jsonl');
    const first = await check(db, '--resume', memory);
    assert.deepEqual(first.report.sources.map((one) => one.state), ['verified', 'changed', 'verified']);
    // As if that had been earlier.
    const earlier = readFileSync(memory, 'utf8').replaceAll(`"seen_on":"${today}"`, '"seen_on":"2021-02-03"');
    writeFileSync(memory, earlier);
    const second = await check(db, '--resume', memory);
    assert.deepEqual(second.report.sources.map((one) => [one.state, one.status, one.not_modified, one.seen_on]), [['verified', 304, true, '2021-02-03'], ['changed', 304, true, null], ['verified', 200, false, today]]);
    const headers = Object.fromEntries(asked.map((one) => [one.path, one.headers]));
    assert.equal(headers['/etag']['if-none-match'], '"v1"');
    assert.equal(headers['/modified']['if-modified-since'], 'Mon, 30 Nov 2026 00:00:00 GMT');
    assert.equal(headers['/passage']['if-none-match'], undefined);
    assert.equal(second.report.proposals.find((one) => one.source === 'a').set.verified_on, '2021-02-03');

    const fresh = await check(db, '--resume', memory, '--fresh');
    assert.deepEqual(fresh.report.sources.map((one) => [one.status, one.seen_on]), [[200, today], [200, null], [200, today]]);
    // Another passage is another question.
    sql(db, `UPDATE source SET quote_sha256 = '${sha256('other words')}', quote_words = 2 WHERE id = 'a';`);
    const changed = await check(db, '--resume', memory);
    assert.deepEqual([changed.of.a.state, changed.of.a.status], ['changed', 200]);
});

test('a run that is killed goes on where it was', async () => {
    robots = plainRobots;
    const names = Array.from({ length: 30 }, (_, i) => `p${String(i).padStart(2, '0')}`);
    const db = withSources(Object.fromEntries(names.map((name) => [name, `/passage?${name}`])));
    const memory = path('.jsonl');
    asked.length = 0;
    const child = start(db, '--json', '--resume', memory);
    while (!existsSync(memory) || readFileSync(memory, 'utf8').split('\n').length < 12) await new Promise((resolve) => setTimeout(resolve, 10));
    child.kill('SIGKILL');
    await new Promise((resolve) => child.on('close', resolve));
    const known = new Set(readFileSync(memory, 'utf8').split('\n').slice(1, -1).map((line) => JSON.parse(line).source));
    assert.ok(known.size >= 10 && known.size < 30, `${known.size}`);
    appendFileSync(memory, '{"source":"p29","url":"ht'); // a line that was being written
    const run = await check(db, '--resume', memory);
    assert.equal(run.status, 0, run.stderr);
    assert.deepEqual(run.report.sources.map((one) => [one.source, one.state]), names.map((name) => [name, 'verified']));
    const again = new Set(asked.map((one) => one.path.slice(9)).filter((name) => name.startsWith('p')));
    assert.deepEqual([...again].filter((name) => known.has(name)), [], 'no page is asked for twice');
    assert.equal(again.size + known.size, 30);
    // The run has ended, so the next one asks for everything; and so does one that follows a run that was stopped days ago.
    await check(db, '--resume', memory);
    assert.equal(asked.length, 31);
    const lines = readFileSync(memory, 'utf8').split('\n');
    const begun = lines.findIndex((line) => line.startsWith('{"run":"begun"'));
    const { day } = JSON.parse(lines[begun]);
    writeFileSync(memory, `${lines.slice(0, begun + 20).join('\n').replace(`"day":${day}`, `"day":${day - 5}`)}\n`);
    await check(db, '--resume', memory);
    assert.equal(asked.length, 31);
});

test('one memory, one run at a time', async () => {
    robots = plainRobots;
    const db = withSources({ a: '/silent' });
    const memory = path('.jsonl');
    const child = start(db, '--json', '--resume', memory);
    while (!existsSync(memory) || readFileSync(memory, 'utf8') === '') await new Promise((resolve) => setTimeout(resolve, 10));
    const second = await check(db, '--resume', memory);
    assert.equal(second.status, 1);
    assert.match(second.stderr, /in use by another run/);
    child.kill();
    await new Promise((resolve) => child.on('close', resolve));
    const other = await check(db, '--resume', `${TOP}/README.md`);
    assert.equal(other.status, 1);
    assert.match(other.stderr, /no file of sources check/);
});

test('--write stores days and addresses of found passages, and nothing else', async () => {
    robots = plainRobots;
    const db = withSources({ a: '/passage', b: '/moved#part', c: '/no-passage', d: '/404', 'none-e': '/moved', f: '/moved-without' });
    const rows = () => Object.fromEntries(sql(db, 'SELECT id, url, verified_on, accessed_on FROM source ORDER BY id').map((row) => [row.id, row]));
    const old = rows();
    const run = await check(db, '--write');
    assert.equal(run.status, 1);
    assert.match(run.stderr, /stored for 2 sources in /);
    const now = rows();
    assert.deepEqual(now.a, { ...old.a, verified_on: today });
    assert.deepEqual(now.b, { ...old.b, verified_on: today, url: `${base()}/passage#part` });
    for (const id of ['c', 'd', 'none-e', 'f']) assert.deepEqual(now[id], old[id], id);
    // Once more, and nothing is new.
    const bytes = readFileSync(db);
    const again = await check(db, 'a', 'b', '--write');
    assert.deepEqual([again.status, again.stderr], [0, 'agent-sandboxes sources check: nothing to store\n']);
    assert.ok(readFileSync(db).equals(bytes));
});

test('an exempt source is not asked for and listed with its reason, until its day or until it is named', async () => {
    robots = plainRobots;
    const soon = new Date(Date.now() + 9 * 86400000).toISOString().slice(0, 10);
    const past = new Date(Date.now() - 86400000).toISOString().slice(0, 10);
    const db = withSources({ a: '/passage', b: '/403', c: '/404' }, `INSERT INTO source_exemption VALUES ('b', 'Lets no program in.', '${soon}'), ('c', 'Was away.', '${past}');`);
    const run = await check(db);
    assert.equal(run.status, 1, 'c is past its day');
    assert.deepEqual([run.of.a.state, run.of.b.state, run.of.c.state], ['verified', 'exempt', 'gone']);
    assert.deepEqual([run.of.b.reason, run.of.b.passage, run.of.b.status], [`Lets no program in. (until ${soon})`, 'unread', null]);
    assert.equal(run.report.states.exempt, 1);
    assert.ok(!asked.some(({ path: at }) => at === '/403'), 'it was not asked for');
    sql(db, "DELETE FROM source_exemption WHERE source = 'c'; DELETE FROM source WHERE id = 'c'");
    assert.equal((await check(db)).status, 0, 'an exemption that holds is no failure');
    assert.equal((await check(db, 'b')).of.b.state, 'blocked', 'who names it asks for it');
    // A day and a reason come by a command.
    const refused = (code, words, ...args) => {
        const { status: got, stderr } = program('add', 'exemption', '--db', db, ...args);
        assert.equal(got, code, stderr);
        assert.match(stderr, words);
    };
    refused(2, /--until is missing/, 'a', '--reason', 'x');
    refused(1, /breaks the rule exemption-reason: source_exemption a gives no reason/, 'a', '--reason', ' ', '--until', soon);
    refused(1, /the change is refused/, 'nothing', '--reason', 'x', '--until', soon);
    refused(1, /the change is refused/, 'a', '--reason', 'x', '--until', 'soon');
    expect(0, 'add', 'exemption', '--db', db, 'a', '--reason', 'A page of ours.', '--until', soon);
    expect(0, 'add', 'exemption', '--db', db, 'a', '--reason', 'A page of theirs.', '--until', soon);
    assert.equal((await check(db)).of.a.reason, `A page of theirs. (until ${soon})`);
});

test('--write keeps what failed, for everyone to see, until it is found again', async () => {
    robots = plainRobots;
    const db = withSources({ a: '/passage', b: '/404', c: '/no-passage', d: '/moved-without' });
    const failures = () => sql(db, 'SELECT source, state, reason, checked_on FROM source_failure ORDER BY source').map((row) => [row.source, row.state, row.checked_on]);
    assert.match((await check(db, '--write')).stderr, /stored for 1 source in .*, and what is wrong with 3$/m);
    assert.deepEqual(failures(), [['b', 'gone', today], ['c', 'changed', today], ['d', 'redirected', today]]);
    sql(db, `UPDATE source SET url = '${base()}/passage?b' WHERE id = 'b'`);
    await check(db, '--write');
    assert.deepEqual(failures().map(([id]) => id), ['c', 'd']);
});

test('a catalogue with facts: who rests on a changed page is named, and the table and Markdown say it', async () => {
    robots = plainRobots;
    const id = sql(catalogue(), "SELECT source FROM fact WHERE provider = 'e2b' AND attribute = 'isolation' AND source IS NOT NULL")[0].source;
    const db = catalogue(`UPDATE source SET url = '${base()}/no-passage', quote_words = 10, quote_sha256 = '${sha256(WORDS)}' WHERE id = '${id}';`);
    const run = await check(db, id);
    assert.equal(run.report.sources.length, 1);
    assert.ok(run.report.proposals[0].read_again.includes('e2b isolation'), JSON.stringify(run.report.proposals));
    const text = async (...args) => {
        const child = start(db, ...args, id);
        let out = '';
        child.stdout.on('data', (part) => (out += part));
        await new Promise((resolve) => child.on('close', resolve));
        return out;
    };
    const table = await text();
    assert.match(table, new RegExp(`^changed +${id} +${base()}/no-passage: the passage is not among`, 'm'));
    assert.match(table, /^0 verified, 0 reachable, 1 changed, /m);
    assert.match(table, new RegExp(`-- ${id} is changed; read it again, then: agent-sandboxes review --db ${db} e2b isolation`));
    const markdown = await text('--markdown');
    assert.match(markdown, /^\| changed \| 1 \|$/m);
    assert.match(markdown, new RegExp(`^\\| changed \\| ${id} \\| `, 'm'));
});

test('a terminal sees a bar, on standard error', async () => {
    robots = plainRobots;
    const db = withSources({ a: '/passage?1', b: '/passage?2' });
    const words = [PROGRAM, 'sources', 'check', '--db', db, '--allow-private', '--delay', '0'];
    const child = spawn('script', ['-qefc', `${words.map((word) => `'${word}'`).join(' ')} >/dev/null`, '/dev/null'], { cwd: TOP, stdio: ['ignore', 'pipe', 'inherit'] });
    let seen = '';
    child.stdout.on('data', (part) => (seen += part));
    assert.equal(await new Promise((resolve) => child.on('close', resolve)), 0);
    assert.match(seen, /\[-{30}\] 0\/2 /);
    assert.match(seen, /\[#{15}-{15}\] 1\/2 http:\/\/127/);
    assert.match(seen, /\[#{30}\] 2\/2 /);
    const plain = await check(db);
    assert.equal(plain.stderr, '');
});

test('the HTTP library is loaded here alone, and one that does not fit is named', () => {
    const folder = path('-libraries');
    mkdirSync(folder);
    for (const [content, message] of [['int nothing;', /libcurl\.so\.4 is too old: it has no curl_easy_cleanup/], [null, /libcurl\.so\.4 cannot be loaded; .*libcurl4/]]) {
        if (content === null) {
            writeFileSync(`${folder}/libcurl.so.4`, 'no library');
        } else {
            assert.equal(spawnSync('cc', ['-shared', '-o', `${folder}/libcurl.so.4`, '-xc', '-'], { input: content }).status, 0);
        }
        const env = { ...process.env, LD_LIBRARY_PATH: folder };
        const run = spawnSync(PROGRAM, ['sources', 'check'], { cwd: TOP, encoding: 'utf8', env });
        assert.deepEqual([run.status, run.stdout], [1, '']);
        assert.match(run.stderr, message);
        assert.equal(spawnSync(PROGRAM, ['check'], { cwd: TOP, env }).status, 0, 'nothing else needs it');
    }
});

test('wrong command lines', () => {
    for (const args of [['--nope'], ['--json', '--markdown'], ['--write'], ['--delay', 'soon'], ['--timeout', '0'], ['--max-bytes', '-1']]) {
        const run = program('sources', 'check', ...args);
        assert.deepEqual([run.status, run.stdout], [2, ''], args.join(' '));
        assert.match(run.stderr, /see agent-sandboxes sources check --help/);
    }
    assert.equal(program('sources').status, 2);
    assert.equal(program('sources', 'mend').status, 2);
    const run = program('sources', 'check', 'no-such-source');
    assert.equal(run.status, 1);
    assert.match(run.stderr, /there is no source "no-such-source"/);
    assert.match(expect(0, 'sources', '--help'), /sources check --help/);
});
