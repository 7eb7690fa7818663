// --templates and --public: files on disk instead of the built-in ones.
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { run, startServer, TOP } from './harness.mjs';

let folder;
before(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'folders-'));
    cpSync(path.join(TOP, 'templates'), path.join(folder, 'templates'), { recursive: true });
    cpSync(path.join(TOP, 'public'), path.join(folder, 'public'), { recursive: true });
});
after(() => rmSync(folder, { recursive: true, force: true }));

const inFolder = (...names) => path.join(folder, ...names);

test('a template in the folder is the one that is used', async () => {
    const file = inFolder('templates', 'html', 'page_about.html');
    const original = readFileSync(file, 'utf8');
    writeFileSync(file, original.replace('{{>part_foot}}', '<p>From the folder.</p>{{>part_foot}}'));
    const server = await startServer({ args: ['--templates', inFolder('templates')] });
    try {
        assert.match(await (await fetch(`${server.origin}/about/`)).text(), /<p>From the folder\.<\/p>/);
    } finally {
        await server.stop();
        writeFileSync(file, original);
    }
});

test('an asset in the folder is the one that is served, new ones too', async () => {
    writeFileSync(inFolder('public', 'site.css'), 'body { color: teal }\n');
    const server = await startServer({ args: ['--public', inFolder('public')] });
    try {
        const page = await (await fetch(`${server.origin}/`)).text();
        const [, address] = /<link rel="stylesheet" href="([^"]+)"/.exec(page);
        const answer = await fetch(server.origin + address);
        assert.equal(await answer.text(), 'body { color: teal }\n');
        assert.match(answer.headers.get('content-type'), /^text\/css/);
    } finally {
        await server.stop();
    }
});

for (const [option, name] of [['--templates', 'templates'], ['--public', 'public']]) {
    test(`${option} with a folder that is not there is one clear line and exit code 1`, async () => {
        const { code, stderr } = await run(['serve', '--listen', '127.0.0.1:0', option, inFolder('nowhere', name)]);
        assert.equal(code, 1);
        assert.match(stderr, /nowhere/);
        assert.equal(stderr.trim().split('\n').length, 1, stderr);
    });
}

test('a template that is missing or broken is one clear line that names it', async () => {
    const broken = inFolder('broken');
    cpSync(inFolder('templates'), broken, { recursive: true });
    const file = path.join(broken, 'html', 'page_about.html');
    writeFileSync(file, readFileSync(file, 'utf8').replace('{{>part_foot}}', '{{#open}}{{>part_foot}}'));
    const wrong = await run(['serve', '--listen', '127.0.0.1:0', '--templates', broken]);
    assert.equal(wrong.code, 1);
    assert.match(wrong.stderr, /page_about\.html/);
    rmSync(file);
    const missing = await run(['serve', '--listen', '127.0.0.1:0', '--templates', broken]);
    assert.equal(missing.code, 1);
    assert.match(missing.stderr, /page_about\.html/);
});
