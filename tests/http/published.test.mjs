// What was published stays: every address, attribute, provider and offering of published.txt is still there, or says where it went. The list only
// grows: API_PUBLISHED=write adds what is new (a provider that is gone stays in the catalogue as discontinued, and its pages with it).
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { sitemapPaths } from './html.mjs';
import { startServer, TOP } from './harness.mjs';

const LIST = path.join(TOP, 'tests/http/published.txt');
const GONE = 410;
const listed = fs.existsSync(LIST) ? fs.readFileSync(LIST, 'utf8').trim().split('\n') : [];

let server;
let published;
before(async () => {
    server = await startServer();
    const { json } = await server.get('/data/providers.json');
    const api = (await server.get('/openapi.json')).json;
    const fixed = Object.keys(api.paths).filter((pattern) => !pattern.includes('{'));
    const schemas = fs.readdirSync(path.join(TOP, 'public/data')).map((name) => `/data/${name}`);
    published = [
        ...new Set([...sitemapPaths((await server.get('/sitemap.xml')).text), ...fixed, ...schemas].map((address) => `address ${address}`)),
        ...json.attributes.map(({ key }) => `attribute ${key}`),
        ...json.providers.flatMap(({ slug, offerings }) => [`provider ${slug}`, ...offerings.map((offering) => `offering ${slug}/${offering.slug}`)]),
    ].sort();
    if (process.env.API_PUBLISHED === 'write') {
        fs.writeFileSync(LIST, `${[...new Set([...listed, ...published])].sort().join('\n')}\n`);
    }
});
after(() => server?.stop());

test('the list is sorted, and has whatever is published', () => {
    assert.ok(listed.length > 300, `${listed.length} entries`);
    assert.deepEqual(listed, [...new Set(listed)].sort());
    assert.deepEqual(published.filter((entry) => !listed.includes(entry)), [], 'API_PUBLISHED=write node --test tests/http/published.test.mjs');
});

test('every attribute, provider and offering that was published is there', () => {
    assert.deepEqual(listed.filter((entry) => !entry.startsWith('address ') && !published.includes(entry)), []);
});

test('every address that was published answers, leads on, or says that it is gone', async () => {
    for (const entry of listed.filter((one) => one.startsWith('address '))) {
        let target = entry.slice('address '.length);
        let answer = await server.fetch(target, { headers: { accept: 'text/html, */*;q=0.1' } });
        await answer.arrayBuffer();
        if (answer.status === 301 || answer.status === 308) {
            target = new URL(answer.headers.get('location'), server.origin).pathname;
            answer = await server.fetch(target);
            await answer.arrayBuffer();
        }
        const posts = entry === 'address /mcp' && answer.status === 405;
        const asks = entry === 'address /oembed' && answer.status === 400;
        assert.ok(answer.status === 200 || answer.status === GONE || posts || asks, `${target}: ${answer.status}`);
    }
});
