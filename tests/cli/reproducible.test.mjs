// build gives the same bytes wherever it runs: folder, language, time zone, umask, day, compiler.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { FOLDER, PROGRAM, TOP, path } from './tools.mjs';

const CLANG = join(TOP, 'build-tidy/agent-sandboxes'); // what scripts/lint leaves
const fromSeed = ['--seed', 'sql/seed.sql'];

/** What build writes, and its mode: { bytes, mode, stdout }. */
function built({ program = PROGRAM, args = [], cwd = TOP, env = {}, umask = '022' } = {}) {
    const out = path();
    const run = spawnSync('bash', ['-c', 'umask "$1"; shift; exec "$@"', 'bash', umask, program, 'build', '--out', out, ...args], { cwd, env: { ...process.env, ...env }, encoding: 'utf8' });
    assert.equal(run.status, 0, run.stderr);
    return { bytes: readFileSync(out), mode: statSync(out).mode & 0o777, generation: run.stdout.split('generation ')[1] };
}

const first = built({ args: fromSeed });

/** Moves the clock by so many days. */
function clock(days) {
    const shim = join(FOLDER, 'clock.so');
    const code = '#define _GNU_SOURCE\n#include <dlfcn.h>\n#include <stdlib.h>\n#include <time.h>\ntime_t time(time_t *out) {\n struct timespec now;\n clock_gettime(CLOCK_REALTIME, &now);\n now.tv_sec += atol(getenv("CLOCK_OFFSET"));\n if (out != NULL) *out = now.tv_sec;\n return now.tv_sec;\n}\n';
    writeFileSync(join(FOLDER, 'clock.c'), code);
    const made = spawnSync('cc', ['-shared', '-fPIC', '-o', shim, join(FOLDER, 'clock.c')], { encoding: 'utf8' });
    assert.equal(made.status, 0, made.stderr);
    return { LD_PRELOAD: shim, CLOCK_OFFSET: String(days * 86400), ASAN_OPTIONS: `${process.env.ASAN_OPTIONS ?? ''}:verify_asan_link_order=0` };
}

function elsewhere() {
    const folder = join(FOLDER, 'a folder, \u00e9lsewhere');
    mkdirSync(folder);
    cpSync(join(TOP, 'sql'), join(folder, 'sql'), { recursive: true });
    return folder;
}

const ways = {
    'again': {},
    'from another folder': { cwd: elsewhere() },
    'in German': { env: { LC_ALL: 'de_DE.UTF-8', LANG: 'de_DE.UTF-8' } },
    'in Turkish': { env: { LC_ALL: 'tr_TR.UTF-8', LANGUAGE: 'tr' } },
    'without a language': { env: { LC_ALL: 'C', LANG: '' } },
    'at the first time zone': { env: { TZ: 'Pacific/Kiritimati' } },
    'at the last time zone': { env: { TZ: 'America/Adak' } },
    'with a strict umask': { umask: '077' },
    'with no umask': { umask: '000' },
    'a year later': { env: clock(365) },
    'without a home': { env: { HOME: '/nonexistent', TMPDIR: FOLDER, USER: '' } },
};

for (const [words, way] of Object.entries(ways)) {
    test(`built ${words}, the catalogue has the same bytes`, () => {
        const other = built({ args: fromSeed, ...way });
        assert.ok(other.bytes.equals(first.bytes), `${other.bytes.length} and ${first.bytes.length} bytes`);
        assert.deepEqual([other.mode, other.generation], [0o644, first.generation]);
    });
}

test('the built-in catalogue has the same bytes', () => {
    assert.ok(built().bytes.equals(first.bytes));
});

test('built by a program that clang made, it has the same bytes', (context) => {
    const sources = ['sql/schema.sql', 'sql/seed.sql', ...readdirSync(join(TOP, 'src/catalogue')).map((name) => `src/catalogue/${name}`)].map((name) => statSync(join(TOP, name)).mtimeMs);
    if (!existsSync(CLANG) || statSync(CLANG).mtimeMs < Math.max(...sources)) {
        context.skip('there is no such program: scripts/lint makes it');
        return;
    }
    assert.ok(built({ program: CLANG, args: fromSeed }).bytes.equals(first.bytes));
    assert.ok(built({ program: CLANG }).bytes.equals(first.bytes));
});
