// The page of costs in a browser: without script, on a small phone, and with bars that can be compared.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { chromium } from 'playwright-core';
import { startServer } from '../http/harness.mjs';

let server;
let browser;
before(async () => {
    server = await startServer();
    browser = await chromium.launch({
        executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
        args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
    });
});
after(async () => {
    await browser?.close();
    await server?.stop();
});

async function open(target, { width = 1440, javaScriptEnabled = false } = {}) {
    const context = await browser.newContext({ viewport: { width, height: 900 }, javaScriptEnabled });
    const page = await context.newPage();
    await page.goto(server.origin + target);
    return page;
}

test('the form works without script, and the page shows what the data say', async () => {
    const page = await open('/pricing/');
    await page.fill('#c-sandboxes', '5');
    await page.fill('#c-hours', '730');
    await page.fill('#c-runs', '5');
    await page.selectOption('#c-gpu', '');
    await page.click('button:has-text("Work it out")');
    const address = new URL(page.url());
    assert.equal(address.pathname, '/pricing/');
    assert.equal(await page.inputValue('#c-sandboxes'), '5');
    const { json } = await server.get(`/cost${address.search}`);
    const shown = await page.locator('#totals tbody tr .score b').allTextContents();
    assert.deepEqual(shown, json.results.map(({ total }) => total.text));
    await page.context().close();
});

test('each preset is a link to its sum, and is marked there', async () => {
    const page = await open('/pricing/');
    const links = await page.locator('#presets a').evaluateAll((all) => all.map((link) => link.getAttribute('href')));
    assert.equal(links.length, 5);
    for (const link of links) {
        await page.goto(server.origin + link);
        assert.equal(await page.locator('#presets a[aria-current="page"]').getAttribute('href'), link);
    }
    await page.context().close();
});

test('nothing is wider than a small phone', async () => {
    for (const target of ['/pricing/', '/pricing/?gpu=h100&sandboxes=1000&hours=700']) {
        const page = await open(target, { width: 320, javaScriptEnabled: true });
        await page.evaluate(() => document.querySelectorAll('details').forEach((details) => (details.open = true)));
        const { wide, view } = await page.evaluate(() => ({ wide: document.documentElement.scrollWidth, view: innerWidth }));
        assert.ok(wide <= view, `${target}: ${wide} pixels`);
        await page.context().close();
    }
});

test('all bars share one scale', async () => {
    for (const width of [390, 1440]) {
        const page = await open('/pricing/', { width });
        const widths = await page.locator('#totals svg.bar').evaluateAll((bars) => bars.map((bar) => Math.round(bar.getBoundingClientRect().width)));
        assert.ok(widths.length > 5 && Math.max(...widths) - Math.min(...widths) <= 1, `${width}: ${widths}`);
        await page.context().close();
    }
});
