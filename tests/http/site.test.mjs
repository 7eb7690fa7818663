// Walks the whole site from its home page: no broken link or anchor, no orphan, one heading, names of its own for every page.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startServer } from './harness.mjs';
import { attributes, canonical, meta, sitemapPaths, text } from './html.mjs';

// The addresses that readers of the reference know; all are served here.
const ROUTES = [
    '/',
    '/alternatives/cloudflare-sandbox/',
    '/alternatives/daytona/',
    '/alternatives/e2b/',
    '/alternatives/fly-sprites/',
    '/alternatives/modal/',
    '/alternatives/riza/',
    '/alternatives/runloop/',
    '/alternatives/vercel-sandbox/',
    '/best/',
    '/best/code-interpreter/',
    '/best/coding-agents/',
    '/best/computer-use/',
    '/best/enterprise/',
    '/best/gpu/',
    '/best/local-agents/',
    '/best/open-source/',
    '/best/rl-and-evals/',
    '/compare/',
    '/compare/aws-agentcore-vs-e2b/',
    '/compare/beam-vs-modal/',
    '/compare/blaxel-vs-e2b/',
    '/compare/blaxel-vs-fly-sprites/',
    '/compare/cloudflare-sandbox-vs-fly-sprites/',
    '/compare/codesandbox-vs-e2b/',
    '/compare/daytona-vs-cloudflare-sandbox/',
    '/compare/daytona-vs-fly-sprites/',
    '/compare/daytona-vs-modal/',
    '/compare/daytona-vs-vercel-sandbox/',
    '/compare/docker-sandboxes-vs-anthropic-srt/',
    '/compare/e2b-vs-cloudflare-sandbox/',
    '/compare/e2b-vs-daytona/',
    '/compare/e2b-vs-fly-sprites/',
    '/compare/e2b-vs-modal/',
    '/compare/e2b-vs-vercel-sandbox/',
    '/compare/freestyle-vs-daytona/',
    '/compare/freestyle-vs-e2b/',
    '/compare/microsandbox-vs-e2b/',
    '/compare/modal-vs-cloudflare-sandbox/',
    '/compare/modal-vs-fly-sprites/',
    '/compare/modal-vs-vercel-sandbox/',
    '/compare/morph-vs-e2b/',
    '/compare/northflank-vs-e2b/',
    '/compare/northflank-vs-modal/',
    '/compare/vercel-sandbox-vs-cloudflare-sandbox/',
    '/compare/vercel-sandbox-vs-fly-sprites/',
    '/data/providers.json',
    '/glossary/agent-sandbox/',
    '/glossary/byoc/',
    '/glossary/cloud-hypervisor/',
    '/glossary/code-interpreter/',
    '/glossary/cold-start/',
    '/glossary/computer-use/',
    '/glossary/container-isolation/',
    '/glossary/egress-control/',
    '/glossary/ephemeral-sandbox/',
    '/glossary/firecracker/',
    '/glossary/fork/',
    '/glossary/gvisor/',
    '/glossary/kata-containers/',
    '/glossary/mcp/',
    '/glossary/microvm/',
    '/glossary/pause-resume/',
    '/glossary/persistent-sandbox/',
    '/glossary/prompt-injection/',
    '/glossary/rl-environment/',
    '/glossary/seccomp/',
    '/glossary/secrets-handling/',
    '/glossary/self-hosted-sandbox/',
    '/glossary/snapshot/',
    '/glossary/v8-isolate/',
    '/glossary/wasm-sandbox/',
    '/guides/agent-sandbox-pricing/',
    '/guides/agent-sandbox-security-checklist/',
    '/guides/how-to-choose-an-agent-sandbox/',
    '/guides/microvm-vs-gvisor-vs-containers/',
    '/guides/self-hosting-agent-sandboxes/',
    '/guides/what-is-an-agent-sandbox/',
    '/llms-full.txt',
    '/methodology/',
    '/sandboxes/',
    '/sandboxes/anthropic-srt/',
    '/sandboxes/aws-agentcore/',
    '/sandboxes/azure-dynamic-sessions/',
    '/sandboxes/beam/',
    '/sandboxes/blaxel/',
    '/sandboxes/cloudflare-sandbox/',
    '/sandboxes/codesandbox/',
    '/sandboxes/daytona/',
    '/sandboxes/docker-sandboxes/',
    '/sandboxes/e2b/',
    '/sandboxes/fly-sprites/',
    '/sandboxes/freestyle/',
    '/sandboxes/gke-agent-sandbox/',
    '/sandboxes/google-code-execution/',
    '/sandboxes/koyeb/',
    '/sandboxes/microsandbox/',
    '/sandboxes/modal/',
    '/sandboxes/morph/',
    '/sandboxes/northflank/',
    '/sandboxes/openai-code-interpreter/',
    '/sandboxes/riza/',
    '/sandboxes/runloop/',
    '/sandboxes/vercel-sandbox/',
];

const HTML = { headers: { Accept: 'text/html' } };

const PUBLIC = 'https://sandboxes.example';

let server;
/** path -> { status, html, type, from } of everything that can be reached by links; queries are followed one step only. */
const pages = new Map();
const links = []; // { from, to, hash }
let sitemap;

function internalLinks(path, html) {
    return attributes(html, 'href', 'a')
        .map((href) => new URL(href, server.origin + path))
        .filter((url) => url.origin === server.origin);
}

/** Asks for an address once and notes its links. */
async function visit(address, from) {
    if (pages.has(address)) {
        return [];
    }
    pages.set(address, null);
    const answer = await server.get(address, HTML);
    const type = answer.headers.get('content-type') ?? '';
    const html = type.startsWith('text/html') ? answer.text : '';
    pages.set(address, { status: answer.status, html, type, from });
    const found = internalLinks(address, html);
    found.forEach((url) => links.push({ from: address, to: url.pathname + url.search, hash: url.hash }));
    return found;
}

// What a query opens is a choice on the same page: of each page one such link per set of parameter names is followed.
const shapes = new Set();
function isWorthAVisit(url) {
    if (url.search === '') {
        return true;
    }
    const shape = `${url.pathname}?${[...new Set(url.searchParams.keys())].join('&')}`;
    return !shapes.has(shape) && Boolean(shapes.add(shape));
}

before(async () => {
    server = await startServer({ args: ['--public-url', PUBLIC] });
    sitemap = sitemapPaths((await server.get('/sitemap.xml')).text);
    const queue = [['/', '(start)']];
    while (queue.length > 0) {
        const batch = queue.splice(0, 8);
        const found = await Promise.all(batch.map(async ([address, from]) => [address, await visit(address, from)]));
        for (const [address, urls] of found) {
            urls.filter(isWorthAVisit).forEach((url) => queue.push([url.pathname + url.search, address]));
        }
    }
});
after(() => server?.stop());

const htmlPages = () => [...pages].filter(([, page]) => page.html !== '' && page.status === 200);
// An address without a slash at its end that has a page too (/compare, /cost) is data, and names the page as canonical.
const plainPages = () => htmlPages().filter(([path]) => path.endsWith('/'));

/** Values that more than one page has, with those pages. */
function shared(entries) {
    const byValue = new Map();
    entries.forEach(([path, value]) => byValue.set(value, [...(byValue.get(value) ?? []), path]));
    return [...byValue].filter(([, paths]) => paths.length > 1);
}

test('the known addresses are served', async () => {
    assert.equal(ROUTES.length, 104);
    const answers = await Promise.all(ROUTES.map(async (path) => [path, (await server.get(path, HTML)).status]));
    assert.deepEqual(answers.filter(([, status]) => status !== 200), []);
});

test('the site map lists the pages of the reference and nothing twice', () => {
    assert.ok(sitemap.length >= 100, `${sitemap.length} addresses`);
    assert.equal(new Set(sitemap).size, sitemap.length);
    assert.deepEqual(ROUTES.filter((path) => path.endsWith('/') && !sitemap.includes(path)), []);
});

test('every address of the site map answers', async () => {
    for (const path of sitemap) {
        const answer = await server.get(path, HTML);
        assert.deepEqual([path, answer.status, answer.headers.get('content-type')], [path, 200, 'text/html; charset=utf-8']);
    }
});

test('every page of the site map says a real day', async () => {
    const { text: xml } = await server.get('/sitemap.xml');
    const days = [...xml.matchAll(/<lastmod>([^<]*)<\/lastmod>/g)].map((match) => match[1]);
    assert.equal(days.length, sitemap.length);
    days.forEach((day) => assert.match(day, /^20\d\d-[01]\d-[0-3]\d$/));
});

test('no link is broken', () => {
    const broken = [...pages].filter(([, page]) => page.status !== 200).map(([path, page]) => `${page.from} -> ${path}: ${page.status}`);
    assert.deepEqual(broken, []);
});

test('no anchor is broken', () => {
    const ids = new Map(htmlPages().map(([path, { html }]) => [path, new Set(attributes(html, 'id'))]));
    const broken = links
        .filter(({ to, hash }) => hash !== '' && ids.has(to) && !ids.get(to).has(decodeURIComponent(hash.slice(1))))
        .map(({ from, to, hash }) => `${from} -> ${to}${hash}`);
    assert.deepEqual([...new Set(broken)], []);
});

test('no page is an orphan', () => {
    assert.deepEqual(sitemap.filter((path) => !pages.has(path)), []);
});

test('every page is in the site map, but for the pairs that nobody chose', () => {
    const missing = plainPages().map(([path]) => path).filter((path) => !sitemap.includes(path));
    assert.deepEqual(missing.filter((path) => !/^\/compare\/[^/]+-vs-[^/]+\/$/.test(path)), []);
});

test('every page has exactly one h1, and it says something', () => {
    for (const [path, { html }] of htmlPages()) {
        assert.equal(html.match(/<h1[\s>]/g)?.length, 1, path);
        assert.notEqual(text(html, 'h1'), '', path);
    }
});

test('titles are unique', () => {
    assert.deepEqual(shared(plainPages().map(([path, { html }]) => [path, text(html, 'title')])), []);
});

test('descriptions are unique and of a useful length', () => {
    const entries = plainPages().map(([path, { html }]) => [path, meta(html, 'description')]);
    assert.deepEqual(shared(entries), []);
    const odd = entries.filter(([, words]) => words === undefined || words.length < 70 || words.length > 160);
    assert.deepEqual(odd.map(([path, words]) => `${path}: ${words?.length}`), []);
});

test('a page without a query is its own canonical address', () => {
    for (const [path, { html }] of plainPages()) {
        assert.equal(canonical(html), PUBLIC + path);
    }
});

test('any other address names a canonical one that exists', async () => {
    for (const [path, { html }] of htmlPages().filter(([path]) => !path.endsWith('/'))) {
        const address = canonical(html);
        assert.ok(address.startsWith(`${PUBLIC}/`), path);
        const own = address.slice(PUBLIC.length);
        const status = pages.get(own)?.status ?? (await server.get(own, HTML)).status;
        assert.equal(status, 200, `${path} -> ${own}`);
    }
});

test('no id stands twice on a page', () => {
    for (const [path, { html }] of htmlPages()) {
        const ids = attributes(html, 'id');
        assert.deepEqual(ids.filter((id, i) => ids.indexOf(id) !== i), [], path);
    }
});

test('linked data is JSON and names the page', () => {
    for (const [path, { html }] of htmlPages()) {
        const match = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html);
        assert.ok(match, path);
        assert.equal(JSON.parse(match[1])['@context'], 'https://schema.org', path);
    }
});
