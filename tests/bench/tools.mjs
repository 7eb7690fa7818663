// Processes, processor time and memory, for the benches.
import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const TOP = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
export const PROGRAM = path.resolve(TOP, process.env.AGENT_SANDBOXES ?? 'build/agent-sandboxes');
export const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bench-'));
const children = new Set();
process.on('exit', () => {
    children.forEach((child) => child.kill('SIGKILL'));
    fs.rmSync(folder, { recursive: true, force: true });
});
process.on('SIGINT', () => process.exit(130));

export const median = (values) => values.toSorted?.((a, b) => a - b)[values.length >> 1] ?? [...values].sort((a, b) => a - b)[values.length >> 1];
export const sleep = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const many = os.cpus().length > 1;

/** The server runs on the last processor, what asks it on the first. */
export const pinned = (command, last) => (many ? ['taskset', '-c', String(last ? os.cpus().length - 1 : 0), ...command] : command);

export function freePort() {
    return new Promise((resolve) => {
        const server = net.createServer().listen(0, '127.0.0.1', () => {
            const { port } = server.address();
            server.close(() => resolve(port));
        });
    });
}

export function get(port, target, headers = {}) {
    return new Promise((resolve, reject) => {
        http.get({ host: '127.0.0.1', port, path: target, headers, agent: false }, (answer) => {
            const parts = [];
            answer.on('data', (part) => parts.push(part));
            answer.on('end', () => resolve({ status: answer.statusCode, headers: answer.headers, raw: answer.rawHeaders, body: Buffer.concat(parts) }));
            answer.on('error', reject);
        }).on('error', reject);
    });
}

/** Starts a server and waits for its first answer to target; answers { pid, port, milliseconds, stop }. */
export async function start(command, port, target = '/', pin = true) {
    const began = process.hrtime.bigint();
    const child = spawn(...split(pin ? pinned(command, true) : command), { cwd: TOP, stdio: ['ignore', 'ignore', 'inherit'] });
    children.add(child);
    for (;;) {
        const status = await get(port, target).then((answer) => answer.status, () => 0);
        if (status !== 0) {
            break;
        }
        if (child.exitCode !== null) {
            throw new Error(`${command[0]} ended`);
        }
        await sleep(1);
    }
    const milliseconds = Number(process.hrtime.bigint() - began) / 1e6;
    return {
        pid: child.pid,
        port,
        milliseconds,
        signal: (name) => child.kill(name),
        stop: () => new Promise((resolve) => {
            child.on('close', () => {
                children.delete(child);
                resolve();
            });
            child.kill('SIGTERM');
        }),
    };
}
const split = ([command, ...args]) => [command, args];

/** Starts this program. */
export async function serve(args = [], pin = true) {
    const port = await freePort();
    return start([PROGRAM, 'serve', '--listen', `127.0.0.1:${port}`, '--log-level', 'warn', ...args], port, '/healthz', pin);
}

/** Processor time of a process and its children, in nanoseconds. */
export function cpu(pid) {
    const tasks = fs.readdirSync(`/proc/${pid}/task`);
    const own = tasks.reduce((sum, task) => sum + Number(fs.readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ')[0]), 0);
    const kids = tasks.flatMap((task) => fs.readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean));
    return own + kids.reduce((sum, kid) => sum + cpu(kid), 0);
}

/** Waits until a server rests: what it makes ahead, it begins a second or two after its start. */
export async function settle({ pid }) {
    await sleep(3000);
    for (let before = -Infinity, now = cpu(pid); now - before > 20e6; ) {
        await sleep(1000);
        [before, now] = [now, cpu(pid)];
    }
}

export const resident = (pid) => Number(/VmRSS:\s+(\d+)/.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) * 1024;

export function compile(name) {
    const out = path.join(folder, name);
    execFileSync(process.env.CC ?? 'cc', ['-O2', '-D_GNU_SOURCE', '-o', out, path.join(TOP, 'tests/bench', `${name}.c`)]);
    return out;
}

let loader;
let files = 0;
/** Asks count times for the targets in turn; answers what load.c prints, and the processor time per request where a server is given. */
export function load(server, targets, { count, connections = 8, method = 'GET', fields = [] }) {
    loader ??= compile('load');
    const file = path.join(folder, `targets-${files++}`);
    fs.writeFileSync(file, `${targets.join('\n')}\n`);
    const before = cpu(server.pid);
    return new Promise((resolve, reject) => {
        const child = spawn(...split(pinned([loader, String(server.port), String(connections), String(count), method, file, ...fields], false)), { stdio: ['ignore', 'pipe', 'inherit'] });
        let text = '';
        child.stdout.setEncoding('utf8').on('data', (part) => (text += part));
        child.on('close', (code) => (code === 0 ? resolve({ ...JSON.parse(text), cpu: (cpu(server.pid) - before) / count / 1000 }) : reject(new Error(`load: ${code}`))));
    });
}

/** Opens idle connections and calls work while they are held. */
export async function idle(server, connections, work) {
    loader ??= compile('load');
    const file = path.join(folder, 'idle');
    fs.writeFileSync(file, '/healthz\n');
    const child = spawn(loader, [String(server.port), String(connections), 'idle', 'GET', file], { stdio: ['pipe', 'pipe', 'inherit'] });
    await new Promise((resolve, reject) => {
        child.stdout.once('data', resolve);
        child.on('close', () => reject(new Error('the idle connections ended')));
    });
    const answer = await work();
    child.stdin.end();
    return answer;
}

/** wrk, its requests a second and its 99th percentile in milliseconds. */
export async function wrk(server, target, { seconds, connections = 64, fields = [] }) {
    const args = ['wrk', '-t1', `-c${connections}`, `-d${seconds}s`, '--latency', ...fields.flatMap((field) => ['-H', field]), `http://127.0.0.1:${server.port}${target}`];
    const text = await new Promise((resolve, reject) => {
        const child = spawn(...split(pinned(args, false)), { stdio: ['ignore', 'pipe', 'inherit'] });
        let out = '';
        child.stdout.setEncoding('utf8').on('data', (part) => (out += part));
        child.on('close', (code) => (code === 0 ? resolve(out) : reject(new Error(`wrk: ${code}`))));
    });
    const [, number, unit] = /99%\s+([\d.]+)(us|ms|s)/.exec(text);
    return { rate: Number(/Requests\/sec:\s+([\d.]+)/.exec(text)[1]), p99: Number(number) * { us: 0.001, ms: 1, s: 1000 }[unit] };
}
