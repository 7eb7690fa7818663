// Many machines: what readers notice when one of three replicas dies, when a new catalogue comes, and when the place that it came from is gone.
//     tests/scale/inside node --test tests/scale/scale.test.mjs
import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import http2 from 'node:http2';
import https from 'node:https';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { random } from '../http/compare_reference.mjs';
import { patience, PROGRAM, TOP } from '../http/harness.mjs';
import { REPLICAS, Set as Machines, get, readers, sleep, until } from './set.mjs';

const call = promisify(execFile);
const READERS = 6;
const TRACE_MILLISECONDS = patience(600_000); // seconds, where nothing else runs
const machines = new Machines();
const writer = path.join(machines.folder, 'writer');
const FIRST = Math.floor(Date.now() / 1000) - 86400;

/** Catalogue number n, signed, as a writer leaves it for others; later numbers are later by a minute. */
function publish(n) {
    const file = path.join(writer, 'catalogue.db');
    const edited = path.join(writer, 'edited.db');
    execFileSync(PROGRAM, ['build', '--out', edited]);
    execFileSync('sqlite3', [edited, `UPDATE provider SET name = 'Name ' || ${n} || ' of ' || slug`]);
    execFileSync(PROGRAM, ['build', '--db', edited, '--out', file, '--sums', path.join(writer, 'SHA256SUMS')]);
    fs.rmSync(edited);
    fs.utimesSync(file, FIRST + 60 * n, FIRST + 60 * n);
    fs.rmSync(path.join(writer, 'SHA256SUMS.sig'), { force: true });
    execFileSync('ssh-keygen', ['-q', '-Y', 'sign', '-f', path.join(writer, 'key'), '-n', 'agent-sandboxes', path.join(writer, 'SHA256SUMS')], { stdio: 'ignore' });
    return file;
}

const roll = (names = REPLICAS) =>
    call(path.join(TOP, 'docker/roll'), ['--signers', path.join(writer, 'allowed'), writer, ...names.map((name) => `${machines.catalogueOf(name)}=${name}:9090`)],
        { env: { ...process.env, AGENT_SANDBOXES: PROGRAM } });

/** The number of the catalogue from which an answer of /data/providers/SLUG.json was made. */
const numberOf = (answer) => Number(/"name": "Name (\d+) of /.exec(answer.body.toString())[1]);

let slugs;
const { next: chance, pick } = random(20261130);
let fresh = 0;
/** A record, one time in four under an address that no cache has. */
const record = () => ({ target: `/data/providers/${pick(slugs)}.json${chance() < 0.25 ? `?fresh=${fresh++}` : ''}`, headers: { 'accept-encoding': 'identity' } });

before(async () => {
    fs.mkdirSync(writer);
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', path.join(writer, 'key')]);
    fs.writeFileSync(path.join(writer, 'allowed'), `writer@sandboxes.test namespaces="agent-sandboxes" ${fs.readFileSync(path.join(writer, 'key.pub'), 'utf8')}`);
    await machines.start(publish(1));
    slugs = JSON.parse((await get('site', 8080, '/data/providers.json')).body).providers.map(({ slug }) => slug);
});
after(() => machines.stop());

test('replicas answer alike: status, validators and bytes', async () => {
    for (const target of ['/', '/compare/', '/sandboxes/e2b/', '/data/providers.csv', '/compare?gpu=true', '/nowhere', '/about']) {
        const answers = await Promise.all(REPLICAS.map((replica) => get(replica, 8080, target, { headers: { accept: 'text/html', 'accept-encoding': 'br' } })));
        const told = answers.map(({ status, headers: { date, 'x-request-id': id, ...headers }, body }) => JSON.stringify([status, headers, target === '/nowhere' ? '' : body.toString('latin1')]));
        assert.equal(told[1], told[0], target);
        assert.equal(told[2], told[0], target);
    }
});

test('the cache keeps to the server: validators, parts, codings, age, and nothing of its own between', async () => {
    const asked = { accept: 'text/html', 'accept-encoding': 'gzip, deflate, br, zstd' };
    const page = await get('site', 8080, '/about/', { headers: asked });
    const origin = await get('replica1', 8080, '/about/', { headers: asked });
    assert.ok(page.body.equals(origin.body));
    for (const name of ['etag', 'cache-control', 'vary', 'content-encoding', 'content-type', 'content-security-policy', 'link', 'last-modified']) {
        assert.equal(page.headers[name], origin.headers[name], name);
    }
    assert.equal(page.headers['content-encoding'], 'br');
    assert.deepEqual(Object.keys(page.headers).filter((name) => /surrogate|xkey|varnish|via/.test(name)), []);
    assert.equal((await get('site', 8080, '/about/', { headers: { ...asked, 'if-none-match': page.headers.etag } })).status, 304);
    const part = await get('site', 8080, '/data/providers.json', { headers: { range: 'bytes=2-9', 'accept-encoding': 'br' } });
    assert.deepEqual([part.status, part.body.length, part.headers['content-encoding']], [206, 8, undefined]);
    assert.match((await get('site', 8080, '/about/', { headers: { ...asked, accept: 'text/markdown' } })).headers['content-type'], /^text\/markdown/);
    const one = await get('site', 8080, '/about/?utm_source=letter&utm_medium=mail', { headers: { ...asked, accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' } });
    const other = await get('site', 8080, '/about/', { headers: { ...asked, accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8' } });
    assert.deepEqual([one, other].map(({ headers }) => headers['cache-status']), ['varnish; fwd=miss', 'varnish; hit'], 'two browsers share a page');
});

test('TLS in front: HTTP leads to HTTPS, HTTP/2 and 1.1 give the same bytes', async () => {
    await machines.startTls();
    const moved = await get('localhost', 8000, '/about/?x=1');
    assert.equal(moved.headers.location, 'https://sandboxes.test/about/?x=1');
    const origin = await get('replica1', 8080, '/about/', { headers: { accept: 'text/html', 'accept-encoding': 'br' } });
    const session = http2.connect('https://localhost:8443', { rejectUnauthorized: false });
    const stream = session.request({ ':path': '/about/', accept: 'text/html', 'accept-encoding': 'gzip, br' });
    const [head] = await once(stream, 'response');
    const chunks = await stream.toArray();
    session.close();
    assert.equal(head[':status'], 200);
    assert.ok(Buffer.concat(chunks).equals(origin.body));
    for (const name of ['etag', 'content-security-policy', 'cache-control', 'content-encoding', 'vary', 'link']) {
        assert.equal(head[name], origin.headers[name], name);
    }
    const asked = https.get('https://localhost:8443/about/', { rejectUnauthorized: false, maxVersion: 'TLSv1.2' });
    const [answer] = await once(asked, 'response');
    assert.equal(answer.statusCode, 200);
    answer.resume();
    for (const [what, keepAlive] of [['a request', true], ['a request with a handshake of its own', false]]) {
        const agent = new https.Agent({ keepAlive, maxSockets: 1, maxCachedSessions: 0, rejectUnauthorized: false });
        const before = machines.cost('nginx');
        for (let i = 0; i < 200; i++) {
            const [given] = await once(https.get('https://localhost:8443/data/providers/e2b.json', { agent, headers: { 'accept-encoding': 'br' } }), 'response');
            assert.equal((await given.toArray()).length > 0 && given.statusCode, 200);
        }
        agent.destroy();
        console.log(`# ${what} costs nginx ${((machines.cost('nginx') - before) / 200).toFixed()} us`);
    }
    assert.equal(machines.told('nginx', 'warn'), machines.told('nginx', '"listen ... http2" directive is deprecated'));
    await machines.end('nginx', 'SIGQUIT');
});

/** Lets a load go on until this many more of its answers came from a replica, however fast this machine is. */
async function onward(load, misses) {
    const goal = load.state.misses + misses;
    await until('the load goes on', () => load.state.misses >= goal);
}

test('killing any one of three replicas under load fails no request', async () => {
    const load = readers(READERS, record);
    for (const replica of REPLICAS) {
        await onward(load, 50);
        await machines.end(replica, 'SIGKILL');
        await onward(load, 100);
        await machines.startReplica(replica);
        const up = `Server replicas/${replica} is UP`;
        await until(`${replica} is used again`, () => machines.told('haproxy', up) > 0);
    }
    const { asked, failures } = await load.stop();
    assert.deepEqual(failures.slice(0, 5), []);
    assert.ok(asked > 500, `only ${asked} requests`);
});

test('replicas that all hang for a while, as on a machine with too much to do, fail no request', async () => {
    const load = readers(READERS, record);
    await onward(load, 50);
    REPLICAS.forEach((replica) => machines.signal(replica, 'SIGSTOP'));
    await sleep(2000);
    const late = readers(READERS, () => ({ target: `/data/providers/${pick(slugs)}.json?fresh=${fresh++}` }));
    await sleep(500);
    REPLICAS.forEach((replica) => machines.signal(replica, 'SIGCONT'));
    await Promise.all([onward(load, 20), onward(late, 20)]);
    assert.deepEqual([...(await load.stop()).failures, ...(await late.stop()).failures].slice(0, 5), []);
});

test('a replica that hangs and does not come back fails no request: it is left alone, and what it was asked is asked again', async () => {
    const load = readers(READERS, record);
    await onward(load, 50);
    const down = 'Server replicas/replica2 is DOWN';
    const before = machines.told('haproxy', down);
    machines.signal('replica2', 'SIGSTOP');
    await until('it is left alone', () => machines.told('haproxy', down) > before);
    await onward(load, 50);
    const { failures } = await load.stop();
    machines.signal('replica2', 'SIGCONT');
    assert.deepEqual(failures.slice(0, 5), []);
    await until('it is used again', () => machines.told('haproxy', 'Server replicas/replica2 is UP') > 0);
});

test('stopping a replica under load fails no request either', async () => {
    const load = readers(READERS, record);
    await onward(load, 50);
    await machines.end('replica2');
    await onward(load, 50);
    await machines.startReplica('replica2');
    const { failures } = await load.stop();
    assert.deepEqual(failures.slice(0, 5), []);
});

test('a new catalogue, replica by replica: no request fails, and no reader goes back', async () => {
    const newest = Array(READERS).fill(0);
    const backwards = [];
    const numbers = new Set();
    const load = readers(READERS, record, (reader, answer, target) => {
        const number = numberOf(answer);
        numbers.add(number);
        if (number < newest[reader]) {
            backwards.push(`reader ${reader}: ${number} after ${newest[reader]} (${target})`);
        }
        newest[reader] = Math.max(newest[reader], number);
    });
    for (const n of [2, 3]) {
        publish(n);
        const { stdout } = await roll();
        assert.equal(stdout.trim().split('\n').filter((line) => line.endsWith('catalogue.db')).length, 3, stdout);
    }
    await sleep(300);
    const { failures } = await load.stop();
    assert.deepEqual(failures.slice(0, 5), []);
    assert.deepEqual(backwards, []);
    assert.deepEqual([...numbers].sort(), [1, 2, 3]);
    assert.deepEqual(newest, Array(READERS).fill(3));
});

test('between two replicas that disagree, readers see the newer catalogue only; what is left of the old one is purged', async () => {
    publish(4);
    await roll(['replica1']);
    await until('the new one is seen', async () => numberOf(await get('site', 8080, record().target)) === 4);
    const load = readers(READERS, () => ({ ...record(), target: `/data/providers/${pick(slugs)}.json?fresh=${fresh++}` }), (_, answer) => assert.equal(numberOf(answer), 4));
    await onward(load, 100);
    const { failures } = await load.stop();
    assert.deepEqual(failures.slice(0, 5), []);
    assert.match(machines.words(), /: \d+ objects purged of the one before/);
    await roll(['replica2', 'replica3']);
});

test('the only replica with the newest catalogue dies: the one before is served rather than nothing, and becomes the newest again', async () => {
    publish(5);
    await roll(['replica3']);
    await until('the new one is seen', async () => numberOf(await get('site', 8080, `/data/providers/e2b.json?fresh=${fresh++}`)) === 5);
    await machines.end('replica3', 'SIGKILL');
    const load = readers(2, () => ({ target: `/data/providers/e2b.json?fresh=${fresh++}` }), (_, answer) => assert.equal(numberOf(answer), 4));
    await until('it is kept again', async () => {
        await get('site', 8080, '/data/providers/e2b.json?kept');
        return (await get('site', 8080, '/data/providers/e2b.json?kept')).headers['cache-control'].startsWith('public');
    }, 20_000);
    const { failures } = await load.stop();
    assert.deepEqual(failures.slice(0, 5), []);
    await machines.startReplica('replica3');
    await until('the newest is back', async () => numberOf(await get('site', 8080, `/data/providers/e2b.json?fresh=${fresh++}`)) === 5);
    await roll();
});

test('a catalogue that nobody signed, or that is bad, reaches no reader', async () => {
    publish(6);
    fs.appendFileSync(path.join(writer, 'catalogue.db'), 'x');
    await assert.rejects(roll(), ({ stderr }) => /changed/.test(stderr) && /stays as it is/.test(stderr));
    publish(7);
    execFileSync('sh', ['-c', 'printf broken >"$0/catalogue.db" && cd "$0" && sha256sum catalogue.db >SHA256SUMS && rm -f SHA256SUMS.sig && ssh-keygen -q -Y sign -f key -n agent-sandboxes SHA256SUMS', writer], { stdio: 'ignore' });
    await assert.rejects(roll(), ({ stderr }) => /replica1:9090 refused the catalogue; nothing more is rolled out/.test(stderr));
    for (const replica of REPLICAS) {
        assert.equal(numberOf(await get(replica, 8080, '/data/providers/e2b.json')), 5);
    }
});

test('a browsing trace is answered from the cache: above 99 %', async () => {
    const { body } = await get('site', 8080, '/sitemap.xml');
    const pages = [...body.toString().matchAll(/<loc>https:\/\/sandboxes\.test([^<]+)<\/loc>/g)].map(([, address]) => address);
    const home = (await get('site', 8080, '/', { headers: { accept: 'text/html' } })).body.toString();
    const parts = [...home.matchAll(/ (?:href|src)="(\/(?:site\.|favicon)[^"]*)"/g)].map(([, address]) => address);
    assert.ok(pages.length > 100 && parts.length >= 3);
    // Zipf: the page of rank r is asked for in proportion to 1/r. Browsers of three kinds; one visit is four pages and what they need.
    const weights = pages.map((_, rank) => 1 / (rank + 1));
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    const page = () => {
        let rest = chance() * total;
        return pages[weights.findIndex((weight) => (rest -= weight) <= 0)] ?? pages[0];
    };
    const browsers = [
        { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8', 'accept-encoding': 'gzip, deflate, br, zstd' },
        { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'accept-encoding': 'gzip, deflate, br' },
        { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/png,image/svg+xml,*/*;q=0.8', 'accept-encoding': 'gzip, deflate, br, zstd' },
    ];
    const visits = Array.from({ length: 4000 }, () => {
        const headers = pick(browsers);
        const campaign = chance() < 0.1 ? '?utm_source=letter' : '';
        return [page() + campaign, ...parts, page(), page(), page()].map((target) => ({ target, headers: parts.includes(target) ? { ...headers, accept: '*/*' } : headers }));
    });
    const trace = visits.flat();
    let [at, hits, misses] = [0, 0, 0];
    const spent = costs();
    const load = readers(8, () => trace[at++ % trace.length], (_, { headers }) => (headers['cache-status'] === 'varnish; hit' ? hits++ : misses++));
    await until('the trace is at its end', () => at >= trace.length, TRACE_MILLISECONDS);
    const { failures } = await load.stop();
    console.log(`# ${hits} hits, ${misses} misses: ${(100 * hits / (hits + misses)).toFixed(2)} %; a visitor's request costs ${spent(hits + misses)}`);
    assert.deepEqual(failures.slice(0, 5), []);
    assert.ok(hits / (hits + misses) > 0.99);
});

/** What a request costs each part, since now: a function of how many there were, for docs/scaling.md. */
function costs() {
    const parts = ['varnish', 'haproxy', ...REPLICAS];
    const before = parts.map((part) => machines.cost(part));
    return (requests) => {
        const [varnish, haproxy, ...replicas] = parts.map((part, place) => (machines.cost(part) - before[place]) / requests);
        return `varnish ${varnish.toFixed()} us, haproxy ${haproxy.toFixed()} us, replicas ${replicas.reduce((sum, one) => sum + one).toFixed()} us`;
    };
}

test('what no cache has is answered too', async () => {
    const spent = costs();
    const load = readers(8, () => ({ target: `/data/providers/${pick(slugs)}.json?fresh=${fresh++}`, headers: { 'accept-encoding': 'br' } }));
    await onward(load, 1000);
    const { failures, asked, misses } = await load.stop();
    console.log(`# a miss costs ${spent(asked)}`);
    assert.deepEqual(failures.slice(0, 5), []);
    assert.equal(misses, asked);
});

test('the set survives that the writer, and every file of the catalogue, is gone', async () => {
    fs.rmSync(writer, { recursive: true });
    const refused = REPLICAS.map((replica) => machines.told(replica, 'catalogue_refused'));
    REPLICAS.forEach((replica) => fs.rmSync(machines.catalogueOf(replica)));
    const load = readers(READERS, record, (_, answer) => assert.equal(numberOf(answer), 5));
    await until('every replica has noticed', () => REPLICAS.every((replica, place) => machines.told(replica, 'catalogue_refused') > refused[place]));
    await onward(load, 50);
    const { failures } = await load.stop();
    assert.deepEqual(failures.slice(0, 5), []);
});
