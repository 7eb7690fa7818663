// Instructions a request costs, as callgrind counts them: the same on every run of one program with one compiler and one set of libraries.
// They are held to tests/bench/instructions.json within 5 %. That file names what it was counted with; with any other compiler or library the
// numbers are printed and nothing fails, since they would compare compilers. --update writes the file anew.
import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { folder, freePort, get, load, PROGRAM, settle, sleep, TOP } from './tools.mjs';

const FILE = path.join(TOP, 'tests/bench/instructions.json');
const TOLERANCE = 1.05;
const COUNT = 200;
const CASES = {
    'hit, page': { targets: ['/about/'], fields: ['Accept: text/html', 'Accept-Encoding: gzip'] },
    'hit, JSON': { targets: ['/data/providers/e2b.json'], fields: ['Accept: */*', 'Accept-Encoding: gzip'] },
    'hit, 304': { targets: ['/data/providers/e2b.json'], fields: ['Accept: */*', 'Accept-Encoding: gzip', 'If-None-Match: *'] },
    'hit, HEAD': { targets: ['/data/providers/e2b.json'], fields: ['Accept: */*', 'Accept-Encoding: gzip'], method: 'HEAD' },
    'miss, /compare as JSON': { targets: Array.from({ length: 60 }, (_, i) => `/compare?format=json&isolation=microvm&max_session_seconds__gte=${600 + i}`), fields: [], count: 50, cold: true },
};

const shell = (command, ...args) => execFileSync(command, args, { encoding: 'utf8' });

/** What the numbers depend on beside the source. */
function surroundings() {
    const packages = ['libmicrohttpd12', 'libsqlite3-0', 'libjansson4', 'libc6', 'valgrind'];
    return {
        compiler: shell(process.env.CC ?? 'cc', '--version').split('\n')[0],
        architecture: process.arch,
        packages: Object.fromEntries(packages.map((name) => [name, shell('dpkg-query', '-W', '-f', '${Version}', name)])),
    };
}

async function count({ targets, fields, method, count: requests = COUNT, cold = false }) {
    const port = await freePort();
    const out = path.join(folder, `callgrind-${port}`);
    const child = spawn('valgrind', ['--tool=callgrind', `--callgrind-out-file=${out}`, PROGRAM, 'serve', '--listen', `127.0.0.1:${port}`, '--workers', '1', '--log-level', 'warn'], { stdio: 'ignore', cwd: TOP });
    while ((await get(port, '/healthz').then((answer) => answer.status, () => 0)) !== 200) {
        await sleep(100);
    }
    const server = { pid: child.pid, port };
    const warm = cold ? targets.slice(0, 5) : targets;
    await load(server, warm, { count: 5, connections: 1, fields, method });
    await settle(server);
    shell('callgrind_control', '-z', String(child.pid));
    await load(server, cold ? targets.slice(5) : targets, { count: requests, connections: 1, fields, method });
    shell('callgrind_control', '-d', String(child.pid));
    child.kill('SIGTERM');
    await new Promise((resolve) => child.on('close', resolve));
    return Math.round(Number(/^(?:summary|totals): (\d+)/m.exec(fs.readFileSync(`${out}.1`, 'utf8'))[1]) / requests);
}

const found = {};
for (const [name, one] of Object.entries(CASES)) {
    found[name] = await count(one);
}
const here = surroundings();
if (process.argv.includes('--update')) {
    fs.writeFileSync(FILE, `${JSON.stringify({ ...here, instructions: found }, null, 1)}\n`);
}
const { instructions: kept, ...there } = JSON.parse(fs.readFileSync(FILE, 'utf8'));
const alike = JSON.stringify(here) === JSON.stringify(there);
let grown = 0;
for (const [name, number] of Object.entries(found)) {
    const ratio = number / kept[name];
    grown += alike && ratio > TOLERANCE;
    console.log(`${!alike ? '   ' : ratio > TOLERANCE ? 'NO ' : 'ok '} ${name.padEnd(26)} ${String(number).padStart(10)}  ${kept[name]} kept, ${((ratio - 1) * 100).toFixed(1)} %`);
}
if (!alike) {
    console.log(`Not compared: counted with ${JSON.stringify(here)}, kept with ${JSON.stringify(there)}.`);
}
process.exit(grown > 0 ? 1 : 0);
