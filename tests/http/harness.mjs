// Starts the real program on a free port and talks to it: by fetch, or byte by byte. AGENT_SANDBOXES names another build of it,
// TEST_TIME_FACTOR gives a slow one that many times as long.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import net from 'node:net';
import path from 'node:path';
import { after } from 'node:test';
import { fileURLToPath } from 'node:url';

export const TOP = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
export const PROGRAM = path.resolve(TOP, process.env.AGENT_SANDBOXES ?? 'build/agent-sandboxes');

/** How long to wait for what takes at most so long on the ordinary build. */
export const patience = (milliseconds) => milliseconds * Number(process.env.TEST_TIME_FACTOR ?? 1);

const START_MILLISECONDS = patience(30_000); // a busy machine
const STOP_MILLISECONDS = patience(15_000);

// A test that failed before its stop() leaves no server behind, which would keep its file from ending. The file's own clean-up
// comes first.
const running = new Set();
const killRunning = () => running.forEach((child) => child.kill('SIGKILL'));
process.once('exit', killRunning);
if (process.env.NODE_TEST_CONTEXT !== undefined) {
    after(() => void setTimeout(killRunning, STOP_MILLISECONDS).unref());
}

/** Runs a command to its end; answers { code, signal, stdout, stderr }. */
export function run(args, { input = '', env = {} } = {}) {
    return new Promise((resolve, reject) => {
        const child = spawn(PROGRAM, args, { cwd: TOP, env: { ...process.env, ...env } });
        const out = { stdout: '', stderr: '' };
        for (const name of ['stdout', 'stderr']) {
            child[name].setEncoding('utf8').on('data', (text) => (out[name] += text));
        }
        child.on('error', reject);
        child.on('close', (code, signal) => resolve({ code, signal, ...out }));
        child.stdin.on('error', () => {}); // a command that does not read its input
        child.stdin.end(input);
    });
}

class Server {
    #child;
    #ended;
    #waiting = [];
    /** Every line of the log so far, parsed. What is no JSON object (a sanitizer's words) is { event: 'raw', text }. */
    log = [];

    constructor(args, env) {
        this.#child = spawn(PROGRAM, ['serve', '--listen', '127.0.0.1:0', '--log-format', 'json', ...args], {
            cwd: TOP,
            env: { ...process.env, ...env },
            stdio: ['ignore', 'inherit', 'pipe'],
        });
        running.add(this.#child);
        this.#child.once('close', () => running.delete(this.#child));
        let rest = '';
        this.#child.stderr.setEncoding('utf8').on('data', (text) => {
            const lines = (rest + text).split('\n');
            rest = lines.pop();
            lines.forEach((line) => this.#take(line));
        });
        this.#ended = new Promise((resolve, reject) => {
            this.#child.on('error', reject);
            this.#child.on('close', (code, signal) => {
                if (rest !== '') {
                    this.#take(rest);
                }
                resolve({ code, signal });
            });
        });
        this.#ended.catch(() => {}); // whoever waits for it hears of it
    }

    get pid() {
        return this.#child.pid;
    }

    #take(line) {
        let entry;
        try {
            entry = JSON.parse(line);
        } catch {
            entry = { event: 'raw', text: line };
        }
        this.log.push(entry);
        this.#waiting.filter((waiter) => waiter.matches(entry)).forEach((waiter) => waiter.resolve(entry));
        this.#waiting = this.#waiting.filter((waiter) => !waiter.matches(entry));
    }

    #words() {
        return this.log.map((entry) => entry.text ?? JSON.stringify(entry)).join('\n');
    }

    /** The first line of the log, from number `from` on, that has this event and passes the test; waits for it. */
    async logged(event, { test = () => true, from = 0, milliseconds = START_MILLISECONDS } = {}) {
        const matches = (entry) => entry.event === event && test(entry);
        const known = this.log.slice(from).find(matches);
        if (known) {
            return known;
        }
        let timer;
        const late = new Promise((_, reject) => {
            timer = setTimeout(
                () => reject(new Error(`no log line "${event}" within ${milliseconds} ms:\n${this.#words()}`)),
                milliseconds,
            );
        });
        const ended = this.#ended.then(({ code, signal }) => {
            throw new Error(`the server ended (${code ?? signal}) before "${event}":\n${this.#words()}`);
        });
        const line = new Promise((resolve) => this.#waiting.push({ matches, resolve }));
        try {
            return await Promise.race([line, late, ended]);
        } finally {
            clearTimeout(timer);
        }
    }

    async #ready() {
        const { address } = await this.logged('listening');
        const [, host, port] = /^(.*):(\d+)$/.exec(address);
        this.host = host.replace(/^\[|\]$/g, '');
        this.port = Number(port);
        this.origin = `http://${address}`;
        const deadline = Date.now() + START_MILLISECONDS;
        for (;;) {
            const answer = await this.fetch('/healthz').catch(() => null);
            await answer?.arrayBuffer();
            if (answer?.status === 200) {
                return this;
            }
            if (Date.now() > deadline) {
                throw new Error(`/healthz did not answer 200:\n${this.#words()}`);
            }
            await new Promise((resolve) => setTimeout(resolve, 50));
        }
    }

    static async start({ args = [], env = {} } = {}) {
        const server = new Server(args, env);
        try {
            return await server.#ready();
        } catch (error) {
            server.#child.kill('SIGKILL');
            throw error;
        }
    }

    /** fetch() of a target of this server; redirects are shown, not followed. */
    fetch(target, options = {}) {
        return fetch(this.origin + target, { redirect: 'manual', ...options });
    }

    /** Status, headers and body of a GET, the body as text and, where it is JSON, parsed. */
    async get(target, options = {}) {
        const answer = await this.fetch(target, options);
        const text = await answer.text();
        const isJson = /[/+]json\b/.test(answer.headers.get('content-type') ?? '');
        return { status: answer.status, headers: answer.headers, text, json: isJson && text !== '' ? JSON.parse(text) : undefined };
    }

    /**
     * Sends these bytes (a text is sent as Latin-1, so "\xff" is one byte), reads until the server closes or, with `until`, until the
     * text received contains it. Answers { text, closed, milliseconds }.
     */
    raw(bytes, { until, milliseconds = patience(10_000), halfClose = false } = {}) {
        return new Promise((resolve, reject) => {
            const begin = Date.now();
            const socket = net.connect({ host: this.host, port: this.port });
            let text = '';
            const finish = (closed) => {
                clearTimeout(timer);
                socket.destroy();
                resolve({ text, closed, milliseconds: Date.now() - begin });
            };
            const timer = setTimeout(() => finish(false), milliseconds);
            socket.on('connect', () => {
                const data = typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes;
                halfClose ? socket.end(data) : socket.write(data);
            });
            socket.on('data', (chunk) => {
                text += chunk.toString('latin1');
                if (until !== undefined && text.includes(until)) {
                    finish(false);
                }
            });
            socket.on('close', () => finish(true));
            socket.on('error', (error) => {
                // A reset after a refusal is a closed connection; no connection at all is a failure.
                if (error.code === 'ECONNRESET' || error.code === 'EPIPE') {
                    finish(true);
                } else {
                    clearTimeout(timer);
                    reject(error);
                }
            });
        });
    }

    signal(name) {
        assert.ok(this.#child.kill(name), `the server is gone:\n${this.#words()}`);
    }

    /** Ends by SIGTERM and fails unless the server ends by itself, in time, with exit code 0. */
    async stop() {
        if (this.#child.exitCode === null && this.#child.signalCode === null) {
            this.#child.kill('SIGTERM');
        }
        const timer = setTimeout(() => this.#child.kill('SIGKILL'), STOP_MILLISECONDS);
        const { code, signal } = await this.#ended;
        clearTimeout(timer);
        assert.deepEqual({ code, signal }, { code: 0, signal: null }, `the server did not end well:\n${this.#words()}`);
    }
}

/**
 * Starts the program and waits until it answers. In a test file:
 *     const server = await startServer();
 *     after(() => server.stop());
 */
export function startServer(options) {
    return Server.start(options);
}
