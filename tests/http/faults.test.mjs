// Faults around the real program: damaged and vanishing files, failing allocations and reads, a clock that steps, no handles left, storms.
// FAULT_TIMES multiplies how many allocations and reads fail, FAULT_CORRUPTIONS says how many files are damaged (2,000 in the long run).
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { patience, run, startServer, TOP } from './harness.mjs';

const TIMES = Number(process.env.FAULT_TIMES ?? 1);
const CORRUPTIONS = Number(process.env.FAULT_CORRUPTIONS ?? 60);

let folder;
let good; // sealed, as `build` writes it
let bytes;
before(async () => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'faults-'));
    good = path.join(folder, 'good.db');
    const built = await run(['build', '--out', good]);
    assert.equal(built.code, 0, built.stderr);
    bytes = fs.readFileSync(good);
});
after(() => fs.rmSync(folder, { recursive: true, force: true }));

function generator(seed) {
    let state = seed >>> 0;
    return (below) => {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        return Math.floor((state / 2 ** 32) * below);
    };
}

/** Sends SIGHUP and waits for what becomes of it. */
async function reload(server, milliseconds = patience(30_000)) {
    const from = server.log.length;
    server.signal('SIGHUP');
    const is = (event) => server.logged(event, { from, milliseconds });
    return Promise.any([is('catalogue_loaded'), is('catalogue_refused')]).catch((error) => {
        throw new Error(error.errors[0].message.slice(-2000));
    });
}

/** { server, put(name, number), read(name), file } with the fault shim preloaded. */
async function startFaulty(args = []) {
    const shim = path.join(folder, 'shim.so');
    if (!fs.existsSync(shim)) {
        execFileSync('cc', ['-D_GNU_SOURCE', '-O1', '-shared', '-fPIC', path.join(TOP, 'tests/faults/shim.c'), '-o', shim, '-ldl']);
    }
    const fields = ['allocation', 'read', 'clock_seconds', 'failed', 'lasting'];
    const control = path.join(folder, `control-${Math.random()}`);
    fs.writeFileSync(control, Buffer.alloc(4096));
    const file = fs.openSync(control, 'r+');
    const put = (name, number) => {
        const eight = Buffer.alloc(8);
        eight.writeBigInt64LE(BigInt(number));
        fs.writeSync(file, eight, 0, 8, fields.indexOf(name) * 8);
    };
    const read = (name) => {
        const eight = Buffer.alloc(8);
        fs.readSync(file, eight, 0, 8, fields.indexOf(name) * 8);
        return Number(eight.readBigInt64LE());
    };
    const server = await startServer({ args: ['--workers', '1', ...args], env: { LD_PRELOAD: shim, FAULT_CONTROL: control } });
    return { server, put, read };
}

const isSanitized = () => /build-(asan|tsan)|valgrind/.test(process.env.AGENT_SANDBOXES ?? '');

test('a file damaged at random is refused, or served as it should be, and never ends the server', async () => {
    const file = path.join(folder, 'damaged.db');
    fs.copyFileSync(good, file);
    const server = await startServer({ args: ['--db', file] });
    const truth = (await server.get('/data/providers.json')).text;
    const random = generator(20261130);
    const damages = [
        (copy) => ((copy[random(copy.length)] ^= 1 << random(8)), copy),
        (copy) => ((copy[random(1024)] = random(256)), copy),
        (copy) => copy.subarray(0, random(copy.length)),
        (copy) => copy.fill(0, ...[random(copy.length), random(copy.length)].sort((a, b) => a - b)),
        (copy) => Buffer.concat([copy, Buffer.alloc(1 + random(9000), random(256))]),
        (copy) => copy.copyWithin(random(copy.length), random(copy.length), random(copy.length)),
    ];
    const results = { catalogue_loaded: 0, catalogue_refused: 0 };
    for (let i = 0; i < CORRUPTIONS; i++) {
        const damaged = damages[i % damages.length](Buffer.from(bytes));
        fs.writeFileSync(file, damaged);
        const { event, error } = await reload(server);
        results[event]++;
        if (event === 'catalogue_refused') {
            assert.ok(error.length > 10, `number ${i}`);
        } else {
            assert.equal((await server.get('/data/providers.json')).text, truth, `number ${i} was served, and differs`);
        }
    }
    assert.ok(results.catalogue_refused > CORRUPTIONS / 2, JSON.stringify(results));
    assert.equal((await server.get('/data/providers.json')).text, truth);
    await server.stop();
});

test('damage without a seal to tell it is refused, or served without a failing page', async () => {
    const file = path.join(folder, 'unsealed.db');
    fs.copyFileSync(good, file);
    execFileSync('sqlite3', [file, "UPDATE provider SET name = name || '' WHERE slug = 'e2b'"]);
    const unsealed = fs.readFileSync(file);
    const server = await startServer({ args: ['--db', file] });
    const random = generator(7);
    for (let i = 0; i < CORRUPTIONS / 4; i++) {
        const damaged = Buffer.from(unsealed);
        for (let count = 1 + random(20); count > 0; count--) {
            damaged[random(damaged.length)] = random(256);
        }
        fs.writeFileSync(file, damaged);
        const { event } = await reload(server);
        if (event === 'catalogue_loaded') {
            for (const target of ['/', '/sandboxes/', '/compare?format=json', '/data/providers.json', '/sources/']) {
                assert.ok((await server.get(target, { headers: { accept: 'text/html' } })).status < 500, `number ${i}: ${target}`);
            }
        }
    }
    assert.equal((await server.get('/healthz')).status, 200);
    await server.stop();
});

test('a file that is unreadable, a folder, a pipe, or gone is refused; the next good one is taken', async () => {
    const file = path.join(folder, 'state.db');
    fs.copyFileSync(good, file);
    const server = await startServer({ args: ['--db', file] });
    const states = {
        gone: () => fs.rmSync(file, { recursive: true, force: true }),
        'a folder': () => fs.mkdirSync(file),
        'a pipe': () => execFileSync('mkfifo', [file]),
        empty: () => fs.writeFileSync(file, ''),
        'a link to nothing': () => fs.symlinkSync('/nowhere/at/all', file),
        unreadable: () => {
            fs.copyFileSync(good, file);
            fs.chmodSync(file, 0);
        },
    };
    for (const [name, make] of Object.entries(states)) {
        fs.rmSync(file, { recursive: true, force: true });
        make();
        assert.equal((await reload(server)).event, 'catalogue_refused', name);
        assert.equal((await server.get('/data/providers/e2b.json')).status, 200, name);
    }
    fs.rmSync(file, { force: true });
    fs.copyFileSync(good, file);
    assert.equal((await reload(server)).event, 'catalogue_loaded');
    await server.stop();
});

test('a full disk keeps nobody from reading', async (t) => {
    const disk = path.join(folder, 'disk');
    fs.mkdirSync(disk);
    if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', disk]).status !== 0) {
        t.diagnostic('NOT PROVABLE HERE: no right to mount a small disk');
        return;
    }
    try {
        const file = path.join(disk, 'full.db');
        fs.copyFileSync(good, file);
        assert.notEqual(spawnSync('dd', ['if=/dev/zero', `of=${disk}/fill`, 'bs=64k']).status, 0, 'the disk is full');
        const server = await startServer({ args: ['--db', file] });
        assert.equal((await reload(server)).event, 'catalogue_loaded');
        assert.equal((await server.get('/data/providers/e2b.json')).status, 200);
        await server.stop();
    } finally {
        spawnSync('umount', [disk]);
    }
});

/** 1, 2, 3, ..., then in growing steps, up to most. */
function* counts(dense, most) {
    for (let n = 1; n <= most; n += n < dense ? 1 : Math.max(1, Math.floor(n / (8 * TIMES)))) {
        yield n;
    }
}

test('an allocation that fails in a request costs that request at the most', async (t) => {
    if (isSanitized()) {
        t.diagnostic('left out: a sanitizer has its own allocator');
        return;
    }
    const { server, put, read } = await startFaulty(['--cache-bytes', '0']);
    const statuses = new Map();
    const targets = { '/healthz': 60, '/data/providers/e2b.json': 60, '/sandboxes/e2b/': 60, '/compare?gpu=true&format=csv': 30, '/search?q=gpu': 30, '/guides/': 20, '/glossary/microvm/': 30 };
    for (const [target, dense] of Object.entries(targets)) {
        const asked = { headers: { accept: 'text/html', connection: 'close' } };
        assert.ok((await server.get(target, asked)).status < 400, target);
        for (const n of counts(dense * TIMES, 1e7)) {
            const failed = read('failed');
            put('allocation', n);
            const answer = await server.raw(`GET ${target} HTTP/1.1\r\nHost: a\r\nAccept: text/html\r\nConnection: close\r\n\r\n`).catch((error) => {
                throw new Error(`${target}, allocation ${n}: ${error.message}\n${JSON.stringify(server.log.slice(-3))}`);
            });
            put('allocation', 0);
            // A connection that closes unanswered or a 503 is the request's loss; a whole answer is right, whatever failed on its way.
            const status = /^HTTP\/1\.1 (\d{3})/.exec(answer.text)?.[1];
            const said = server.log.findLast((entry) => entry.event === 'request_failed')?.error;
            assert.ok([undefined, '200', '503'].includes(status), `${target}, allocation ${n}: ${said}: ${answer.text.slice(0, 200)}`);
            statuses.set(status, (statuses.get(status) ?? 0) + 1);
            if (read('failed') === failed) {
                break; // it needed fewer
            }
        }
        assert.ok((await server.get(target, asked)).status < 400, `${target} afterwards`);
    }
    t.diagnostic(JSON.stringify([...statuses]));
    assert.ok(statuses.get('503') > 100 && statuses.get(undefined) < statuses.get('503') / 4, 'most are told so');
    await server.stop();
});

test('an allocation or a read that fails in a reload costs that reload at the most', async (t) => {
    if (isSanitized()) {
        t.diagnostic('left out: a sanitizer has its own allocator');
        return;
    }
    const file = path.join(folder, 'reload.db');
    const plain = path.join(folder, 'plain.db');
    fs.copyFileSync(good, file);
    fs.copyFileSync(good, plain);
    execFileSync('sqlite3', [plain, "UPDATE provider SET name = name || '' WHERE slug = 'e2b'"]);
    const { server, put, read } = await startFaulty(['--db', file]);
    const truth = (await server.get('/data/providers/e2b.json')).json.provider;
    for (const [kind, from, dense] of [['allocation', good, 15], ['read', good, 15], ['allocation', plain, 15], ['read', plain, 20]]) {
        fs.copyFileSync(from, file);
        await reload(server);
        for (const n of counts(dense * TIMES, 1e8)) {
            const failed = read('failed');
            put(kind, n);
            const { event, error } = await reload(server);
            put(kind, 0);
            if (read('failed') === failed) {
                assert.equal(event, 'catalogue_loaded');
                break;
            }
            assert.ok(event === 'catalogue_loaded' || error.length > 5);
            assert.deepEqual((await server.get('/data/providers/e2b.json')).json.provider, truth, `${kind} ${n}`);
        }
    }
    await server.stop();
});

test('a clock that steps makes a new day, and no failure', async (t) => {
    if (isSanitized()) {
        t.diagnostic('left out: a sanitizer would report the shim');
        return;
    }
    const { server, put } = await startFaulty();
    for (const days of [400, -400, 0, 36_500, -20_000, 0]) {
        const from = server.log.length;
        put('clock_seconds', days * 86_400);
        await server.logged('catalogue_loaded', { from });
        assert.ok((await server.get('/', { headers: { accept: 'text/html' } })).status < 500, `${days} days`);
        assert.equal((await server.get('/data/providers.json')).status, 200, `${days} days`);
    }
    // Midnight during a reload for another reason.
    const from = server.log.length;
    server.signal('SIGHUP');
    await sleep(10);
    put('clock_seconds', 86_400);
    await server.logged('catalogue_loaded', { from, test: (entry) => entry.reason === 'SIGHUP' });
    await server.logged('catalogue_loaded', { from, test: (entry) => entry.reason === 'a new day' });
    await server.stop();
});

/** Seconds of processor time that a process has used. */
function processorSeconds(pid) {
    const words = fs.readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
    return (Number(words[11]) + Number(words[12])) / 100;
}

test('without handles left it serves whom it has, does not spin, and recovers', async () => {
    const server = await startServer({ args: ['--db', good] });
    execFileSync('prlimit', ['--pid', String(server.pid), '--nofile=40:40']);
    const kept = net.connect({ host: server.host, port: server.port });
    const ask = () =>
        new Promise((resolve) => {
            kept.once('data', (chunk) => resolve(chunk.toString()));
            kept.write('GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n');
        });
    assert.match(await ask(), /^HTTP\/1\.1 200/);
    const crowd = Array.from({ length: 120 }, () => net.connect({ host: server.host, port: server.port }).on('error', () => {}));
    await sleep(500);
    const before = processorSeconds(server.pid);
    assert.match(await ask(), /^HTTP\/1\.1 200/, 'who is in is served');
    await sleep(2000);
    const used = processorSeconds(server.pid) - before;
    assert.ok(used < 0.7, `it used ${used} s of processor time in two idle seconds`);
    assert.equal((await reload(server)).event, 'catalogue_refused', 'a reload needs a handle too');
    crowd.forEach((socket) => socket.destroy());
    await sleep(300);
    assert.equal((await server.get('/healthz')).status, 200);
    assert.equal((await reload(server)).event, 'catalogue_loaded');
    kept.destroy();
    await server.stop();
});

test('kill -9 leaves nothing behind that a new start would stumble over', async () => {
    const file = path.join(folder, 'killed.db');
    fs.copyFileSync(good, file);
    for (let i = 0; i < 3; i++) {
        const server = await startServer({ args: ['--db', file] });
        const busy = Array.from({ length: 20 }, () => server.get('/data/providers.json').catch(() => null));
        server.signal('SIGHUP');
        await Promise.race(busy);
        server.signal('SIGKILL');
        await Promise.all(busy);
    }
    const server = await startServer({ args: ['--db', file] });
    assert.equal((await server.get('/data/providers/e2b.json')).status, 200);
    assert.deepEqual(fs.readFileSync(file), bytes);
    await server.stop();
});

/** Kilobytes of memory in use. */
const resident = (pid) => Number(/VmRSS:\s+(\d+)/.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))[1]);

test('200 reloads under load: no failed request, no growth of memory', async (t) => {
    const file = path.join(folder, 'storm.db');
    fs.copyFileSync(good, file);
    const server = await startServer({ args: ['--db', file, '--workers', '2'] });
    let running = true;
    let count = 0;
    const failures = [];
    const client = async () => {
        const targets = ['/data/providers/e2b.json', '/', '/compare?gpu=true', '/sandboxes/modal/', '/search?q=gpu'];
        for (let i = 0; running; i++, count++) {
            const answer = await server.get(targets[i % targets.length]).catch((error) => ({ status: String(error) }));
            if (answer.status !== 200) {
                failures.push(answer.status);
            }
        }
    };
    const clients = Promise.all([client(), client(), client()]);
    let settled = 0;
    const reloads = Math.max(200, 200 * TIMES);
    for (let i = 0; i < reloads; i++) {
        assert.equal((await reload(server)).event, 'catalogue_loaded');
        if (i === reloads / 4) {
            settled = resident(server.pid);
        }
    }
    running = false;
    await clients;
    assert.deepEqual(failures, []);
    assert.ok(count > 20, `only ${count} requests`);
    const grown = resident(server.pid) - settled;
    t.diagnostic(`${count} requests, ${settled} KiB after a quarter, ${grown} KiB more at the end`);
    assert.ok(grown < settled * 0.15 + 4096, `memory grew by ${grown} KiB from ${settled} KiB`);
    await server.stop();
});
