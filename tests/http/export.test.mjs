// export --static: the site as files, byte for byte what the server answers; questions are answered in the browser by public/offline.js.
import assert from 'node:assert/strict';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { pairsOf, queryOf, random, randomQuestion } from './compare_reference.mjs';
import { patience, run, startServer, TOP } from './harness.mjs';

const URL_OF_SITE = 'https://reference.test/guide';
const BASE = '/guide';
const EXPORT_MILLISECONDS = patience(600_000); // Brotli at its best, on a busy machine

let folder, site, server, printed, answer, read;
before(async () => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'export-'));
    // Under this name every Node takes it for a module.
    copyFileSync(path.join(TOP, 'public/offline.js'), path.join(folder, 'offline.mjs'));
    ({ answer, read } = await import(path.join(folder, 'offline.mjs')));
    site = path.join(folder, 'site');
    const { code, stdout, stderr } = await run(['export', '--static', site, '--public-url', URL_OF_SITE]);
    assert.equal(code, 0, stderr);
    printed = stdout;
    server = await startServer({ args: ['--public-url', URL_OF_SITE] });
}, { timeout: EXPORT_MILLISECONDS });
after(async () => {
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
});

const files = () => readdirSync(site, { recursive: true }).filter((name) => statSync(path.join(site, name)).isFile());
const plainFiles = () => files().filter((name) => !/\.(gz|br)$/.test(name) && !['_headers', '_redirects', '404.html'].includes(name));

/** The address that a file answers. */
function addressOf(name) {
    return `/${name}`.replace(/\/index\.html$/, '/').replace(/\.html$/, '');
}

test('it says what it wrote', () => {
    assert.match(printed, new RegExp(`${plainFiles().length + 1} files, \\d+ bytes, \\d+ redirects\n$`));
});

const fieldsOf = new Map(); // of an address

test('every file is what the server answers, and every page of the sitemap is there', async () => {
    for (const name of plainFiles()) {
        const wanted = await server.fetch(BASE + addressOf(name), { headers: { accept: 'text/html, */*;q=0.5', 'accept-encoding': 'identity' } });
        assert.equal(wanted.status, 200, name);
        assert.ok(Buffer.from(await wanted.arrayBuffer()).equals(readFileSync(path.join(site, name))), `${name} differs`);
        fieldsOf.set(BASE + addressOf(name), wanted.headers);
    }
    const { text } = await server.get(`${BASE}/sitemap.xml`);
    for (const [, address] of text.matchAll(/<loc>([^<]+)<\/loc>/g)) {
        assert.ok(existsSync(path.join(site, address.slice(URL_OF_SITE.length), 'index.html')), address);
        const twin = address.slice(URL_OF_SITE.length, -1);
        assert.ok(existsSync(path.join(site, `${twin === '' ? '/index' : twin}.md`)), `the twin of ${address}`);
    }
});

test('the compressed variants hold the same bytes', async () => {
    const coded = files().filter((name) => /\.(gz|br)$/.test(name));
    assert.ok(coded.length > 500);
    for (const name of ['openapi.json', 'sitemap.xml', 'icon.svg', 'site.js', 'llms.txt', 'data/providers.json']) {
        assert.ok(coded.includes(`${name}.gz`) && coded.includes(`${name}.br`), name);
    }
    for (const name of coded) {
        const bytes = await readFile(path.join(site, name)); // in between, the connections that the server closed are noticed
        const original = readFileSync(path.join(site, name.replace(/\.(gz|br)$/, '')));
        assert.ok((name.endsWith('.gz') ? gunzipSync(bytes) : brotliDecompressSync(bytes)).equals(original), name);
        assert.ok(bytes.length < original.length, name);
    }
});

test('no link leads to a file that is not there', async () => {
    const redirects = new Set([...readFileSync(path.join(site, '_redirects'), 'utf8').matchAll(/^(\S+) \S+ 301$/gm)].map(([, from]) => from));
    const live = new Set(['/compare', '/match', '/cost', '/embed/compare', '/oembed']);
    const broken = [];
    for (const name of plainFiles().filter((name) => name.endsWith('.html'))) {
        for (const [, address] of (await readFile(path.join(site, name), 'utf8')).matchAll(/ (?:href|src)="(\/[^"?#]*)[^"]*"/g)) {
            assert.ok(address.startsWith(`${BASE}/`), `${address} of ${name}`);
            const own = address.slice(BASE.length);
            const found = [`${own}index.html`, own, `${own}.html`].some((file) => existsSync(path.join(site, file)) && statSync(path.join(site, file)).isFile());
            if (!found && !redirects.has(address) && !live.has(own)) {
                broken.push(`${address} of ${name}`);
            }
        }
    }
    assert.deepEqual(broken, []);
});

test('the other order of a comparison is a redirect; an unknown address has a page', async () => {
    assert.match(readFileSync(path.join(site, '_redirects'), 'utf8'), /^\/guide\/compare\/modal-vs-e2b\/ \/guide\/compare\/e2b-vs-modal\/ 301$/m);
    assert.match(readFileSync(path.join(site, '404.html'), 'utf8'), /<h1/);
});

test('_headers gives every address the fields of the server, by one rule alone', () => {
    const names = ['content-security-policy', 'x-content-type-options', 'referrer-policy', 'permissions-policy', 'cross-origin-opener-policy',
        'cross-origin-resource-policy', 'access-control-allow-origin', 'access-control-expose-headers', 'cache-control', 'content-type'];
    const rules = readFileSync(path.join(site, '_headers'), 'utf8').split(/\n(?! )/).filter((rule) => rule !== '').map((rule) => {
        const [pattern, ...fields] = rule.split('\n  ');
        const [start, end] = pattern.split('*');
        return { pattern, fits: (address) => (end === undefined ? address === start : address.length >= start.length + end.length && address.startsWith(start) && address.endsWith(end)),
            fields: Object.fromEntries(fields.map((line) => [line.slice(0, line.indexOf(': ')).toLowerCase(), line.slice(line.indexOf(': ') + 2)])) };
    });
    assert.ok(rules.length < 100, 'hosts take a hundred');
    const unused = new Set(rules.map(({ pattern }) => pattern));
    assert.ok(fieldsOf.size > 700);
    for (const [address, headers] of fieldsOf) {
        const found = rules.filter(({ fits }) => fits(address));
        assert.deepEqual(found.map(({ pattern }) => pattern).slice(1), [], address);
        unused.delete(found[0]?.pattern);
        assert.deepEqual(found[0]?.fields, Object.fromEntries(names.filter((name) => headers.has(name)).map((name) => [name, headers.get(name)])), address);
    }
    assert.deepEqual([...unused], []);
});

test('500 random questions: the browser answers as the server does', async () => {
    const data = JSON.parse(readFileSync(path.join(site, 'data/providers.json'), 'utf8'));
    const chance = random(20261201);
    for (let i = 0; i < 500; i++) {
        const query = queryOf(chance.shuffle(pairsOf(randomQuestion(data, chance))));
        const { json } = await server.get(`${BASE}/compare?${query}${query === '' ? '' : '&'}sort=name`);
        const question = read(query, data);
        assert.deepEqual(question.left, [], query);
        const lists = answer(question, data.providers);
        for (const list of ['matches', 'undecided', 'excluded']) {
            const shown = Object.fromEntries(lists[list].map(({ provider, slots }) => [provider.slug, slots.map(({ slug }) => slug)]));
            const served = Object.fromEntries(json[list].map(({ slug, offerings }) => [slug, offerings.map((offering) => offering.slug)]));
            assert.deepEqual(shown, served, `${list} of ${query}`);
            assert.deepEqual(Object.keys(shown), Object.keys(served), `the order of ${list} of ${query}`);
        }
    }
});

test('what only a server answers is named', () => {
    const data = JSON.parse(readFileSync(path.join(site, 'data/providers.json'), 'utf8'));
    assert.deepEqual(read('q=gpu&isolation=microvm&utm_source=x&max_vcpu__gte=many', data).left, ['q', 'max_vcpu__gte']);
});

test('bad requests are one clear line, and a folder with something in it is left alone', async () => {
    const full = path.join(folder, 'full');
    mkdirSync(full);
    writeFileSync(path.join(full, 'mine'), 'kept');
    for (const [args, words, expected] of [
        [['--static', full, '--public-url', URL_OF_SITE], /full is not empty/, 1],
        [['--static', path.join(folder, 'no', 'where'), '--public-url', URL_OF_SITE], /cannot make the folder/, 1],
        [['--static', path.join(full, 'mine'), '--public-url', URL_OF_SITE], /cannot make the folder/, 1],
        [['--public-url', URL_OF_SITE], /--static is missing/, 2],
        [['--static', path.join(folder, 'new')], /--public-url is missing/, 2],
        [['--static', path.join(folder, 'new'), '--public-url', 'reference.test'], /--public-url takes/, 2],
        [['--static', path.join(folder, 'new'), '--public-url', URL_OF_SITE, '--db', path.join(full, 'mine')], /mine/, 1],
    ]) {
        const { code, stderr } = await run(['export', ...args]);
        assert.equal(code, expected, stderr);
        assert.match(stderr, words);
        assert.equal(stderr.trim().split('\n').length, 1, stderr);
    }
    assert.deepEqual(readdirSync(full), ['mine']);
    assert.equal(readFileSync(path.join(full, 'mine'), 'utf8'), 'kept');
});
