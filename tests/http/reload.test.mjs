// A catalogue file: refused with one clear line, or served; a changed one becomes a new generation without a failed request.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { run, startServer } from './harness.mjs';

let folder;
let good;
before(async () => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'catalogue-'));
    good = path.join(folder, 'good.db');
    const built = await run(['build', '--out', good]);
    assert.equal(built.code, 0, built.stderr);
});
after(() => fs.rmSync(folder, { recursive: true, force: true }));

const sql = (file, text) => execFileSync('sqlite3', [file, text]).toString();

/** A copy of the good catalogue, changed by SQL. */
function changed(name, text) {
    const file = path.join(folder, name);
    fs.copyFileSync(good, file);
    sql(file, text);
    return file;
}

async function refuses(file, pattern, name) {
    const { code, stdout, stderr } = await run(['serve', '--listen', '127.0.0.1:0', '--db', file]);
    assert.equal(code, 1, `${name}: ${stderr}`);
    assert.equal(stdout, '');
    assert.equal(stderr.trim().split('\n').length, 1, `${name}: ${stderr}`);
    assert.match(stderr, pattern, name);
}

test('a catalogue that cannot be served is one clear line and exit code 1', async () => {
    const write = (name, bytes) => {
        const file = path.join(folder, name);
        fs.writeFileSync(file, bytes);
        return file;
    };
    const bytes = fs.readFileSync(good);
    const damaged = Buffer.from(bytes);
    damaged.fill(0xa5, 40_000, 60_000);
    await refuses(path.join(folder, 'none.db'), /No such file/, 'missing');
    await refuses(folder, /not a regular file/, 'a folder');
    await refuses(write('empty.db', ''), /empty|not a catalogue/, 'empty');
    await refuses(write('text.db', 'this is no database, but a longer text than the header of one'.repeat(20)), /not a database/, 'text');
    await refuses(write('cut.db', bytes.subarray(0, bytes.length / 2)), /malformed|damaged/, 'cut');
    await refuses(write('damaged.db', damaged), /malformed|damaged|cannot/, 'damaged');
    await refuses(changed('foreign.db', 'PRAGMA application_id = 7'), /not a catalogue/, 'foreign');
    await refuses(changed('old.db', 'PRAGMA user_version = 0'), /older schema/, 'older');
    await refuses(changed('new.db', 'PRAGMA user_version = 99'), /newer schema/, 'newer');
    await refuses(changed('dangling.db', "PRAGMA foreign_keys = OFF; UPDATE fact SET source = 'nowhere' WHERE rowid = 5"), /names a missing source: nowhere/, 'dangling');
    await refuses(changed('table.db', 'PRAGMA foreign_keys = OFF; DROP TABLE pair'), /lacks a table/, 'a table less');
    await refuses(changed('type.db', "UPDATE fact SET value = '\"many\"' WHERE provider = 'e2b' AND attribute = 'max_vcpu'"), /value-type: fact e2b max_vcpu /, 'a wrong type');
    await refuses(changed('json.db', "UPDATE fact SET value = '[broken' WHERE provider = 'e2b' AND attribute = 'isolation'"), /json: fact e2b isolation /, 'broken JSON');
});

test('a catalogue in WAL mode, and one with a reader, is served', async () => {
    const file = changed('wal.db', 'PRAGMA journal_mode = WAL; UPDATE provider SET name = \'E2B in WAL\' WHERE slug = \'e2b\'');
    const server = await startServer({ args: ['--db', file] });
    assert.equal((await server.get('/data/providers/e2b.json')).json.provider.name, 'E2B in WAL');
    await server.stop();
});

test('a changed file, and SIGHUP, make a new generation; a bad file leaves the old one', async () => {
    const file = path.join(folder, 'live.db');
    fs.copyFileSync(good, file);
    const server = await startServer({ args: ['--db', file] });
    const name = async () => (await server.get('/data/providers/e2b.json')).json.provider.name;
    const replace = (text) => {
        const next = changed('next.db', text);
        fs.renameSync(next, file);
    };
    assert.equal(await name(), 'E2B');
    const before = (await server.get('/data/providers.json')).json.generation;

    let from = server.log.length;
    replace("UPDATE provider SET name = 'E2B two' WHERE slug = 'e2b'");
    await server.logged('catalogue_loaded', { from });
    assert.equal(await name(), 'E2B two');
    assert.notEqual((await server.get('/data/providers.json')).json.generation, before);

    from = server.log.length;
    fs.writeFileSync(file, 'not a database at all, however long this text may be made to get over the header'.repeat(9));
    const refusal = await server.logged('catalogue_refused', { from });
    assert.match(refusal.error, /not a database/);
    assert.equal(await name(), 'E2B two');

    from = server.log.length;
    fs.rmSync(file);
    await server.logged('catalogue_refused', { from });
    assert.equal(await name(), 'E2B two');

    from = server.log.length;
    fs.copyFileSync(good, file);
    server.signal('SIGHUP');
    await server.logged('catalogue_loaded', { from });
    assert.equal(await name(), 'E2B');
    await server.stop();
});

test('an edit in place by another program is served too', async () => {
    const file = changed('edited.db', 'SELECT 1');
    const server = await startServer({ args: ['--db', file] });
    const from = server.log.length;
    sql(file, "UPDATE provider SET name = 'E2B edited' WHERE slug = 'e2b'");
    await server.logged('catalogue_loaded', { from });
    assert.equal((await server.get('/data/providers/e2b.json')).json.provider.name, 'E2B edited');
    await server.stop();
});

test('reloads under load fail no request', async () => {
    const file = path.join(folder, 'busy.db');
    fs.copyFileSync(good, file);
    const server = await startServer({ args: ['--db', file] });
    let running = true;
    const seen = [];
    const client = async () => {
        while (running) {
            seen.push((await server.get('/data/providers/e2b.json')).status);
        }
    };
    const clients = Promise.all([client(), client(), client(), client()]);
    for (let i = 0; i < 10; i++) {
        server.signal('SIGHUP');
        await new Promise((resolve) => setTimeout(resolve, 100));
    }
    running = false;
    await clients;
    assert.ok(seen.length > 20, `only ${seen.length} requests`);
    assert.deepEqual([...new Set(seen)], [200]);
    await server.stop();
});

test('SIGTERM under load lets every accepted request end', async () => {
    const server = await startServer();
    const answers = Array.from({ length: 40 }, () => server.get('/data/providers.json').then((answer) => answer.status));
    await Promise.race(answers);
    const stopped = server.stop();
    const results = await Promise.allSettled(answers);
    await stopped;
    for (const result of results) {
        // A connection that was never accepted may be refused; one that was gets its whole answer.
        assert.ok(result.status === 'fulfilled' ? result.value === 200 : /ECONNREFUSED|ECONNRESET|other side closed/.test(String(result.reason.cause)), String(result.reason?.cause));
    }
});

test('what was asked for is ready before a new generation is served, in each form and coding', async () => {
    const file = changed('ready.db', 'SELECT 1');
    const server = await startServer({ args: ['--db', file, '--admin', '127.0.0.1:0', '--log-level', 'debug'] });
    const { admin } = await server.logged('listening');
    const misses = async () => Number(/^\w*cache_misses_total (\d+)$/m.exec(await (await fetch(`http://${admin}/metrics`)).text())[1]);
    const asked = [
        ['/', 'text/html', 'gzip'],
        ['/', 'text/markdown', 'identity'],
        ['/sandboxes/e2b/', 'text/html', 'br'],
        ['/sandboxes/e2b.md', '*/*', 'gzip'],
        ['/data/providers/e2b.json', '*/*', 'br'],
        ['/compare?gpu=true&isolation=microvm', 'application/json', 'gzip'],
        ['/compare?isolation=microvm&providers=e2b,modal&format=csv', '*/*', 'gzip'],
        ['/compare.atom?isolation=microvm', '*/*', 'gzip'],
        ['/search?q=caf%C3%A9%20%26%20snapshot', 'text/html', 'gzip'],
    ];
    const ask = ([target, accept, coding]) => server.get(target, { headers: { accept, 'accept-encoding': coding } });
    for (const request of asked) {
        assert.equal((await ask(request)).status, 200, request[0]);
    }
    const before = await misses();
    assert.ok(before >= asked.length);
    const from = server.log.length;
    fs.renameSync(changed('ready-next.db', "UPDATE provider SET name = 'E2B anew' WHERE slug = 'e2b'"), file);
    await server.logged('catalogue_loaded', { from });
    const refilled = await server.logged('refilled', { from });
    assert.ok(refilled.made >= asked.length, JSON.stringify(refilled));
    for (const request of asked) {
        const answer = await ask(request);
        assert.equal(answer.status, 200, request[0]);
        if (/e2b/.test(request[0]) && !/csv/.test(request[0])) {
            assert.match(answer.text, /E2B anew/, request[0]);
        }
    }
    assert.equal(await misses(), before, 'nobody had to wait for an answer');
    await server.stop();
});
