// The examples of README.md say what the program says.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { run, startServer, TOP } from './harness.mjs';

const README_ORIGIN = 'http://127.0.0.1:8080';
const text = readFileSync(path.join(TOP, 'README.md'), 'utf8');

/** The ```console blocks, as { command, output }: a line after "$ " is a command, what follows is its output. */
function examples() {
    return [...text.matchAll(/^```console\n(.*?)^```$/gms)].flatMap(([, block]) =>
        block.split(/^\$ /m).slice(1).map((part) => {
            const end = part.indexOf('\n');
            return { command: part.slice(0, end), output: part.slice(end + 1) };
        }),
    );
}

let server;
before(async () => {
    server = await startServer();
});
after(() => server.stop());

test('the README has examples', () => {
    assert.ok(examples().length >= 4);
});

for (const { command, output } of examples()) {
    test(`README: ${command}`, async () => {
        const { stdout } = await promisify(execFile)('bash', ['-c', command.replaceAll(README_ORIGIN, server.origin)]);
        assert.equal(stdout.replaceAll(server.origin, README_ORIGIN), output);
    });
}

test('the README names every option of serve, and no other', async () => {
    const { stdout } = await run(['serve', '--help']);
    const options = (words) => [...new Set(words.match(/--[a-z][a-z-]*/g))].filter((name) => name !== '--help').sort();
    const table = /\| option \| default \| what \|\n(?:\|.*\n)+/.exec(text)[0];
    assert.deepEqual(options(table.replace(/\| -+ /g, '')), options(stdout));
});

test('the README names every command', async () => {
    const { stdout } = await run(['--help']);
    for (const [, name] of stdout.matchAll(/^ {2}([a-z]+) {2,}\S/gm)) {
        assert.match(text, new RegExp(`\`${name}\`|agent-sandboxes ${name}`), `${name} is missing`);
    }
});
