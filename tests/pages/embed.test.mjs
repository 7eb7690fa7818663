// Pages of another origin in a real browser: they may frame the table and show the badge, and nothing else.
import assert from 'node:assert/strict';
import http from 'node:http';
import { after, before, test } from 'node:test';
import { chromium } from 'playwright-core';
import { startServer } from '../http/harness.mjs';

const BROWSER = {
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
};

let server;
let browser;
let other; // a site of someone else: it answers with what stands in markup
let markup = '';
before(async () => {
    server = await startServer();
    browser = await chromium.launch(BROWSER);
    other = http.createServer((_, answer) => answer.setHeader('content-type', 'text/html').end(`<!doctype html><title>Other</title>${markup}`));
    await new Promise((resolve) => other.listen(0, '127.0.0.1', resolve));
});
after(async () => {
    await browser?.close();
    other?.closeAllConnections();
    other?.close();
    await server?.stop();
});

/** Opens the other site with this markup, runs check(page, messages of the console). */
async function visit(html, options, check) {
    markup = html;
    const context = await browser.newContext({ viewport: { width: 1000, height: 700 }, ...options });
    try {
        const page = await context.newPage();
        const messages = [];
        page.on('console', (message) => messages.push(message.text()));
        await page.goto(`http://localhost:${other.address().port}/`);
        await check(page, messages);
    } finally {
        await context.close();
    }
}

/** What oEmbed gives for a page, with the address under which this test reaches the server. */
async function oembed(path) {
    const [, site] = /rel="canonical" href="(.+)\/about\/"/.exec((await server.get('/about/')).text);
    const { json } = await server.get(`/oembed?url=${encodeURIComponent(site + path)}`);
    return json.html.replace(site, server.origin);
}

test('what oEmbed gives shows the table in a frame of another site', async () => {
    for (const path of ['/compare/?isolation=microvm&gpu=true', '/sandboxes/e2b/', '/compare/e2b-vs-modal/']) {
        await visit(await oembed(path), {}, async (page, messages) => {
            const frame = page.frameLocator('iframe');
            await frame.locator('tbody tr').first().waitFor();
            assert.ok((await frame.locator('tbody a[target=_blank]').count()) > 1, path);
            assert.ok((await frame.locator('time').count()) > 1);
            assert.notEqual(await frame.locator('body').evaluate((body) => getComputedStyle(body).fontFamily), 'Times New Roman', 'without its style');
            assert.deepEqual(messages, []);
        });
    }
});

test('no other page may be framed', async () => {
    for (const path of ['/compare/?isolation=microvm', '/', '/sandboxes/e2b/', '/embed/compare?gpu=bogus']) {
        await visit(`<iframe src="${server.origin}${path}"></iframe>`, {}, async (page, messages) => {
            await page.waitForTimeout(300);
            const [, inner] = page.frames();
            assert.ok(inner === undefined || !inner.url().startsWith(server.origin), `${path} is framed`);
            assert.ok(messages.some((text) => /frame-ancestors|refused to connect|ERR_BLOCKED/i.test(text)), messages.join('\n'));
        });
    }
});

test('narrow, wide, light and dark: the table fits its frame', async () => {
    for (const colorScheme of ['light', 'dark']) {
        for (const width of [320, 760]) {
            const html = `<meta name="color-scheme" content="light dark">${(await oembed('/compare/?isolation=microvm&gpu=true')).replace('width="760"', `width="${width}"`)}`;
            await visit(html, { colorScheme }, async (page) => {
                const frame = page.frameLocator('iframe');
                await frame.locator('tbody tr').first().waitFor();
                const { wide, ink, ground } = await frame.locator('body').evaluate((body) => ({
                    wide: document.documentElement.scrollWidth - innerWidth,
                    ink: getComputedStyle(body).color,
                    ground: getComputedStyle(document.documentElement).backgroundColor,
                }));
                assert.ok(wide <= 0, `${width} px: ${wide} px too wide`);
                assert.notEqual(ink, ground);
            });
        }
    }
});

test('a badge loads on another site, and its text stays in its box', async () => {
    await visit(`<img src="${server.origin}/badge/e2b.svg?attribute=isolation" alt="E2B">`, {}, async (page) => {
        const size = await page.locator('img').evaluate(async (img) => (await img.decode(), { width: img.naturalWidth, height: img.naturalHeight }));
        assert.equal(size.height, 20);
        assert.ok(size.width > 80 && size.width < 400);
    });
    const svg = (await server.get('/badge/modal.svg?attribute=isolation_technology')).text;
    await visit(svg, {}, async (page) => {
        const boxes = await page.locator('text').evaluateAll((texts) => texts.map((text) => text.getBBox()).map(({ x, width }) => ({ x, end: x + width })));
        const total = await page.locator('svg').evaluate((svg) => svg.width.baseVal.value);
        assert.ok(boxes[0].end < boxes[1].x && boxes[1].end <= total - 4, JSON.stringify({ boxes, total }));
    });
});
