// The bench: this program beside its peers on one machine, as ratios. See docs/performance.md.
// usage: bench.mjs [--quick] [--json FILE] [--only WORD[,WORD]]
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import zlib from 'node:zlib';
import { compile, cpu, folder, freePort, get, idle, load, median, PROGRAM, resident, serve, settle, sleep, start, TOP, wrk } from './tools.mjs';

const options = process.argv.slice(2);
const quick = options.includes('--quick');
const value = (name) => (options.includes(name) ? options[options.indexOf(name) + 1] : undefined);
const only = value('--only')?.split(',');
const rounds = quick ? 3 : 9;
const HITS = quick ? 8000 : 20000;
const rows = [];

/** One row of the table: what was measured, what it must reach, and whether it does. */
function row(what, measured, limit, more = {}) {
    const good = limit === undefined ? undefined : measured <= limit;
    rows.push({ what, measured: Number(measured.toPrecision(4)), limit, reached: good, ...more });
    const beside = Object.entries(more).map(([name, one]) => `${name} ${typeof one === 'number' ? Number(one.toPrecision(4)) : one}`).join(', ');
    console.log(`${good === undefined ? '   ' : good ? 'ok ' : 'NO '} ${what.padEnd(66)} ${String(Number(measured.toPrecision(4))).padStart(9)}${limit === undefined ? '' : ` <= ${limit}`}  ${beside}`);
}

/* --- cached answers ------------------------------------------------------------------------------------------------------- */

const PAGES = ['/', '/data/providers/e2b.json'];
const CODINGS = { gzip: ['Accept-Encoding: gzip'], identity: [] };

async function startNginx(ours) {
    const root = path.join(folder, 'www');
    const port = await freePort();
    for (const page of PAGES) {
        const file = path.join(root, page.endsWith('/') ? `${page}index.html` : page);
        fs.mkdirSync(path.dirname(file), { recursive: true });
        fs.writeFileSync(file, (await get(ours.port, page)).body);
        fs.writeFileSync(`${file}.gz`, (await get(ours.port, page, { 'accept-encoding': 'gzip' })).body);
    }
    fs.writeFileSync(path.join(folder, 'nginx.conf'), `daemon off; worker_processes 1; pid ${folder}/nginx.pid; error_log ${folder}/nginx.log;
events { worker_connections 4096; }
http {
    access_log off; sendfile on; tcp_nopush on; tcp_nodelay on; keepalive_timeout 60; keepalive_requests 100000000; etag on; gzip_static on; gzip_vary on;
    open_file_cache max=1000 inactive=1h; open_file_cache_valid 1h;
    types { text/html html; application/json json; }
    server { listen 127.0.0.1:${port}; root ${root}; }
}
`);
    return start(['nginx', '-p', folder, '-c', path.join(folder, 'nginx.conf'), '-e', path.join(folder, 'nginx.log')], port);
}

/** The floor sends the same bytes, head and all. */
async function startFloor(program, ours, page, coding) {
    const answer = await get(ours.port, page, coding === 'gzip' ? { 'accept-encoding': 'gzip' } : {});
    const head = [];
    for (let i = 0; i < answer.raw.length; i += 2) {
        head.push(`${answer.raw[i]}: ${answer.raw[i + 1]}\r\n`);
    }
    const file = path.join(folder, `floor-${coding}${page.replaceAll('/', '_')}`);
    fs.writeFileSync(file, Buffer.concat([Buffer.from(`HTTP/1.1 200 OK\r\n${head.filter((line) => !/^connection/i.test(line)).join('')}\r\n`), answer.body]));
    const port = await freePort();
    return start([program, String(port), file], port);
}

/** Alternating rounds over all servers; the medians. */
async function alternate(servers, measure) {
    const found = servers.map(() => []);
    for (let round = 0; round < rounds; round++) {
        for (const [i, server] of servers.entries()) {
            found[i].push(await measure(server, i));
        }
    }
    return found.map((list) => list);
}

async function hits() {
    const ours = await serve(['--workers', '1', '--address-connections', '0']);
    await settle(ours);
    const nginx = await startNginx(ours);
    const program = compile('floor');
    for (const page of PAGES) {
        for (const [coding, fields] of Object.entries(CODINGS)) {
            const floor = await startFloor(program, ours, page, coding);
            const all = (await alternate([ours, nginx, floor], (server) => load(server, [page], { count: HITS, fields }))).map((list) => median(list.map((one) => one.cpu)));
            const [own, its, least] = all;
            row(`hit ${page} ${coding}: processor time, of nginx`, own / its, 0.75, { 'us': own, 'nginx us': its });
            row(`hit ${page} ${coding}: processor time, of the floor`, own / least, 1.35, { 'floor us': least });
            await floor.stop();
            if (coding === 'gzip') {
                const lines = await alternate([ours, nginx], (server) => wrk(server, page, { seconds: quick ? 2 : 4, fields }));
                const [rate, other] = lines.map((list) => median(list.map((one) => one.rate)));
                const [late, later] = lines.map((list) => median(list.map((one) => one.p99)));
                row(`hit ${page} ${coding}: 64 connections, nginx's rate of ours`, other / rate, 1 / 1.2, { 'per second': rate, nginx: other });
                row(`hit ${page} ${coding}: 64 connections, p99, of nginx's`, late / later, 1, { ms: late, nginx: later });
            }
        }
        const tag = (await get(ours.port, page, { 'accept-encoding': 'gzip' })).headers.etag;
        const kinds = [{}, { fields: [...CODINGS.gzip, `If-None-Match: ${tag}`] }, { method: 'HEAD' }];
        const costs = await alternate([ours, ours, ours], (server, i) => load(server, [page], { count: HITS, fields: CODINGS.gzip, ...kinds[i] }));
        const [full, unchanged, head] = costs.map((list) => median(list.map((one) => one.cpu)));
        row(`304 ${page}: of a 200`, unchanged / full, 1, { us: unchanged });
        row(`HEAD ${page}: of a 200`, head / full, 1, { us: head });
    }
    await nginx.stop();
    await ours.stop();
}

/* --- questions ------------------------------------------------------------------------------------------------------------ */

/** Questions of which no two are the same. */
function* questions(seed = 0) {
    const isolation = ['microvm', 'container', 'vm', 'gvisor', 'microvm,vm'];
    for (let i = seed; ; i++) {
        yield `/compare?format=json&max_session_seconds__gte=${600 + i}&isolation=${isolation[i % isolation.length]}&limit=${10 + (i % 40)}`;
    }
}

function take(count, seed) {
    const list = [];
    for (const one of questions(seed)) {
        list.push(one);
        if (list.length === count) {
            return list;
        }
    }
    return list;
}

async function compare() {
    const file = path.join(folder, 'catalogue.db');
    execFileSync(PROGRAM, ['build', '--out', file]);
    const ours = await serve(['--workers', '1', '--address-connections', '0']);
    await settle(ours);
    const port = await freePort();
    const peer = await start([process.execPath, path.join(TOP, 'tests/bench/peer.mjs'), String(port), file], port, '/compare');
    for (const target of take(5, 0)) {
        const [one, other] = await Promise.all([ours, peer].map(async (server) => JSON.parse((await get(server.port, target)).body)));
        if (one.counts.matches !== other.counts.matches) {
            throw new Error(`the peer answers ${target} otherwise: ${JSON.stringify(other.counts)}, not ${JSON.stringify(one.counts)}`);
        }
    }
    const count = quick ? 100 : 1000;
    let seed = 1000;
    await load(peer, take(count, 1), { count });
    const lists = await alternate([ours, peer], (server) => load(server, take(count, (seed += count)), { count }));
    const [own, other] = lists.map((list) => median(list.map((one) => one.cpu)));
    row('/compare never asked before, JSON: processor time, of the Node peer', own / other, 0.2, { us: own, 'peer us': other, 'p50 ms': median(lists[0].map((one) => one.p50)) });
    await peer.stop();
    await ours.stop();
}

/* --- start, memory, connections ---------------------------------------------------------------------------------------------- */

/** Medians of the milliseconds until a server without more options answers target, and of the processor time that it took. */
async function timeStarts(target) {
    const times = [];
    const used = [];
    for (let i = 0; i < (quick ? 7 : 21); i++) {
        const port = await freePort();
        const server = await start([PROGRAM, 'serve', '--listen', `127.0.0.1:${port}`, '--log-level', 'warn'], port, target, false);
        times.push(server.milliseconds);
        used.push(cpu(server.pid) / 1e6);
        await server.stop();
    }
    return { ms: median(times), least: Math.min(...times), cpu: median(used) };
}

async function starts() {
    const first = await timeStarts('/healthz');
    row('start to the first 200 (/healthz), ms', first.ms, 80, { least: first.least, 'processor ms': first.cpu });
    const page = await timeStarts('/');
    row('start to the first page (/), ms', page.ms, undefined, { least: page.least, 'processor ms': page.cpu });
}

async function memory() {
    const server = await serve(['--address-connections', '0']);
    const before = resident(server.pid);
    const map = String((await get(server.port, '/sitemap.xml')).body);
    const pages = [...map.matchAll(/<loc>https?:\/\/[^/]+([^<]*)<\/loc>/g)].map(([, at]) => at.replaceAll('&amp;', '&'));
    for (const coding of ['identity', 'gzip', 'br', 'zstd']) {
        await load(server, pages, { count: pages.length, connections: 4, fields: [`Accept-Encoding: ${coding}`] });
    }
    row(`memory after ${pages.length} pages in four codings, MB resident`, resident(server.pid) / 1e6, 40, { 'at start': before / 1e6 });
    const count = quick ? 2000 : 10000;
    const rest = resident(server.pid);
    const quiet = (await load(server, ['/'], { count: 2000, fields: CODINGS.gzip })).cpu;
    await idle(server, count, async () => {
        row(`${count} idle connections, KB each`, (resident(server.pid) - rest) / count / 1000, 12);
        const busy = await load(server, ['/'], { count: 2000, fields: CODINGS.gzip });
        row('a hit beside them: processor time, of one without', busy.cpu / quiet, 1.25, { failed: busy.failed });
    });
    await server.stop();
}

/* --- a large catalogue --------------------------------------------------------------------------------------------------------- */

/** A catalogue with each provider times times, checked and sealed; kept from run to run. */
function grow(times) {
    const kept = path.join(os.tmpdir(), 'agent-sandboxes-bench');
    fs.mkdirSync(kept, { recursive: true });
    const seed = execFileSync(PROGRAM, ['build', '--out', path.join(folder, 'small.db')], { encoding: 'utf8' }).trim().split(' ').at(-1);
    const file = path.join(kept, `${seed.slice(0, 12)}-${times}.db`);
    if (!fs.existsSync(file)) {
        console.log(`    growing the catalogue ${times} times ...`);
        const raw = path.join(kept, 'raw.db');
        fs.copyFileSync(path.join(folder, 'small.db'), raw);
        const sql = fs.readFileSync(path.join(TOP, 'tests/bench/grow.sql'), 'utf8').replace('i<999', `i<${times - 1}`);
        execFileSync('sqlite3', [raw], { input: sql });
        execFileSync(PROGRAM, ['build', '--db', raw, '--out', file]);
        fs.rmSync(raw);
    }
    return file;
}

/** A page of 50 of a selective filter, each time another question; medians of the rounds. */
async function selective(server, times) {
    const lists = [];
    for (let round = 0; round < rounds; round++) {
        const targets = Array.from({ length: 100 }, (_, i) => `/compare?format=json&isolation=microvm&gpu=true&max_session_seconds__gte=${3600 + round * 100 + i}&limit=50`);
        lists.push(await load(server, targets, { count: 100, connections: 1 }));
    }
    const body = JSON.parse((await get(server.port, '/compare?format=json&isolation=microvm&gpu=true&max_session_seconds__gte=3599&limit=50')).body);
    const [p50, used] = ['p50', 'cpu'].map((key) => median(lists.map((one) => one[key])));
    row(`${times} x the catalogue: selective filter, p50 ms`, p50, times === 1000 ? 5 : undefined, { 'us of processor time': used, matches: body.counts.matches, shown: body.matches.length, of: body.counts.considered });
    return { p50, used };
}

async function large() {
    const sizes = quick ? [1, 10, 100] : [1, 100, 1000];
    const found = [];
    for (const times of sizes) {
        const port = await freePort();
        const file = grow(times);
        const server = await start([PROGRAM, 'serve', '--listen', `127.0.0.1:${port}`, '--log-level', 'warn', '--workers', '2', '--address-connections', '0', '--db', file], port, '/healthz', false);
        row(`${times} x the catalogue: start, s`, server.milliseconds / 1000, times === 1000 ? 4 : undefined, { 'of processor time': cpu(server.pid) / 1e9, MB: fs.statSync(file).size / 1e6 });
        await settle(server);
        found.push(await selective(server, times));
        row(`${times} x the catalogue: MB resident`, resident(server.pid) / 1e6);
        await reload(server, times);
        await server.stop();
    }
    for (let i = 1; i < sizes.length; i++) {
        const root = Math.sqrt(sizes[i] / sizes[i - 1]);
        row(`selective filter from ${sizes[i - 1]} x to ${sizes[i]} x: growth of the p50, of the square root`, found[i].p50 / found[i - 1].p50 / root, 1, { 'of processor time': found[i].used / found[i - 1].used / root });
    }
}

/** The longest wait for an answer from the cache while the catalogue is loaded anew, beside as long a time without. */
async function reload(server, times) {
    const measure = () => load(server, ['/data/providers/e2b.json'], { count: quick ? 5000 : 20000, connections: 2 });
    await measure();
    const quiet = [await measure(), await measure(), await measure()];
    const busy = [];
    const until = Date.now() + 2 * server.milliseconds + 2000;
    server.signal('SIGHUP');
    while (Date.now() < until) {
        busy.push(await measure());
    }
    const worst = (list, key) => Math.max(...list.map((one) => one[key]));
    row(`${times} x the catalogue: longest wait of others while it loads, ms`, worst(busy, 'max'), times === 1000 ? 5 : undefined, { 'p99.9': worst(busy, 'p999'), 'longest without': worst(quiet, 'max'), failed: busy.reduce((sum, one) => sum + one.failed, 0) });
}

/** Answers while new generations come, one every 200 ms, and while none does. */
async function generations() {
    const file = path.join(folder, 'live.db');
    execFileSync(PROGRAM, ['build', '--out', file]);
    const server = await serve(['--db', file, '--address-connections', '0']);
    const targets = ['/', '/data/providers/e2b.json', '/data/providers/modal.json', '/compare?gpu=true&format=json'];
    const measure = () => load(server, targets, { count: quick ? 20000 : 60000, connections: 16 });
    await measure();
    const quiet = [];
    const busy = [];
    for (let round = 0; round < 3; round++) {
        quiet.push(await measure());
        const timer = setInterval(() => server.signal('SIGHUP'), 1000);
        busy.push(await measure());
        clearInterval(timer);
        await sleep(300);
    }
    row('new generations under load: failed requests', busy.reduce((sum, one) => sum + one.failed, 0), 0);
    row('new generations under load: p99.9, of the quiet one', median(busy.map((one) => one.p999)) / median(quiet.map((one) => one.p999)), 3, { ms: median(busy.map((one) => one.p999)), quiet: median(quiet.map((one) => one.p999)) });
    await server.stop();
}

const parts = { hits, compare, starts, memory, generations, large };
for (const [name, part] of Object.entries(parts)) {
    if (only === undefined || only.includes(name)) {
        try {
            await part();
        } catch (error) {
            console.log(`NO  ${name}: ${error.stack}`);
            rows.push({ what: name, error: error.message, reached: false });
        }
    }
}
const json = value('--json');
if (json !== undefined) {
    fs.writeFileSync(json, `${JSON.stringify({ program: execFileSync(PROGRAM, ['--version'], { encoding: 'utf8' }).trim(), processors: os.cpus().length, quick, rounds, rows }, null, 1)}\n`);
}
process.exit(rows.some((one) => one.reached === false) ? 1 : 0);
