// /match/ in a real browser: without a script, by keyboard, on a small screen.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { chromium } from 'playwright-core';
import { startServer } from '../http/harness.mjs';

const BROWSER = {
    executablePath: '/usr/bin/chromium',
    args: [
        '--no-sandbox',
        '--disable-gpu',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
    ],
};
const QUERY = 'must.isolation=microvm&must.gpu=true&prefer.open_source=yes&avoid.egress_control=none&use_case=overall';

let server;
let browser;
before(async () => {
    server = await startServer();
    browser = await chromium.launch(BROWSER);
});
after(async () => {
    await browser?.close();
    await server?.stop();
});

async function visit(target, options, check) {
    const context = await browser.newContext({ viewport: { width: 1440, height: 1000 }, ...options });
    try {
        const page = await context.newPage();
        await page.goto(server.origin + target);
        await check(page);
    } finally {
        await context.close();
    }
}

test('without a script the form asks, and keeps what was asked', () =>
    visit('/match/', { javaScriptEnabled: false }, async (page) => {
        await page.locator('summary', { hasText: /^GPU$/ }).click();
        await page.locator('select[name="must.gpu"]').selectOption('true');
        await page.locator('summary', { hasText: /^Longest session$/ }).click();
        await page.locator('input[name="prefer.max_session_seconds__gte"]').fill('24h');
        await page.getByRole('button', { name: 'Match' }).first().click();
        await page.waitForURL(/must\.gpu=true/);
        assert.match(await page.getByRole('status').first().innerText(), /^\d+ of \d+ fit, \d+ undecided, \d+ near, \d+ excluded$/);
        assert.equal(await page.locator('select[name="must.gpu"]').inputValue(), 'true');
        assert.equal(await page.locator('input[name="prefer.max_session_seconds__gte"]').inputValue(), '86400');
        const shared = await page.getByRole('link', { name: 'Address to share' }).getAttribute('href');
        assert.equal(shared, '/match/?must.gpu=true&prefer.max_session_seconds__gte=86400');
    }));

test('what the form has no field for is kept', () =>
    visit('/match/?must.gpu__not=false&prefer.fork=true&prefer.max_vcpu__gte=8&must.mcp=true&must.isolation=microvm,gvisor&must.max_vcpu__lte=64&providers=e2b,modal&stage=ga,beta', { javaScriptEnabled: false }, async (page) => {
        const before = await page.getByRole('link', { name: 'Address to share' }).getAttribute('href');
        await page.getByRole('button', { name: 'Match' }).first().click();
        await page.waitForURL(/use_case=/);
        assert.equal(await page.getByRole('link', { name: 'Address to share' }).getAttribute('href'), before);
    }));

// Sections out of sight are not laid out, so their text is read, not their rendering.
test('the page shows every provider of the JSON once, in its section, with receipts', () =>
    visit(`/match/?${QUERY}`, { javaScriptEnabled: false }, async (page) => {
        const { json } = await server.get(`/match?${QUERY}`);
        for (const [list, id] of [['fits', 'fits'], ['undecided', 'undecided'], ['near_misses', 'near']]) {
            const names = await page.locator(`#${id} .card h3 a`).allTextContents();
            assert.deepEqual(names, json[list].map(({ name }) => name), list);
        }
        assert.deepEqual(await page.locator('#excluded .reasons > li > a').allTextContents(), json.excluded.map(({ name }) => name));
        const questions = json.undecided.flatMap(({ must }) => must.not_documented.map(({ question }) => question));
        const shown = await page.locator('#undecided').textContent();
        questions.forEach((question) => assert.ok(shown.includes(question), question));
        await page.locator('#fits .src').first().click();
        assert.ok(await page.locator('#fits .receipt').first().isVisible());
    }));

test('by keyboard alone', () =>
    visit('/match/', {}, async (page) => {
        await page.locator('summary', { hasText: /^GPU$/ }).focus();
        await page.keyboard.press('Enter');
        await page.keyboard.press('Tab');
        assert.equal(await page.evaluate(() => document.activeElement.getAttribute('name')), 'must.gpu');
        await page.keyboard.press('ArrowDown');
        await page.locator('select[name="must.gpu"]').evaluate((select) => select.form.querySelector('button').focus());
        await page.keyboard.press('Enter');
        await page.waitForURL(/must\.gpu=true/);
        assert.ok((await page.locator('#fits .card').count()) > 0);
    }));

for (const target of ['/match/', `/match/?${QUERY}`, '/match/?must.gpu=mybe']) {
    test(`nothing sticks out at 320 px: ${target.slice(0, 40)}`, () =>
        visit(target, { viewport: { width: 320, height: 800 } }, async (page) => {
            const excess = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
            assert.equal(excess, 0);
            const labels = await page.locator('form.form :is(select, input:not([type=hidden]))').evaluateAll((fields) => fields.filter((field) => field.labels.length !== 1).map(({ name }) => name));
            assert.deepEqual(labels, []);
        }));
}
