// The charts in a browser: named for screen readers, their ids unique, nothing wider than a small phone, in both themes.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { chromium } from 'playwright-core';
import { startServer } from '../http/harness.mjs';

const PAGES = { '/': 1, '/best/': 1, '/measurements/': 9, '/measurements/e2b/': 1 };
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
let server;
let browser;
before(async () => {
    server = await startServer();
    browser = await chromium.launch({
        executablePath: CHROMIUM,
        args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
    });
});
after(async () => {
    await browser?.close();
    await server?.stop();
});

/** Opens a page of the site, calls use with it, and closes it. */
async function open(target, options, use) {
    const context = await browser.newContext(options);
    try {
        const page = await context.newPage();
        await page.goto(server.origin + target);
        await use(page);
    } finally {
        await context.close();
    }
}

for (const [target, count] of Object.entries(PAGES)) {
    test(`${target}: every chart has a name and a description of its own`, () =>
        open(target, {}, async (page) => {
            const charts = await page.$$eval('figure svg', (drawings) =>
                drawings.map((svg) => {
                    const [title, desc] = svg.getAttribute('aria-labelledby').split(' ').map((id) => document.getElementById(id));
                    return { role: svg.getAttribute('role'), inside: svg.contains(title) && svg.contains(desc), title: title.textContent, desc: desc.textContent };
                }),
            );
            assert.equal(charts.length, count);
            assert.ok(charts.every((chart) => chart.role === 'img' && chart.inside && chart.desc.length > 40));
            assert.equal(new Set(charts.map((chart) => chart.title)).size, count);
            const ids = await page.$$eval('[id]', (elements) => elements.map((element) => element.id));
            assert.equal(new Set(ids).size, ids.length);
        }));

    test(`${target}: no page scroll at 320 pixels, and no text of a chart is cut off`, () =>
        open(target, { viewport: { width: 320, height: 700 } }, async (page) => {
            assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
            const faults = await page.$$eval('figure svg', (drawings) =>
                drawings.flatMap((svg) => {
                    const box = svg.getBoundingClientRect();
                    return [...svg.querySelectorAll('text')]
                        .filter((text) => {
                            const { left, right } = text.getBoundingClientRect();
                            return left < box.left - 1 || right > box.right + 1;
                        })
                        .map((text) => text.textContent);
                }),
            );
            assert.deepEqual(faults, []);
        }));
}

test('the table beside a chart opens without script', () =>
    open('/measurements/e2b/', { javaScriptEnabled: false, viewport: { width: 390, height: 800 } }, async (page) => {
        const table = page.locator('#t-series-e2b');
        assert.equal(await table.isVisible(), false);
        await page.locator('summary', { hasText: 'Every day as a table' }).click();
        assert.equal(await table.isVisible(), true);
    }));

test('lines and marks differ from the paper in both themes', async () => {
    for (const colorScheme of ['light', 'dark']) {
        await open('/measurements/e2b/', { colorScheme }, async (page) => {
            const [paper, line] = await page.evaluate(() => [
                getComputedStyle(document.documentElement).backgroundColor,
                getComputedStyle(document.querySelector('.ch-line')).stroke,
            ]);
            assert.notEqual(paper, line, colorScheme);
            assert.notEqual(line, 'none', colorScheme);
        });
    }
});
