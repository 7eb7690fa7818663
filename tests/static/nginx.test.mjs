// The exported site behind nginx with docker/nginx-static.conf: a crawler gets of every address what the server would have answered.
//     tests/scale/inside node --test tests/static/nginx.test.mjs       STATIC_SITE names a folder that was exported for http://127.0.0.1:8081
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { run, startServer, TOP } from '../http/harness.mjs';
import { launch, visit } from '../pages/kinds.mjs';
import { get, until } from '../scale/set.mjs';

const SITE = 'http://127.0.0.1:8081';
const EXPORT_MILLISECONDS = 900_000; // on a busy machine
const FIELDS = ['content-type', 'cache-control', 'x-content-type-options', 'referrer-policy', 'content-security-policy', 'permissions-policy', 'cross-origin-opener-policy',
    'cross-origin-resource-policy', 'access-control-allow-origin', 'access-control-expose-headers'];

let folder, nginx, server, log = '';
before(async () => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'static-'));
    fs.chmodSync(folder, 0o755);
    const site = path.join(folder, 'site');
    if (process.env.STATIC_SITE) {
        fs.symlinkSync(process.env.STATIC_SITE, site);
    } else {
        const { code, stderr } = await run(['export', '--static', site, '--public-url', SITE]);
        assert.equal(code, 0, stderr);
    }
    const redirects = fs.readFileSync(path.join(site, '_redirects'), 'utf8').trim().split('\n').map((line) => line.split(' '));
    fs.writeFileSync(path.join(folder, 'redirects.map'), redirects.map(([from, to]) => `${from} ${to};\n`).join(''));
    fs.copyFileSync(path.join(TOP, 'docker/nginx-static.conf'), path.join(folder, 'nginx.conf'));
    nginx = spawn('nginx', ['-e', 'stderr', '-p', folder, '-c', path.join(folder, 'nginx.conf'), '-g', 'daemon off;'], { stdio: ['ignore', 'inherit', 'pipe'] });
    nginx.stderr.on('data', (text) => (log += text));
    server = await startServer({ args: ['--public-url', SITE] });
    await until('nginx is ready', async () => (await nginxGet('/robots.txt')).status === 200);
}, { timeout: EXPORT_MILLISECONDS });
after(async () => {
    agent.destroy();
    nginx?.kill('SIGQUIT');
    await Promise.all([server?.stop(), nginx && nginx.exitCode === null ? once(nginx, 'exit') : null]);
    fs.rmSync(folder, { recursive: true, force: true });
});

const PLAIN = { accept: 'text/html, */*;q=0.5', 'accept-encoding': 'identity' };
const agent = new http.Agent({ keepAlive: true, maxSockets: 4 });
const nginxGet = (target, headers = PLAIN) => get('127.0.0.1', 8081, target, { headers, agent });
const serverGet = (target, headers = PLAIN) => get('127.0.0.1', server.port, target, { headers, agent });
const fieldsOf = ({ headers }, names = FIELDS) => Object.fromEntries(names.map((name) => [name, headers[name]]));

/** Follows every link of the site, from the sitemap, the manifest of the data and the feeds on; answers the addresses. */
async function crawl() {
    const queue = ['/', '/sitemap.xml', '/robots.txt', '/llms.txt', '/llms-full.txt', '/.well-known/security.txt', '/site.webmanifest', '/data/datapackage.json', '/data/SHA256SUMS', '/changes.atom', '/calendar.ics'];
    const seen = new Set(queue);
    const live = /^\/(compare|match|cost|embed\/compare|oembed|mcp|healthz|readyz)$/;
    for (const target of queue) {
        const { status, headers, body } = await nginxGet(target);
        const type = headers['content-type'] ?? '';
        const found = [headers.location ?? ''];
        if (status === 200 && type.startsWith('text/html')) {
            found.push(...[...body.toString().matchAll(/ (?:href|src)="([^"]+)"/g)].map(([, address]) => address));
            found.push(target.replace(/\/$/, '') === '' ? '/index.md' : `${target.replace(/\/$/, '')}.md`);
        } else if (target === '/sitemap.xml') {
            found.push(...[...body.toString().matchAll(/<loc>([^<]+)</g)].map(([, address]) => address));
        } else if (target === '/data/datapackage.json') {
            found.push(...JSON.parse(body).resources.flatMap((resource) => resource.path).map((name) => (name.includes('/') ? name : `/data/${name}`)));
        } else if (target === '/data/SHA256SUMS') {
            found.push(...body.toString().trim().split('\n').map((line) => `/data/${line.split('  ')[1]}`));
        }
        for (const address of found) {
            const own = address.replace(SITE, '').replace(/[?#].*$/, '');
            if (own.startsWith('/') && !own.startsWith('//') && !live.test(own) && !seen.has(own)) {
                seen.add(own);
                queue.push(own);
            }
        }
    }
    return queue;
}

test('every address answers as the server does: status, place, fields and bytes', async () => {
    const addresses = await crawl();
    assert.ok(addresses.length > 700, `${addresses.length} addresses`);
    const faults = [];
    const compare = async (address) => {
        const [file, served] = await Promise.all([nginxGet(address), serverGet(address)]);
        const both = [file, served].map((answer) => ({ status: answer.status, location: answer.headers.location, ...(answer.status === 200 ? fieldsOf(answer) : {}) }));
        if (JSON.stringify(both[0]) !== JSON.stringify(both[1])) {
            faults.push([address, ...both]);
        } else if (file.status === 200 && !file.body.equals(served.body)) {
            faults.push([address, 'other bytes']);
        }
    };
    while (addresses.length > 0) {
        await Promise.all(addresses.splice(-8).map(compare));
    }
    assert.deepEqual(faults.slice(0, 5), [], `${faults.length} addresses`);
});

test('the other order of a pair, and an address without its last slash, lead on as they do on the server', async () => {
    for (const address of ['/compare/modal-vs-e2b/', '/about', '/sandboxes/e2b', '/data']) {
        const [file, served] = [await nginxGet(address), await serverGet(address)];
        assert.deepEqual([file.status, file.headers.location], [served.status, served.headers.location], address);
        assert.equal(file.status, 301, address);
    }
});

test('compressed files are sent as they are, and named so', async () => {
    const forms = [['gzip', 'gzip', gunzipSync], ['br', 'br', brotliDecompressSync], ['gzip, deflate, br, zstd', 'br', brotliDecompressSync]];
    for (const address of ['/', '/search', '/data/providers.json', '/data/facts.schema.json', '/changes.json', '/badge/e2b.svg', '/site.css', '/about.md']) {
        const plain = await nginxGet(address);
        for (const [asked, coding, unpack] of forms) {
            const packed = await nginxGet(address, { ...PLAIN, 'accept-encoding': asked });
            assert.equal(packed.headers['content-encoding'], coding, `${address} for ${asked}`);
            assert.match(packed.headers.vary, /Accept-Encoding/);
            assert.deepEqual(fieldsOf(packed), fieldsOf(plain), address);
            assert.ok(unpack(packed.body).equals(plain.body), `${address} in ${coding}`);
        }
    }
    for (const address of ['/index.html.gz', '/index.html.br', '/_headers', '/_redirects']) {
        assert.equal((await nginxGet(address)).status, 404, address);
    }
});

test('what is not there is the page of the server that says so, kept by nobody', async () => {
    const [file, served] = [await nginxGet('/nowhere/'), await serverGet('/nowhere/', { ...PLAIN, accept: 'text/html' })];
    assert.equal(file.status, 404);
    assert.deepEqual(fieldsOf(file), fieldsOf(served));
    const tag = (await nginxGet('/about/')).headers.etag;
    assert.equal((await nginxGet('/about/', { ...PLAIN, 'if-none-match': tag })).status, 304);
});

for (const width of [390, 1440]) {
    test(`a browser ${width} wide filters by itself, as the server would have`, async () => {
        const faults = [];
        const query = '?isolation=microvm&gpu=true';
        const names = async (asked) => {
            const { matches, undecided, excluded } = JSON.parse((await serverGet(`/compare${asked}&sort=name`, { accept: 'application/json' })).body);
            return [matches, undecided, excluded].map((list) => list.map(({ name }) => name));
        };
        const browser = await launch();
        try {
            await visit(browser, `${SITE}/compare/${query}`, { viewport: { width, height: 900 } }, async (page) => {
                page.on('pageerror', (error) => faults.push(error.message));
                page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
                const shown = async () => {
                    await page.getByText('Filtered in your browser').waitFor();
                    return Promise.all(['#result tbody th > a', '#undecided li > a', '#excluded li > a'].map(async (links) => [...new Set(await page.locator(links).allTextContents())]));
                };
                assert.deepEqual(await shown(), await names(query));
                assert.ok(await page.locator('[name=isolation][value=microvm]').isChecked());
                assert.ok(await page.locator('[name=gpu]').evaluateAll((fields) => fields.some((field) => (field.type === 'checkbox' ? field.checked : field.value) !== '')));
                assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width, 'nothing is wider than the page');
                if (process.env.SCREENSHOTS) {
                    await page.screenshot({ path: path.join(process.env.SCREENSHOTS, `static-${width}.png`), fullPage: true });
                }
                await page.goto(`${SITE}/compare/?pause_resume=true&status=any`);
                assert.deepEqual(await shown(), await names('?pause_resume=true&status=any'));
            });
        } finally {
            await browser.close();
        }
        assert.deepEqual(faults, []);
    });
}

test('nginx has nothing to complain of', () => assert.equal(log, ''));
