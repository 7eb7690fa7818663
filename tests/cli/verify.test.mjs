// verify: with real keys, made here.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { before, test } from 'node:test';
import { FOLDER, PROGRAM, expect, path, program } from './tools.mjs';

const ssh = (...args) => {
    const run = spawnSync('ssh-keygen', args, { encoding: 'utf8' });
    assert.ifError(run.error);
    assert.equal(run.status, 0, run.stderr);
};
const folder = join(FOLDER, 'a folder with -- blanks; and $(signs)');
const at = (name) => join(folder, name);
const DB = at('catalogue.db');
const SUMS = at('SHA256SUMS');
const SIGNERS = at('allowed_signers');

function sign(key, file, space = 'agent-sandboxes') {
    const copy = `${file}.${basename(key)}.${space}`;
    copyFileSync(file, copy);
    ssh('-q', '-Y', 'sign', '-f', key, '-n', space, copy);
    return `${copy}.sig`;
}

before(() => {
    mkdirSync(folder);
    for (const name of ['ada', 'eve']) ssh('-q', '-t', 'ed25519', '-N', '', '-C', name, '-f', at(name));
    const key = readFileSync(at('ada.pub'), 'utf8').split(' ').slice(0, 2).join(' ');
    writeFileSync(SIGNERS, `ada@example.org namespaces="agent-sandboxes" ${key}\n`);
    writeFileSync(at('expired'), `ada@example.org namespaces="agent-sandboxes",valid-before="20200101" ${key}\n`);
    writeFileSync(at('other-space'), `ada@example.org namespaces="git" ${key}\n`);
    expect(0, 'build', '--out', DB, '--sums', SUMS);
});

const verify = (file, signature, ...more) => program('verify', file, '--signature', signature, '--signers', SIGNERS, ...more);

test('SHA256SUMS is what sha256sum --check reads', () => {
    assert.match(readFileSync(SUMS, 'utf8'), /^[0-9a-f]{64} {2}catalogue\.db\n$/);
    const run = spawnSync('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: folder, encoding: 'utf8' });
    assert.equal(run.status, 0, run.stderr);
    const again = at('again.db');
    expect(0, 'build', '--out', again, '--sums', at('again'));
    assert.equal(readFileSync(at('again'), 'utf8').slice(0, 64), readFileSync(SUMS, 'utf8').slice(0, 64), 'the same bytes each time');
});

test('good: the file itself, and the sums that list it', () => {
    const run = verify(DB, sign(at('ada'), DB));
    assert.deepEqual([run.status, run.stdout, run.stderr], [0, `${DB}: good, signed by ada@example.org\n`, '']);
    const signature = sign(at('ada'), SUMS);
    assert.equal(verify(DB, signature, '--sums', SUMS).status, 0);
    assert.equal(verify(DB, signature, '--sums', SUMS, '--identity', 'ada@example.org').status, 0);
    const report = JSON.parse(verify(DB, signature, '--sums', SUMS, '--json').stdout);
    assert.deepEqual(report, { result: 'good', file: DB, signer: 'ada@example.org', why: null });
});

test('changed: one byte of the file, of the sums, of the listed file, or not listed', () => {
    const signature = sign(at('ada'), DB);
    const sums = sign(at('ada'), SUMS);
    const bytes = readFileSync(DB);
    for (const place of [0, bytes.length >> 1, bytes.length - 1]) {
        const copy = join(FOLDER, 'catalogue.db');
        const changed = Buffer.from(bytes);
        changed[place] ^= 1;
        writeFileSync(copy, changed);
        const run = verify(copy, signature);
        assert.deepEqual([run.status, run.stdout], [5, '']);
        assert.match(run.stderr, /changed: these are not the bytes that were signed/);
        const listed = verify(copy, sums, '--sums', SUMS);
        assert.equal(listed.status, 5);
        assert.match(listed.stderr, /SHA256SUMS gives it another digest/);
        // The attacker's own sums do not help.
        const forged = join(FOLDER, 'SHA256SUMS');
        writeFileSync(forged, spawnSync('sha256sum', ['catalogue.db'], { cwd: FOLDER }).stdout);
        assert.equal(verify(copy, sums, '--sums', forged).status, 5);
    }
    const stranger = path('.db');
    copyFileSync(DB, stranger);
    const run = verify(stranger, sums, '--sums', SUMS, '--json');
    assert.equal(run.status, 5);
    assert.match(JSON.parse(run.stdout).why, /does not list it/);
    writeFileSync(at('longer'), Buffer.concat([bytes, Buffer.from('\n')]));
    assert.equal(verify(at('longer'), signature).status, 5);
});

test('bad signature: another namespace, no signature at all, a spoilt one', () => {
    const other = verify(DB, sign(at('ada'), DB, 'git'));
    assert.equal(other.status, 3);
    assert.match(other.stderr, /bad signature: .*namespace/);
    assert.equal(verify(DB, sign(at('ada'), DB, 'git'), '--namespace', 'git').status, 4, 'the list allows her another namespace only');
    // Who was expected is not who signed.
    for (const identity of [[], ['--identity', 'ada@example.org']]) {
        const { result, signer } = JSON.parse(verify(DB, sign(at('ada'), DB, 'git'), ...identity, '--json').stdout);
        assert.deepEqual([result, signer], ['bad signature', null]);
    }
    const good = readFileSync(sign(at('ada'), DB), 'utf8');
    for (const text of ['', 'nonsense', good.slice(0, 100), good.replace('SSH SIGNATURE', 'SSH SIGNATURA'), good.replace('\n', '\nAAAA')]) {
        writeFileSync(at('spoilt.sig'), text);
        assert.equal(verify(DB, at('spoilt.sig')).status, 3, text);
    }
    // Each byte of the signature counts.
    const lines = good.split('\n');
    const body = Buffer.from(lines.slice(1, -2).join(''), 'base64');
    for (let i = 6; i < body.length; i += 13) {
        const spoilt = Buffer.from(body);
        spoilt[i] ^= 0x20;
        writeFileSync(at('spoilt.sig'), `${lines[0]}\n${spoilt.toString('base64')}\n${lines.at(-2)}\n`);
        assert.ok([3, 4, 5].includes(verify(DB, at('spoilt.sig')).status), `byte ${i}`);
    }
});

test('unknown signer: a stranger, a wrong name, a key that has expired or is for something else', () => {
    const stranger = verify(DB, sign(at('eve'), DB));
    assert.deepEqual([stranger.status, stranger.stdout], [4, '']);
    assert.match(stranger.stderr, /unknown signer: the key that signed is not listed/);
    const signature = sign(at('ada'), DB);
    for (const name of ['eve@example.org', 'ada@example.orgg', '-I', '*', '']) assert.equal(verify(DB, signature, '--identity', name).status, 4, name);
    assert.equal(verify(DB, sign(at('eve'), DB), '--identity', 'ada@example.org').status, 4);
    for (const list of ['expired', 'other-space', 'eve.pub']) assert.equal(program('verify', DB, '--signature', signature, '--signers', at(list)).status, 4, list);
});

test('nothing is run by a shell, and only ssh-keygen is run', () => {
    const tools = join(FOLDER, 'tools');
    mkdirSync(tools);
    const run = spawnSync(PROGRAM, ['verify', DB, '--signature', sign(at('ada'), DB), '--signers', SIGNERS], { encoding: 'utf8', env: { PATH: tools } });
    assert.equal(run.status, 1);
    assert.match(run.stderr, /ssh-keygen is not there: install openssh-client/);
    // What it gets of the environment is PATH and a language.
    writeFileSync(join(tools, 'ssh-keygen'), `#!/bin/sh\n/usr/bin/env >>"${tools}/seen"\nexit 1\n`);
    chmodSync(join(tools, 'ssh-keygen'), 0o755);
    const fake = spawnSync(PROGRAM, ['verify', DB, '--signature', SUMS, '--signers', SIGNERS], { encoding: 'utf8', env: { PATH: tools, SECRET: 'x', LD_LIBRARY_PATH: process.env.LD_LIBRARY_PATH ?? '' } });
    assert.equal(fake.status, 3);
    assert.deepEqual(readFileSync(join(tools, 'seen'), 'utf8').split('\n').map((line) => line.replace(/=.*/, '')).filter((name) => !['', 'PWD', '_', 'SHLVL', 'OLDPWD'].includes(name)).sort(), ['LC_ALL', 'PATH']);
    const marker = join(FOLDER, 'marker');
    for (const name of [`$(touch ${marker})`, `;touch ${marker}`, `|touch ${marker}`]) assert.equal(verify(DB, sign(at('ada'), DB), '--identity', name).status, 4);
    assert.equal(existsSync(marker), false);
});

test('faults and wrong command lines', () => {
    const signature = sign(at('ada'), DB);
    for (const args of [['/nowhere', '--signature', signature, '--signers', SIGNERS], [DB, '--signature', '/nowhere', '--signers', SIGNERS], [DB, '--signature', signature, '--signers', '/nowhere'], [DB, '--signature', signature, '--signers', SIGNERS, '--sums', '/nowhere']]) {
        const run = program('verify', ...args);
        assert.equal(run.status, 1, args.join(' '));
        assert.match(run.stderr, /cannot read \/nowhere/);
    }
    for (const args of [[], [DB], [DB, '--signature', signature], [DB, '--signers', SIGNERS], [DB, 'more', '--signature', signature, '--signers', SIGNERS]]) assert.equal(program('verify', ...args).status, 2, args.join(' '));
    symlinkSync(DB, at('link.db'));
    assert.equal(verify(at('link.db'), signature).status, 0);
});
