// The comparison and head-to-head pages in a real browser.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
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
const WIDE = { width: 1440, height: 1000 };
const PAGES = [
    '/compare/',
    '/compare/?isolation=microvm&gpu=false&max_session_seconds__gte=12h',
    '/compare/?isolation=wasm&gpu=true',
    '/compare/?gpu=mybe',
    '/compare/?providers=beam,daytona,e2b,modal',
    '/compare/e2b-vs-daytona/',
    '/compare/beam-vs-runloop/',
];

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

/** Opens a page of the site, runs check(page) and closes it. */
async function visit(target, options, check) {
    const context = await browser.newContext({ viewport: WIDE, ...options });
    try {
        const page = await context.newPage();
        await page.goto(server.origin + target);
        await check(page);
    } finally {
        await context.close();
    }
}

const status = (page) => page.getByRole('status').first().innerText();

describe('without a script', () => {
    test('the form filters, keeps what was chosen, and chips take it back', () =>
        visit('/compare/', { javaScriptEnabled: false }, async (page) => {
            await page.locator('input[name=isolation][value=microvm]').check();
            await page.getByRole('button', { name: 'Apply' }).first().click();
            await page.waitForURL(/isolation=microvm/);
            const { json } = await server.get('/compare?isolation=microvm');
            assert.match(await status(page), new RegExp(`^${json.counts.matches} of ${json.counts.considered} match`));
            assert.ok(await page.locator('input[name=isolation][value=microvm]').isChecked());
            await page.locator('a.chip-off', { hasText: 'Isolation' }).click();
            await page.waitForURL((url) => !url.search.includes('isolation'));
            assert.match(await status(page), /^21 of 21 match/);
        }));

    test('bounds take durations as people write them', () =>
        visit('/compare/?gpu=false', { javaScriptEnabled: false }, async (page) => {
            await page.locator('summary', { hasText: 'Lifecycle' }).click();
            await page.getByLabel('Longest session, at least').fill('12h');
            await page.getByRole('button', { name: 'Apply' }).first().click();
            await page.waitForURL(/max_session_seconds__gte=12h/);
            assert.ok(await page.locator('a.chip-off', { hasText: 'at least 12 hours' }).isVisible());
        }));

    test('two are chosen by the form and lead to their page', () =>
        visit('/compare/', { javaScriptEnabled: false }, async (page) => {
            await page.getByText('Choose two to six').click();
            await page.locator('#pairs input[value=daytona]').check();
            await page.locator('#pairs input[value=e2b]').check();
            await page.getByRole('button', { name: 'Side by side' }).click();
            await page.getByRole('link', { name: /full head-to-head/ }).click();
            assert.equal(await page.locator('h1').innerText(), 'E2B vs Daytona');
        }));

    test('only differences is a link, there and back', () =>
        visit('/compare/e2b-vs-daytona/', { javaScriptEnabled: false }, async (page) => {
            assert.equal(await page.locator('#same').count(), 1);
            await page.getByRole('link', { name: 'Only differences' }).click();
            await page.waitForURL(/only=differences/);
            assert.equal(await page.locator('#same').count(), 0);
            assert.equal(await page.locator('#different').count(), 1);
            await page.getByRole('link', { name: 'Show everything' }).click();
            await page.waitForURL(/vs-daytona\/$/);
            assert.equal(await page.locator('#same').count(), 1);
        }));

    test('a receipt opens from its mark, names basis, source and day, and closes', () =>
        visit('/compare/e2b-vs-daytona/', { javaScriptEnabled: false }, async (page) => {
            const cell = page.locator('#isolation td').first();
            const receipt = cell.locator('.receipt');
            assert.ok(!(await receipt.isVisible()));
            await cell.getByRole('button', { name: /receipt for E2B: Isolation/ }).click();
            assert.ok(await receipt.isVisible());
            const text = await receipt.innerText();
            ['Basis', 'Source', 'Checked', 'Review by'].forEach((term) => assert.ok(text.includes(term), term));
            await page.keyboard.press('Escape');
            assert.ok(!(await receipt.isVisible()));
        }));
});

describe('with the keyboard only', () => {
    test('a condition is set, sent, and its receipt read', () =>
        visit('/compare/', {}, async (page) => {
            const tabTo = async (wanted) => {
                for (let i = 0; i < 80; i++) {
                    await page.keyboard.press('Tab');
                    if (await page.evaluate((selector) => document.activeElement?.matches(selector), wanted)) {
                        return;
                    }
                }
                assert.fail(`the Tab key does not reach ${wanted}`);
            };
            await tabTo('input[name=isolation][value=gvisor]');
            await page.keyboard.press('Space');
            await page.keyboard.press('Enter');
            await page.waitForURL(/isolation=gvisor/);
            await tabTo('#result button.src');
            await page.keyboard.press('Enter');
            assert.equal(await page.locator('.sources li:popover-open').count(), 1);
            await page.keyboard.press('Escape');
            assert.equal(await page.locator('.sources li:popover-open').count(), 0);
        }));
});

describe('at every width', () => {
    for (const width of [320, 390, 1440]) {
        test(`no page scrolls sideways at ${width}`, async () => {
            for (const target of PAGES) {
                await visit(target, { viewport: { width, height: 800 } }, async (page) => {
                    const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
                    assert.ok(over <= 0, `${target} is ${over} pixels too wide`);
                });
            }
        });
    }

    test('filters fold away on a phone and stand open on a wide screen', async () => {
        const box = 'input[name=isolation][value=microvm]';
        await visit('/compare/', { viewport: { width: 390, height: 800 } }, async (page) => {
            assert.ok(!(await page.locator(box).isVisible()));
            await page.getByText('Filters', { exact: true }).click();
            assert.ok(await page.locator(box).isVisible());
        });
        await visit('/compare/', {}, async (page) => assert.ok(await page.locator(box).isVisible()));
    });

    test('ids are unique and anchors lead somewhere', async () => {
        for (const target of PAGES) {
            await visit(target, {}, async (page) => {
                const { twice, lost } = await page.evaluate(() => {
                    const ids = [...document.querySelectorAll('[id]')].map((element) => element.id);
                    const anchors = [...document.querySelectorAll('a[href*="#"]')].filter((link) => link.pathname === location.pathname);
                    return {
                        twice: ids.filter((id, i) => ids.indexOf(id) !== i),
                        lost: anchors.map((link) => link.hash.slice(1)).filter((id) => id !== '' && !document.getElementById(id)),
                    };
                });
                assert.deepEqual({ twice, lost }, { twice: [], lost: [] }, target);
            });
        }
    });
});
