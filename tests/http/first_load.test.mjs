// What a first visit costs: at most 60 KB compressed in at most 5 requests, none of them to another host; and the share image of each page.
import assert from 'node:assert/strict';
import http from 'node:http';
import { after, before, describe, test } from 'node:test';
import { startServer } from './harness.mjs';
import { KINDS } from '../pages/kinds.mjs';

const MOST_BYTES = 60 * 1024;
const MOST_REQUESTS = 5;
const CODINGS = ['br', 'gzip'];

let server;
let paths; // of every page that the site map names, and of one of every kind
before(async () => {
    server = await startServer();
    const map = await (await fetch(`${server.origin}/sitemap.xml`)).text();
    const named = [...map.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, address]) => new URL(address).pathname);
    paths = [...new Set([...named, ...Object.values(KINDS)])];
});
after(() => server.stop());

/** The answer as it travels: { headers, body } with the body still coded. */
const sent = (path, coding) =>
    new Promise((resolve, reject) => {
        http.get(server.origin + path, { headers: { 'Accept-Encoding': coding, Accept: 'text/html,*/*' } }, (answer) => {
            const parts = [];
            answer.on('data', (part) => parts.push(part));
            answer.on('end', () => resolve({ headers: answer.headers, body: Buffer.concat(parts) }));
            answer.on('error', reject);
        }).on('error', reject);
    });

const plain = new Map();
async function html(path) {
    if (!plain.has(path)) {
        plain.set(path, (await sent(path, 'identity')).body.toString());
    }
    return plain.get(path);
}

const attribute = (tag, name) => tag.match(new RegExp(`\\s${name}="([^"]*)"`))?.[1]?.replaceAll('&amp;', '&');

/** The addresses that a browser asks for by itself when it opens the page. */
function loaded(text) {
    const tags = [...text.matchAll(/<(link|script|img|iframe|source|video|audio|object|embed|input|use|image)\b[^>]*>/g)].map(([tag]) => tag);
    return tags.flatMap((tag) => {
        if (tag.startsWith('<link')) {
            const isLoaded = /\b(stylesheet|icon|preload|modulepreload|prefetch)\b/.test(attribute(tag, 'rel') ?? '');
            return isLoaded && attribute(tag, 'rel') !== 'apple-touch-icon' ? [attribute(tag, 'href')] : [];
        }
        const address = attribute(tag, 'src') ?? attribute(tag, 'data') ?? (/^<(use|image)/.test(tag) ? attribute(tag, 'href') : undefined);
        return address === undefined || address.startsWith('#') ? [] : [address];
    });
}

describe('the first load of every page', () => {
    for (const coding of CODINGS) {
        test(`is at most ${MOST_BYTES / 1024} KB in at most ${MOST_REQUESTS} requests, with ${coding}`, async () => {
            const sizes = new Map();
            const weigh = async (path) => {
                const { headers, body } = await sent(path, coding);
                const head = Object.entries(headers).reduce((sum, [name, value]) => sum + name.length + String(value).length + 4, 15);
                return head + body.length;
            };
            assert.ok(paths.length > 130, `${paths.length} pages`);
            for (const path of paths) {
                const others = loaded(await html(path));
                assert.ok(1 + others.length <= MOST_REQUESTS, `${path}: ${others.join(' ')}`);
                let sum = await weigh(path);
                for (const other of others) {
                    sizes.has(other) || sizes.set(other, await weigh(other));
                    sum += sizes.get(other);
                }
                assert.ok(sum <= MOST_BYTES, `${path}: ${sum} bytes`);
            }
        });
    }

    test('asks no other host', async () => {
        const css = (await sent('/site.css', 'identity')).body.toString();
        assert.doesNotMatch(css, /@import|url\((?!['"]?(data:|#))/);
        for (const path of paths) {
            for (const address of loaded(await html(path))) {
                assert.match(address, /^\/(?!\/)/, path);
            }
        }
    });
});

describe('the share image', () => {
    const meta = (text, name) => text.match(new RegExp(`<meta (?:property|name)="${name}" content="([^"]*)">`))?.[1];
    const imageOf = async (path) => new URL(meta(await html(path), 'og:image') ?? assert.fail(`${path} has none`)).pathname;

    test('is a page\'s own, 1200 by 630, and small; a page without one in share/cards.sql fails here', async () => {
        const seen = new Set();
        let total = 0;
        for (const path of paths.filter((each) => each.endsWith('/') && !/nowhere/.test(each))) {
            const text = await html(path);
            const image = await imageOf(path);
            assert.equal(image, path === '/' ? '/share/home.png' : `/share${path.slice(0, -1)}.png`);
            seen.add(image);
            const { headers, body } = await sent(image, 'identity');
            assert.equal(headers['content-type'], 'image/png', image);
            assert.equal(body.subarray(1, 4).toString(), 'PNG', image);
            assert.deepEqual([body.readUInt32BE(16), body.readUInt32BE(20)], [1200, 630], image);
            assert.ok(body.length < 40_000, `${image}: ${body.length} bytes`);
            total += body.length;
            assert.equal(meta(text, 'og:image:width'), '1200');
            assert.equal(meta(text, 'og:image:height'), '630');
            assert.equal(meta(text, 'og:image:type'), 'image/png');
            assert.ok(meta(text, 'og:image:alt').length > 10, path);
            assert.equal(meta(text, 'twitter:card'), 'summary_large_image');
        }
        assert.ok(seen.size > 130, `${seen.size} images`);
        assert.ok(total < 5_000_000, `${total} bytes`);
    });

    test('of a page that has none is that of the page above it', async () => {
        assert.equal(await imageOf('/compare/beam-vs-riza/'), '/share/compare.png');
        assert.equal(await imageOf('/search?q=snapshot'), '/share/home.png');
        assert.equal(await imageOf('/compare/?gpu=true'), '/share/compare.png');
    });

    test('is not loaded by its page', async () => {
        for (const path of paths) {
            assert.ok(!loaded(await html(path)).some((address) => address.includes('/share/')), path);
        }
    });
});

test('the icons are there, as large as is said', async () => {
    const manifest = JSON.parse((await sent('/site.webmanifest', 'identity')).body);
    const png = manifest.icons.filter(({ type }) => type === 'image/png');
    assert.deepEqual(png.map(({ sizes }) => sizes), ['192x192', '512x512']);
    for (const { src, sizes } of [...png, { src: '/apple-touch-icon.png', sizes: '180x180' }]) {
        const { headers, body } = await sent(src, 'identity');
        assert.equal(headers['content-type'], 'image/png');
        assert.equal(`${body.readUInt32BE(16)}x${body.readUInt32BE(20)}`, sizes);
    }
    assert.ok(manifest.icons.some(({ type }) => type === 'image/svg+xml'));
    const text = await html('/');
    for (const address of loaded(text).filter((each) => each.includes('icon'))) {
        assert.equal((await sent(address, 'identity')).headers['content-type'], 'image/svg+xml');
    }
});
