// The server confines itself: what /proc says of the running process, and that it serves and reloads all the same.
// tests/unit/confine_test.c tries the forbidden from inside. A build for sanitizers or coverage leaves most of it out, and says so.
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
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'confine-'));
    good = path.join(folder, 'good.db');
    assert.equal((await run(['build', '--out', good])).code, 0);
});
after(() => fs.rmSync(folder, { recursive: true, force: true }));

/** { thread: { NoNewPrivs: '1', ... } } of every thread of the server. */
function threads({ pid }) {
    const words = (thread) => fs.readFileSync(`/proc/${pid}/task/${thread}/status`, 'utf8');
    return Object.fromEntries(
        fs.readdirSync(`/proc/${pid}/task`).map((thread) => [thread, Object.fromEntries([...words(thread).matchAll(/^(\w+):\s*(.*)$/gm)].map(([, name, value]) => [name, value]))]),
    );
}

test('the process that answers holds no client for the network', async () => {
    const server = await startServer();
    try {
        const libraries = fs.readFileSync(`/proc/${server.pid}/maps`, 'utf8');
        assert.match(libraries, /libmicrohttpd/);
        assert.doesNotMatch(libraries, /libcurl|libssl/);
    } finally {
        await server.stop();
    }
});

const LAYERS = ['no_new_privileges', 'no_core', 'no_capabilities', 'landlock', 'seccomp'];

test('the log says what is active, and every thread is held by it', async (t) => {
    const server = await startServer({ args: ['--db', good, '--admin', '127.0.0.1:0'] });
    const said = await server.logged('confinement');
    await Promise.all(Array.from({ length: 40 }, () => server.get('/data/providers/e2b.json')));
    for (const layer of LAYERS) {
        if (said[layer] !== 'on') {
            t.diagnostic(`NOT PROVABLE HERE: ${layer} is ${said[layer]}`);
        }
    }
    const all = Object.values(threads(server));
    assert.ok(all.length >= 3);
    for (const status of all) {
        assert.equal(status.NoNewPrivs, said.no_new_privileges === 'on' ? '1' : '0');
        assert.equal(status.Seccomp, said.seccomp === 'on' ? '2' : '0');
        if (said.no_capabilities === 'on') {
            assert.match(status.CapEff + status.CapPrm + status.CapInh + status.CapAmb, /^0+$/);
        }
    }
    if (said.seccomp === 'on') {
        assert.ok(all.some((status) => status.Seccomp_filters === '2'), 'a thread that answered has a list of its own');
    }
    const { admin } = await server.logged('listening');
    assert.match(await (await fetch(`http://${admin}/metrics`)).text(), /process_open_fds [1-9]/);
    await server.stop();
});

test('a confined server takes over a renamed, an edited, and a WAL catalogue', async () => {
    const file = path.join(folder, 'live.db');
    fs.copyFileSync(good, file);
    const server = await startServer({ args: ['--db', file] });
    const sql = (text, name = file) => execFileSync('sqlite3', [name, text]);
    const name = async () => (await server.get('/data/providers/e2b.json')).json.provider.name;
    let from = server.log.length;
    const next = path.join(folder, 'next.db');
    fs.copyFileSync(good, next);
    sql("UPDATE provider SET name = 'renamed' WHERE slug = 'e2b'", next);
    fs.renameSync(next, file);
    await server.logged('catalogue_loaded', { from });
    assert.equal(await name(), 'renamed');
    from = server.log.length;
    sql("UPDATE provider SET name = 'edited' WHERE slug = 'e2b'");
    await server.logged('catalogue_loaded', { from });
    assert.equal(await name(), 'edited');
    from = server.log.length;
    sql("PRAGMA journal_mode = WAL; UPDATE provider SET name = 'in WAL' WHERE slug = 'e2b'");
    await server.logged('catalogue_loaded', { from });
    assert.equal(await name(), 'in WAL');
    assert.deepEqual(server.log.filter((entry) => entry.event === 'catalogue_refused'), []);
    await server.stop();
});

test('--confine=off gives up nothing; require starts only where everything is there', async () => {
    const free = await startServer({ args: ['--confine', 'off'] });
    const said = await free.logged('confinement');
    LAYERS.forEach((layer) => assert.equal(said[layer], 'off'));
    assert.equal(Object.values(threads(free))[0].NoNewPrivs, fs.readFileSync('/proc/self/status', 'utf8').match(/NoNewPrivs:\s*(\d)/)[1]);
    await free.stop();

    const probe = await startServer();
    const complete = LAYERS.every((layer) => ['on', 'partly'].includes((probe.log.find((entry) => entry.event === 'confinement') ?? {})[layer]));
    await probe.stop();
    if (complete) {
        const strict = await startServer({ args: ['--confine', 'require'] });
        assert.equal((await strict.get('/')).status, 200);
        await strict.stop();
    } else {
        const { code, stderr } = await run(['serve', '--listen', '127.0.0.1:0', '--confine', 'require']);
        assert.equal(code, 1);
        assert.match(stderr, /--confine=require, but /);
    }
    assert.equal((await run(['serve', '--confine', 'please'])).code, 2);
});
