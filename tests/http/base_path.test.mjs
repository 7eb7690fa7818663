// --base-path: the same site below a path of the host, in every form.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { run, startServer } from './harness.mjs';

const BASE = '/guide-x.1';
const HOST = 'https://reference.test';

let root, below, paths;
before(async () => {
    root = await startServer({ args: ['--public-url', HOST] });
    below = await startServer({ args: ['--public-url', HOST + BASE, '--base-path', BASE] });
    const { text } = await root.get('/sitemap.xml');
    paths = [...text.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url]) => url.slice(HOST.length));
});
after(() => Promise.all([root?.stop(), below?.stop()]));

const plain = (text) => text.replaceAll(BASE, '').replaceAll(encodeURIComponent(BASE), '');

async function assertSame(path, options = {}) {
    const [one, other] = await Promise.all([root.get(path, options), below.get(BASE + path, options)]);
    assert.equal(other.status, one.status, path);
    assert.ok(plain(other.text) === one.text, `${path} differs`);
    for (const name of ['content-type', 'link', 'location', 'vary', 'cache-control']) {
        assert.equal(plain(other.headers.get(name) ?? ''), one.headers.get(name) ?? '', `${name} of ${path}`);
    }
    return other;
}

/** One or two pages of each kind, and every page at the top. */
const sample = () => paths.filter((path, i) => path.split('/').length <= 3 || i % 8 === 0);

test('a page is the same below the base path, and each of its addresses is below it', async () => {
    assert.ok(paths.length > 100);
    for (const path of sample()) {
        const { text } = await assertSame(path, { headers: { accept: 'text/html' } });
        const outside = [...text.matchAll(/ (?:href|src|action|cite)="(\/[^"/][^"]*|\/)"/g)].filter(([, address]) => !address.startsWith(`${BASE}/`));
        assert.deepEqual(outside.map(([, address]) => address), [], path);
    }
});

test('Markdown, JSON, the sitemap, the manifest and the data files are too', async () => {
    for (const path of ['/index.md', '/sandboxes/e2b.md', '/guides.md', '/sources.md', '/compare.md?isolation=microvm', '/llms.txt']) {
        const { text } = await assertSame(path);
        assert.doesNotMatch(text.replace(/`[^`]*`/g, ''), /\]\(\/(?!guide-x\.1\/)/, path);
    }
    for (const path of ['/?format=json', '/compare?isolation=microvm&gpu=true', '/search?q=gpu&format=json', '/data/sources.json', '/sitemap.xml', '/robots.txt', '/data/providers.csv']) {
        await assertSame(path);
    }
    const manifest = (await below.get(`${BASE}/site.webmanifest`)).json;
    assert.equal(manifest.start_url, `${BASE}/`);
    assert.ok(manifest.icons.every(({ src }) => src.startsWith(`${BASE}/`)));
    const { json } = await below.get(`${BASE}/search?q=gpu&format=json`);
    assert.ok(json.results.length > 0 && json.results.every(({ path }) => path.startsWith(`${BASE}/`)));
});

test('redirects and problems stay below it', async () => {
    assert.equal((await assertSame('/sandboxes')).headers.get('location'), `${BASE}/sandboxes/`);
    assert.equal((await assertSame('/compare/daytona-vs-e2b/')).status, 301);
    assert.equal((await assertSame('/compare?gpu=yes')).json.type, `${BASE}/problems/invalid-parameter`);
    assert.equal((await assertSame('/nope')).status, 404);
    const home = await below.get(`${BASE}?from=elsewhere`);
    assert.deepEqual([home.status, home.headers.get('location')], [301, `${BASE}/?from=elsewhere`]);
});

test('what lies outside is not there, but for the probes of a load balancer', async () => {
    for (const path of ['/', '/about/', `${BASE}x/`, `${BASE}x`, '/guide-x/', '/site.css', `/%67uide-x.1/about/`]) {
        assert.equal((await below.get(path)).status, 404, path);
    }
    for (const path of ['/healthz', '/readyz', `${BASE}/healthz`]) {
        assert.equal((await below.get(path)).status, 200, path);
    }
});

test('the path of the public address is enough', async () => {
    const server = await startServer({ args: ['--public-url', `${HOST}/deep/er`] });
    try {
        assert.equal((await server.get('/deep/er/about/')).status, 200);
        assert.equal((await server.get('/about/')).status, 404);
    } finally {
        await server.stop();
    }
});

for (const [what, args, words] of [
    ['no slash in front', ['--base-path', 'guide'], /--base-path takes a path/],
    ['a slash at the end', ['--base-path', '/guide/'], /--base-path takes a path/],
    ['an empty name', ['--base-path', '/a//b'], /--base-path takes a path/],
    ['a dot segment', ['--base-path', '/a/../b'], /--base-path takes a path/],
    ['a character that would need escaping', ['--base-path', '/gu ide'], /--base-path takes a path/],
    ['nothing', ['--base-path', ''], /--base-path takes a path/],
    ['hundreds of characters', ['--base-path', `/${'a'.repeat(400)}`], /--base-path takes a path/],
    ['another path than the public address', ['--base-path', '/a', '--public-url', `${HOST}/b`], /does not end in --base-path \/a/],
    ['a public address without it', ['--base-path', '/a', '--public-url', HOST], /does not end in --base-path \/a/],
    ['a public address with a query', ['--public-url', `${HOST}/a?b`], /path that no site can be at/],
]) {
    test(`a base path with ${what} is refused`, async () => {
        const { code, stderr } = await run(['serve', '--listen', '127.0.0.1:0', ...args]);
        assert.notEqual(code, 0);
        assert.match(stderr, words);
    });
}
