// cmake --install: what lies where, below any prefix.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { PROGRAM, TOP } from '../http/harness.mjs';

const folder = mkdtempSync(path.join(os.tmpdir(), 'install-'));
after(() => rmSync(folder, { recursive: true, force: true }));

test('the unit starts the program that was installed with it', () => {
    const unit = readFileSync(path.join(TOP, 'packaging/agent-sandboxes.service'), 'utf8');
    for (const prefix of ['/usr', '/opt/sandboxes']) {
        const root = path.join(folder, path.basename(prefix));
        execFileSync('cmake', ['--install', path.dirname(PROGRAM), '--prefix', prefix], { env: { ...process.env, DESTDIR: root }, stdio: ['ignore', 'ignore', 'inherit'] });
        assert.ok((statSync(`${root}${prefix}/bin/agent-sandboxes`).mode & 0o111) !== 0);
        const installed = readFileSync(`${root}${prefix}/lib/systemd/system/agent-sandboxes.service`, 'utf8');
        assert.equal(installed, unit.replaceAll('/usr/bin/agent-sandboxes', `${prefix}/bin/agent-sandboxes`));
        assert.match(installed, new RegExp(`^ExecStart=${prefix}/bin/agent-sandboxes serve .*\n`, 'm'));
    }
});
