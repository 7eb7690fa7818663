// What the tests of commands share: the program, the plain sqlite3 shell, and catalogues of their own to spoil.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after } from 'node:test';

export { patience } from '../http/harness.mjs';

export const TOP = resolve(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '../..');
export const PROGRAM = resolve(TOP, process.env.AGENT_SANDBOXES ?? 'build/agent-sandboxes');
export const FOLDER = mkdtempSync(join(tmpdir(), 'agent-sandboxes-cli-'));
after(() => rmSync(FOLDER, { recursive: true, force: true }));

const MAXIMUM_BYTES = 1 << 28;

/** Runs a command of the program to its end: { status, stdout, stderr }. */
export function program(...args) {
    const run = spawnSync(PROGRAM, args, { cwd: TOP, encoding: 'utf8', maxBuffer: MAXIMUM_BYTES });
    assert.ifError(run.error);
    return run;
}

/** The same, and it must end with this status; answers its standard output. */
export function expect(status, ...args) {
    const run = program(...args);
    assert.equal(run.status, status, `${args.join(' ')}\n${run.stdout.slice(0, 2000)}\n${run.stderr}`);
    return run.stdout;
}

/** Runs a command with --json and reads its answer. */
export const answer = (status, ...args) => JSON.parse(expect(status, ...args, '--json'));

/** Runs SQL in a database file with the plain shell; answers rows as objects. */
export function sql(database, text) {
    const run = spawnSync('sqlite3', ['-batch', '-bail', '-json', database], { input: text, encoding: 'utf8', maxBuffer: MAXIMUM_BYTES });
    assert.ifError(run.error);
    assert.equal(run.status, 0, `${text}\n${run.stderr}`);
    return run.stdout === '' ? [] : JSON.parse(run.stdout);
}

const built = join(FOLDER, 'built.db');
let count = 0;

/** A file name of one's own. */
export const path = (ending = '.db') => join(FOLDER, `${(count += 1)}${ending}`);

/** A copy of the built-in catalogue as a file, with SQL run on it. */
export function catalogue(changes = '') {
    if (!existsSync(built)) {
        expect(0, 'build', '--out', built);
    }
    const copy = path();
    copyFileSync(built, copy);
    if (changes !== '') {
        sql(copy, changes);
    }
    return copy;
}

/** A source of numbers below 1 that gives the same ones each time. */
export function random(seed) {
    let state = seed >>> 0;
    return () => {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        return state / 2 ** 32;
    };
}
