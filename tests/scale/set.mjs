// The whole set of docker/compose.scale.yaml on loopback addresses: three replicas, HAProxy and Varnish with the files of docker/.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { patience, PROGRAM, TOP } from '../http/harness.mjs';

const START_MILLISECONDS = patience(60_000); // a busy machine
const DOCKER = path.join(TOP, 'docker');
export const REPLICAS = ['replica1', 'replica2', 'replica3'];

export const sleep = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Waits until check() answers something true, and answers that. */
export async function until(what, check, milliseconds = START_MILLISECONDS) {
    for (const end = Date.now() + milliseconds; Date.now() < end; await sleep(50)) {
        const found = await Promise.resolve().then(check).catch(() => null);
        if (found) {
            return found;
        }
    }
    assert.fail(`${what}: not within ${milliseconds} ms`);
}

/** A GET; answers { status, headers, body }. */
export function get(host, port, target, { headers = {}, agent } = {}) {
    return new Promise((resolve, reject) => {
        const request = http.get({ host, port, path: target, headers: { host: 'sandboxes.test', ...headers }, agent }, (answer) => {
            const chunks = [];
            answer.on('data', (chunk) => chunks.push(chunk));
            answer.on('error', reject);
            answer.on('end', () => resolve({ status: answer.statusCode, headers: answer.headers, body: Buffer.concat(chunks) }));
        });
        request.on('error', reject);
    });
}

export class Set {
    #children = new Map();
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'scale-'));

    constructor() {
        // Varnish compiles as a user of its own.
        fs.chmodSync(this.folder, 0o755);
        process.once('exit', () => this.#children.forEach((child) => child.kill('SIGKILL')));
    }

    #spawn(name, command, args) {
        const log = fs.openSync(path.join(this.folder, `${name}.log`), 'a');
        const child = spawn(command, args, { cwd: TOP, stdio: ['ignore', log, log] });
        fs.closeSync(log);
        this.#children.set(name, child);
        return child;
    }

    /** How many lines of a log have these words. */
    told(name, words) {
        return fs.readFileSync(path.join(this.folder, `${name}.log`), 'utf8').split('\n').filter((line) => line.includes(words)).length;
    }

    /** Processor time of a part, its threads and its children so far, in microseconds. */
    cost(name) {
        const of = (pid) => fs.readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => {
            const at = `/proc/${pid}/task/${thread}`;
            const children = fs.readFileSync(`${at}/children`, 'utf8').split(' ').filter((child) => child !== '');
            return sum + Number(fs.readFileSync(`${at}/schedstat`, 'utf8').split(' ')[0]) / 1000 + children.reduce((all, child) => all + of(child), 0);
        }, 0);
        return of(this.#children.get(name).pid);
    }

    catalogueOf(replica) {
        return path.join(this.folder, replica, 'catalogue.db');
    }

    async startReplica(replica) {
        this.#spawn(replica, PROGRAM, ['serve', '--listen', `127.0.0.1${REPLICAS.indexOf(replica) + 1}:8080`,
            '--admin', `127.0.0.1${REPLICAS.indexOf(replica) + 1}:9090`, '--db', this.catalogueOf(replica), '--surrogate-keys',
            '--public-url', 'https://sandboxes.test', '--trusted-proxies', '127.0.0.0/8', '--workers', '2', '--log-level', 'warn']);
        await until(`${replica} is ready`, async () => (await get(replica, 9090, '/readyz')).status === 200);
    }

    /** Every replica begins with a copy of this catalogue, as old as it is. */
    async start(catalogue) {
        for (const replica of REPLICAS) {
            fs.mkdirSync(path.join(this.folder, replica));
            execFileSync('cp', ['-p', catalogue, this.catalogueOf(replica)]);
        }
        await Promise.all(REPLICAS.map((replica) => this.startReplica(replica)));
        this.#spawn('haproxy', 'haproxy', ['-db', '-f', path.join(DOCKER, 'haproxy.cfg')]);
        await until('haproxy is ready', async () => (await get('haproxy', 8081, '/haproxy')).status === 200);
        await this.startVarnish();
    }

    async startVarnish() {
        this.#spawn('varnish', 'varnishd', ['-F', '-n', path.join(this.folder, 'varnish'), '-a', 'site:8080', '-s', 'malloc,256m',
            '-p', 'http_gzip_support=off', '-p', 'workspace_backend=256k', '-p', 'timeout_idle=30', '-f', path.join(DOCKER, 'varnish.vcl')]);
        await until('varnish is ready', async () => (await get('site', 8080, '/healthz')).status === 200);
    }

    /** TLS in front, with a certificate that nobody vouches for. */
    async startTls() {
        const home = path.join(this.folder, 'nginx');
        fs.mkdirSync(path.join(home, 'tls'), { recursive: true });
        fs.copyFileSync(path.join(DOCKER, 'nginx-tls.conf'), path.join(home, 'nginx.conf'));
        execFileSync('openssl', ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '1', '-subj', '/CN=sandboxes.test',
            '-keyout', path.join(home, 'tls/privkey.pem'), '-out', path.join(home, 'tls/fullchain.pem')], { stdio: 'ignore' });
        this.#spawn('nginx', 'nginx', ['-e', 'stderr', '-p', home, '-c', path.join(home, 'nginx.conf'), '-g', 'daemon off;']);
        await until('nginx is ready', async () => (await get('localhost', 8000, '/')).status === 308);
    }

    signal(name, signal) {
        this.#children.get(name).kill(signal);
    }

    async end(name, signal = 'SIGTERM') {
        const child = this.#children.get(name);
        this.#children.delete(name);
        const ended = child.exitCode !== null || child.signalCode !== null ? null : once(child, 'exit');
        child.kill(signal);
        await ended;
    }

    async stop() {
        await Promise.all([...this.#children.keys()].reverse().map((name) => this.end(name)));
        fs.rmSync(this.folder, { recursive: true, force: true });
    }

    /** What the VCL logged. */
    words() {
        return execFileSync('varnishlog', ['-n', path.join(this.folder, 'varnish'), '-d', '-g', 'request', '-i', 'VCL_Log'], { maxBuffer: 1 << 30 }).toString();
    }
}

/**
 * Readers, each with a connection of its own, who ask on and on until stop() for what next() names; answers that are not 200 are kept in
 * failures, and seen(reader, answer, target) has each of the others.
 */
export function readers(count, next, seen = () => {}) {
    const state = { asked: 0, misses: 0, failures: [], running: true };
    const read = async (reader) => {
        const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
        while (state.running) {
            const { target, headers } = next(reader);
            try {
                const answer = await get('site', 8080, target, { headers, agent });
                state.misses += answer.headers['cache-status'] === 'varnish; hit' ? 0 : 1;
                if (answer.status === 200) {
                    seen(reader, answer, target);
                } else {
                    state.failures.push(`${target}: ${answer.status} ${answer.body.toString().slice(0, 200)}`);
                }
            } catch (error) {
                state.failures.push(`${target}: ${error.message}`);
            }
            state.asked++;
        }
        agent.destroy();
    };
    const all = Promise.all(Array.from({ length: count }, (_, reader) => read(reader)));
    return {
        state,
        async stop() {
            state.running = false;
            await all;
            return state;
        },
    };
}
