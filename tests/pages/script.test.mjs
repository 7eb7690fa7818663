// What the script adds, in a real browser: and that pages work without it.
import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { after, before, beforeEach, afterEach, test } from 'node:test';
import { chromium } from 'playwright-core';
import { startServer, TOP } from '../http/harness.mjs';

const CHROMIUM = {
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
};

let server;
let browser;
let context;
let page;
let faults;

before(async () => {
    server = await startServer();
    browser = await chromium.launch(CHROMIUM);
});
after(async () => {
    await browser?.close();
    await server?.stop();
});
beforeEach(async () => {
    context = await browser.newContext({ viewport: { width: 1440, height: 900 }, colorScheme: 'light' });
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: server.origin });
    page = await context.newPage();
    faults = [];
    page.on('pageerror', (error) => faults.push(String(error)));
    page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
});
afterEach(async () => {
    await context.close();
    assert.deepEqual(faults, []);
});

const open = (target) => page.goto(server.origin + target);
const paper = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
const announced = (words) => page.waitForFunction((text) => document.querySelector('body > [role=status]').textContent.includes(text), words);
const clipboard = () => page.evaluate(() => navigator.clipboard.readText());

test('the script is small', () => {
    assert.ok(statSync(path.join(TOP, 'public/site.js')).size < 12_288);
    assert.doesNotMatch(readFileSync(path.join(TOP, 'public/site.js'), 'utf8'), /\beval\b|innerHTML|https?:\/\//);
});

test('the theme follows the system, can be switched, and is remembered', async () => {
    await open('/about/');
    const light = await paper();
    await page.emulateMedia({ colorScheme: 'dark' });
    const dark = await paper();
    assert.notEqual(light, dark);
    await page.click('#theme'); // light
    assert.equal(await paper(), light);
    await announced('Theme: light');
    await page.emulateMedia({ colorScheme: 'light' });
    await page.click('#theme'); // dark
    assert.equal(await paper(), dark);
    await open('/data/');
    assert.equal(await paper(), dark);
    await page.click('#theme'); // as the system
    assert.equal(await paper(), light);
});

test('"/" goes to the search box, but not while typing', async () => {
    await open('/about/');
    await page.keyboard.press('/');
    assert.equal(await page.evaluate(() => document.activeElement.id), 'q');
    await page.keyboard.type('a/b');
    assert.equal(await page.inputValue('#q'), 'a/b');
});

test('arrow keys go from cell to cell', async () => {
    await open('/data/');
    await page.focus('tbody tr:nth-child(1) th a');
    await page.keyboard.press('ArrowRight');
    assert.equal(await page.evaluate(() => document.activeElement.cellIndex), 1);
    await page.keyboard.press('ArrowDown');
    assert.equal(await page.evaluate(() => document.activeElement.closest('tr').rowIndex), 2);
    await page.keyboard.press('ArrowLeft');
    assert.equal(await page.evaluate(() => document.activeElement.closest('th, td').cellIndex), 0);
});

test('a filter answers at once, says how many match, and keeps the history', async () => {
    await open('/compare/');
    const before = await page.textContent('main > .main h2');
    await page.check('input[name="isolation"][value="microvm"]');
    await page.waitForURL(/isolation=microvm/);
    const after = await page.textContent('main > .main h2');
    assert.notEqual(after, before);
    await announced(after.trim());
    await page.goBack();
    await page.waitForFunction((words) => document.querySelector('main > .main h2').textContent === words, before);
    assert.equal(await page.isChecked('input[name="isolation"][value="microvm"]'), false);
});

test('the tray takes up to six, over pages, and opens the comparison', async () => {
    await open('/sandboxes/');
    const boxes = page.locator('input[name="providers"][form="pick"]');
    for (let i = 0; i < 6; i++) {
        await boxes.nth(i).check();
    }
    await announced('6 of 6');
    assert.ok(await boxes.nth(6).isDisabled());
    await open('/sandboxes/');
    assert.equal(await page.locator('#pick .chips button').count(), 6);
    await page.locator('#pick .chips button').first().click();
    assert.equal(await boxes.first().isChecked(), false);
    assert.equal(await boxes.nth(6).isDisabled(), false);
    await page.click('#pick [type=submit]');
    assert.equal(new URL(page.url()).searchParams.getAll('providers').length, 5);
});

test('a table can be copied, and its columns left out', async () => {
    await open('/compare/');
    const box = page.locator('.box').first();
    await box.locator('.box-tools > button', { hasText: 'Copy' }).click();
    await page.locator('.menu:popover-open button', { hasText: 'CSV' }).click();
    await announced('CSV copied');
    const csv = await clipboard();
    assert.match(csv, /^Sandbox,/);
    assert.equal(csv.split('\r\n').length, await box.locator('tr').count());
    await box.locator('.box-tools > button', { hasText: 'Columns' }).click();
    await page.locator('.menu:popover-open input').first().uncheck();
    await page.keyboard.press('Escape');
    assert.equal(await box.locator('thead th').nth(1).isVisible(), false);
    assert.equal(await box.locator('tbody tr:first-child td').first().isVisible(), false);
});

test('the report of an error can be copied', async () => {
    await open('/corrections/?fact=e2b:isolation');
    await page.click('[data-copy="report"]');
    await announced('copied');
    assert.match(await clipboard(), /^Fact: e2b:isolation/);
});

test('a receipt opens while the pointer rests on its mark, and a click keeps it', async () => {
    await open('/sandboxes/e2b/');
    const mark = page.locator('.src[popovertarget]').first();
    const receipt = page.locator(`#${await mark.getAttribute('popovertarget')}`);
    await mark.hover();
    await receipt.waitFor({ state: 'visible' });
    await page.mouse.move(5, 5);
    await receipt.waitFor({ state: 'hidden' });
    await mark.click();
    await receipt.waitFor({ state: 'visible' });
});

test('what the script shows moves nothing', async () => {
    for (const target of ['/data/', '/compare/', '/sandboxes/', '/corrections/']) {
        await open(target);
        const shift = await page.evaluate(
            () =>
                new Promise((resolve) => {
                    let sum = 0;
                    new PerformanceObserver((list) => list.getEntries().forEach((entry) => (sum += entry.value))).observe({ type: 'layout-shift', buffered: true });
                    setTimeout(() => resolve(sum), 300);
                }),
        );
        assert.ok(shift < 0.01, `${target}: ${shift}`);
    }
});

test('a copy made of files is filtered in the browser, or says that it is not', async () => {
    // Whatever is asked, the answer is the file.
    await context.route('**/compare/?*', async (route) => route.fulfill({ response: await route.fetch({ url: `${server.origin}/compare/` }) }));
    await open('/compare/?gpu=true');
    await page.getByText('Filtered in your browser').waitFor();
    for (const file of ['**/data/providers.json', '**/offline.js']) {
        await context.route(file, (route) => route.abort());
        await open('/compare/?gpu=true');
        await page.locator('main > .note').waitFor();
        assert.equal(await page.locator('main > .note').innerText(), 'Loading failed: unfiltered.');
    }
    assert.equal(faults.filter((fault) => !fault.startsWith('Failed to load resource')).length, 0);
    faults.length = 0; // the browser's own words about the files that were held back
});

test('everything is there without the script', async () => {
    const plain = await browser.newContext({ javaScriptEnabled: false });
    const still = await plain.newPage();
    await still.goto(`${server.origin}/sandboxes/`);
    assert.equal(await still.locator('#theme').isVisible(), false);
    await still.fill('#q', 'snapshot');
    await still.press('#q', 'Enter');
    await still.waitForURL(/\/search\?q=snapshot/);
    assert.ok((await still.locator('.reasons li').count()) > 0);
    await plain.close();
});

test('/changes/ leads to what changed since the day of the last visit', async () => {
    await open('/changes/');
    assert.ok(await page.locator('#since').isHidden()); // a first visit
    const [today] = new Date().toISOString().split('T');
    assert.equal(await page.evaluate(() => localStorage.getItem('visit')), today);
    await page.evaluate(() => localStorage.setItem('visit', '2026-10-20')); // and a day later
    await open('/about/');
    await open('/changes/');
    assert.equal(await page.locator('#since').innerText(), 'Since you last looked (2026-10-20)');
    await page.click('#since');
    assert.equal(new URL(page.url()).search, '?from=2026-10-20');
    assert.equal(await page.locator('#f-from').inputValue(), '2026-10-20');
    await page.evaluate(() => localStorage.setItem('visit-before', 'nonsense'));
    await page.reload();
    assert.ok(await page.locator('#since').isHidden());
});
