// Profiles, alternatives and the directory in a real browser: by keyboard, on a narrow screen, without script.
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { chromium } from 'playwright-core';
import { startServer } from '../http/harness.mjs';

const server = await startServer();
const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
});
after(async () => {
    await browser.close();
    await server.stop();
});

/** Opens a page, hands it over, closes it. */
async function visit(target, options, use) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce', ...options });
    const page = await context.newPage();
    try {
        await page.goto(server.origin + target);
        await use(page);
    } finally {
        await context.close();
    }
}

for (const javaScriptEnabled of [true, false]) {
    describe(javaScriptEnabled ? 'with script' : 'without script', () => {
        test('a receipt opens and closes by keyboard', () =>
            visit('/sandboxes/e2b/', { javaScriptEnabled }, async (page) => {
                const mark = page.locator('#isolation button.src');
                const receipt = page.locator('#isolation .receipt');
                await mark.focus();
                assert.equal(await receipt.isVisible(), false);
                await page.keyboard.press('Enter');
                await receipt.waitFor({ state: 'visible' });
                assert.match(await receipt.innerText(), /E2B: Isolation[\s\S]*Source[\s\S]*Checked/);
                await page.keyboard.press('Escape');
                await receipt.waitFor({ state: 'hidden' });
                assert.match(await mark.getAttribute('aria-label'), /^\d+: receipt for E2B: Isolation$/);
            }));

        test('the address of a fact leads to its row', () =>
            visit('/sandboxes/e2b/#egress_control', { javaScriptEnabled }, async (page) => {
                let place = Infinity;
                for (let attempt = 0; attempt < 50 && !(place >= 0 && place < 900); attempt++) {
                    await page.waitForTimeout(100); // the browser scrolls once the page is laid out
                    place = (await page.locator('#egress_control').boundingBox()).y;
                }
                assert.ok(place >= 0 && place < 900, `the row is at ${place}`);
            }));

        test('ticked sandboxes are compared', () =>
            visit('/sandboxes/', { javaScriptEnabled }, async (page) => {
                for (const slug of ['e2b', 'modal']) {
                    await page.locator(`input[name="providers"][value="${slug}"]`).check();
                }
                await page.locator('#pick button[type="submit"]').click();
                await page.waitForURL(/\/compare\/\?/);
                assert.deepEqual(new URL(page.url()).searchParams.getAll('providers').flatMap((list) => list.split(',')).sort(), ['e2b', 'modal']);
            }));

        test('the filter form narrows the list', () =>
            visit('/sandboxes/', { javaScriptEnabled }, async (page) => {
                const before = await page.locator('input[name="providers"]').count();
                await page.locator('input[name="isolation"][value="microvm"]').check();
                await page.locator('.form button[type="submit"]').click();
                await page.locator('input[name="isolation"][value="microvm"]:checked').waitFor();
                await page.waitForURL(/isolation=microvm/);
                const now = await page.locator('input[name="providers"]').count();
                assert.ok(now > 0 && now < before, `${now} of ${before}`);
            }));
    });
}

for (const target of ['/sandboxes/', '/sandboxes/?isolation=microvm&gpu=true', '/sandboxes/daytona/', '/sandboxes/runloop/', '/sandboxes/riza/', '/alternatives/', '/alternatives/daytona/']) {
    for (const colorScheme of ['light', 'dark']) {
        test(`${target} does not scroll sideways at 320 px (${colorScheme})`, () =>
            visit(target, { viewport: { width: 320, height: 700 }, colorScheme }, async (page) => {
                const { wide, high } = await page.evaluate(() => ({ wide: document.documentElement.scrollWidth, high: document.documentElement.scrollHeight }));
                assert.ok(wide <= 320, `${wide} px wide`);
                assert.ok(high > 700);
            }));
    }
    test(`${target} has no fault that the console knows of`, () =>
        visit('/healthz', {}, async (page) => {
            const faults = [];
            page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
            page.on('pageerror', (error) => faults.push(String(error)));
            const hosts = new Set();
            page.on('request', (request) => hosts.add(new URL(request.url()).host));
            await page.goto(server.origin + target);
            assert.deepEqual(faults, []);
            assert.deepEqual([...hosts], [new URL(server.origin).host]);
            assert.equal(await page.locator('h1').count(), 1);
        }));
}
