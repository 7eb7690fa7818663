// --help, the manual page and the completions say the same as the program.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { FOLDER, PROGRAM, TOP, expect, program } from './tools.mjs';

const commands = [...expect(0, '--help').matchAll(/^ {2}([a-z]+) /gm)].map((match) => match[1]);
const spoken = [...commands.map((name) => [name]), ...['provider', 'offering', 'source', 'measurement'].map((kind) => ['add', kind]), ['import', 'measurements'], ['import', 'providers'], ['sources', 'check']];
const options = (words) => [...expect(0, ...words, '--help').matchAll(/^ {2}(--[a-z0-9-]+)/gm)].map((match) => match[1]);

test('there are commands, in order', () => {
    assert.ok(commands.length >= 12);
    assert.deepEqual(commands, [...commands].sort());
});

for (const words of spoken) {
    test(`${words.join(' ')}: help goes to standard output, a wrong option is exit code 2`, () => {
        const run = program(...words, '--help');
        assert.deepEqual([run.status, run.stderr], [0, '']);
        assert.ok(run.stdout.startsWith(`Usage: agent-sandboxes ${words.join(' ')} `));
        assert.ok(options(words).includes('--help'));
        const wrong = program(...words, '--no-such-option');
        assert.deepEqual([wrong.status, wrong.stdout], [2, '']);
        assert.match(wrong.stderr, /^[^\n]*(see agent-sandboxes|say what)[^\n]*\n$/);
    });
}

test('the manual page is the one that scripts/make-man makes, with every option', () => {
    const made = spawnSync(join(TOP, 'scripts/make-man'), [PROGRAM], { encoding: 'utf8' });
    assert.equal(made.status, 0, made.stderr);
    const page = readFileSync(join(TOP, 'docs/agent-sandboxes.1'), 'utf8');
    assert.equal(page, made.stdout, 'run scripts/make-man >docs/agent-sandboxes.1');
    for (const words of spoken) {
        const part = page.split('.SS ').find((section) => section.startsWith(`${words.join(' ')}\n`));
        for (const option of options(words)) assert.ok(part.includes(`.TP\n.B ${option.replaceAll('-', '\\-')}`), `${words.join(' ')} ${option}`);
    }
});

test('the manual page has no fault, and the completion of zsh is well formed', () => {
    const lint = spawnSync('mandoc', ['-Tlint', '-W', 'warning', join(TOP, 'docs/agent-sandboxes.1')], { encoding: 'utf8' });
    assert.deepEqual([lint.error, lint.status, lint.stdout], [undefined, 0, '']);
    const zsh = spawnSync('zsh', ['-n', join(TOP, 'scripts/completions/_agent-sandboxes')], { encoding: 'utf8' });
    assert.deepEqual([zsh.error, zsh.status, zsh.stderr], [undefined, 0, '']);
});

function complete(...words) {
    const link = join(FOLDER, 'agent-sandboxes');
    try {
        symlinkSync(PROGRAM, link);
    } catch (error) {
        assert.equal(error.code, 'EEXIST');
    }
    const script = `source scripts/completions/agent-sandboxes.bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _agent_sandboxes; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const run = spawnSync('bash', ['-c', script, 'bash', link, ...words], { cwd: TOP, encoding: 'utf8' });
    assert.equal(run.status, 0, run.stderr);
    return run.stdout.trim().split('\n').filter((word) => word !== '').sort();
}

test('bash completes commands, options, kinds, words and files', () => {
    assert.deepEqual(complete(''), ['--help', '--version', ...commands].sort());
    assert.deepEqual(complete('he'), ['healthcheck']);
    for (const words of spoken.filter((one) => one[0] !== 'add' || one.length === 2)) assert.deepEqual(complete(...words, '--'), options(words).sort());
    assert.deepEqual(complete('add', 'm'), ['measurement']);
    assert.deepEqual(complete('import', 'm'), ['measurements']);
    assert.deepEqual(complete('import', 'providers', 'sql/se'), ['sql/seed.sql']);
    assert.deepEqual(complete('sources', 'c'), ['check']);
    assert.deepEqual(complete('set', '--basis', 'vendor'), ['vendor-claim', 'vendor-stated']);
    assert.deepEqual(complete('serve', '--confine', ''), ['auto', 'off', 'require']);
    assert.deepEqual(complete('export', '--static', 'sq'), ['sql']);
    assert.deepEqual(complete('check', '--seed', 'sql/se'), ['sql/seed.sql']);
    assert.deepEqual(complete('nothing', '--'), []);
});
