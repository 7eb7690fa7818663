// axe finds nothing on any kind of page, light and dark, narrow and wide, and what a keyboard or a screen reader meets has a name.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, describe, test } from 'node:test';
import { startServer } from '../http/harness.mjs';
import { KINDS, launch, layOut, REFUSED, visit } from './kinds.mjs';

const AXE = await readFile(new URL('../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8');
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

const server = await startServer();
const browser = await launch();
after(async () => {
    await browser.close();
    await server.stop();
});

const open = (target, options, use) => visit(browser, server.origin + target, options, use);

/** What axe says against the page as it stands: "rule: element". */
async function violations(page, only) {
    // What comes into sight would be laid out while axe scrolls, and move what it has measured.
    await layOut(page);
    const { violations: found } = await page.evaluate(
        async ([source, runOnly]) => {
            globalThis.axe ?? new Function(source)();
            return globalThis.axe.run(document, { runOnly, resultTypes: ['violations'], preload: false });
        },
        [AXE, only ?? { type: 'tag', values: RULES }],
    );
    return found.flatMap(({ id, nodes }) => nodes.slice(0, 5).map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary}`));
}

// One page serves them all. The scheme changes colours only, so what only looks at colours is asked again in the dark. The first
// look is at the whole page; for the others, the first rows of a long table or list stand for the rest. What differs from a page
// beside it by its answer only is left out.
const ALIKE = ['home-weights', 'profile', 'profile-discontinued', 'compare-filtered', 'search-empty'];
const ROWS_KEPT = 10;

const shorten = (page) =>
    page.evaluate((kept) => {
        document.querySelectorAll('.receipt').forEach((receipt) => receipt.remove());
        document.querySelectorAll('tbody, ol, ul').forEach((list) => [...list.children].slice(kept).forEach((child) => child.remove()));
    }, ROWS_KEPT);

const COLOURS = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] };

test('axe has nothing against any kind of page, light and dark, 390 and 1440 wide', { timeout: 1_200_000 }, async (t) => {
    const context = await browser.newContext({ bypassCSP: true, reducedMotion: 'reduce' });
    const page = await context.newPage();
    for (const [name, target] of Object.entries(KINDS).filter(([kind]) => !ALIKE.includes(kind))) {
        await t.test(`${name} (${target})`, async () => {
            await page.emulateMedia({ colorScheme: 'light' });
            await page.setViewportSize({ width: 390, height: 900 });
            const answer = await page.goto(server.origin + target);
            assert.equal(answer.status(), REFUSED[name] ?? 200);
            for (const width of [390, 1440]) {
                await page.setViewportSize({ width, height: 900 });
                for (const colorScheme of ['light', 'dark']) {
                    await page.emulateMedia({ colorScheme });
                    assert.deepEqual(await violations(page, colorScheme === 'dark' ? COLOURS : undefined), [], `${width} px, ${colorScheme}`);
                    await shorten(page);
                }
            }
        });
    }
    await context.close();
});

test('axe sees a fault', () =>
    open('/about/', { bypassCSP: true }, async (page) => {
        await page.evaluate(() => document.querySelector('main').append(Object.assign(document.createElement('input'), { type: 'text' })));
        assert.match((await violations(page)).join('\n'), /label/);
    }));

test('axe has nothing against an open receipt and an open menu', async () => {
    for (const colorScheme of ['light', 'dark']) {
        const receipt = await open('/sandboxes/daytona/', { bypassCSP: true, colorScheme }, async (page) => {
            await page.locator('#isolation button.src').press('Enter');
            await page.locator('#isolation .receipt').waitFor({ state: 'visible' });
            return violations(page);
        });
        assert.deepEqual(receipt, []);
        const menu = await open('/', { bypassCSP: true, colorScheme, viewport: { width: 390, height: 844 } }, async (page) => {
            await page.locator('.menu-btn').press('Enter');
            await page.locator('#nav a').first().waitFor({ state: 'visible' });
            return violations(page);
        });
        assert.deepEqual(menu, []);
    }
});

/** What the focus is on: its name, whether it can be seen, whether the focus is shown. */
const focused = (page) =>
    page.evaluate(() => {
        const element = document.activeElement;
        const box = element.getBoundingClientRect();
        const style = getComputedStyle(element);
        return {
            name: element.getAttribute('aria-label') ?? element.labels?.[0]?.textContent ?? element.textContent.trim(),
            tag: element.localName,
            seen: box.width > 0 && box.height > 0 && box.bottom > 0 && box.top < innerHeight,
            ring: style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2,
        };
    });

/** Walks by Tab until `last` says stop; every stop must be seen, named and ringed. */
async function walk(page, limit, last) {
    const stops = [];
    for (let i = 0; i < limit; i++) {
        await page.keyboard.press('Tab');
        const stop = await focused(page);
        assert.ok(stop.seen, `${stop.tag} "${stop.name}" has the focus out of sight`);
        assert.ok(stop.ring, `${stop.tag} "${stop.name}" does not show the focus`);
        assert.notEqual(stop.name, '', `a ${stop.tag} has no name`);
        stops.push(stop.name);
        if (last(stop)) {
            return stops;
        }
    }
    assert.fail(`not reached in ${limit} steps: ${stops.join(' | ')}`);
}

describe('by keyboard alone', () => {
    test('the header is walked in the order in which it is read', () =>
        open('/about/', {}, async (page) => {
            const stops = await walk(page, 20, ({ name }) => name === 'Go');
            assert.deepEqual(stops.slice(0, 3), ['Skip to content', 'Agent Sandboxes', 'Sandboxes']);
            assert.ok(stops.includes('Theme: as the system'), stops.join());
            assert.deepEqual(stops.slice(-2), ['Search', 'Go']);
        }));

    test('the skip link leads past the header', () =>
        open('/about/', {}, async (page) => {
            await page.keyboard.press('Tab');
            await page.keyboard.press('Enter');
            await page.keyboard.press('Tab');
            assert.equal(await page.evaluate(() => document.activeElement.closest('main') !== null), true);
        }));

    test('on a phone the menu opens, is walked and closes', () =>
        open('/about/', { viewport: { width: 390, height: 844 } }, async (page) => {
            await walk(page, 5, ({ name }) => name === 'Menu');
            await page.keyboard.press('Enter');
            const stops = await walk(page, 10, ({ name }) => name === 'Data');
            assert.equal(stops[0], 'Sandboxes');
            await page.keyboard.press('Escape');
            assert.equal((await focused(page)).name, 'Menu');
            assert.equal(await page.locator('#nav').isVisible(), false);
        }));

    test('every stop of a long page is seen, named and ringed', () =>
        open('/sandboxes/e2b/', { viewport: { width: 390, height: 844 } }, async (page) => {
            await walk(page, 600, ({ name }) => name === 'How we know');
        }));

    test('a filter is set and sent', () =>
        open('/compare/', { javaScriptEnabled: false }, async (page) => {
            const box = page.locator('aside.side input[name="isolation"][value="microvm"]');
            await box.focus();
            await page.keyboard.press('Space');
            await walk(page, 200, ({ tag, name }) => tag === 'button' && /Apply|Ask|Compare|Show/.test(name));
            await page.keyboard.press('Enter');
            await page.waitForURL(/isolation=microvm/);
        }));
});

describe('in a screen reader', () => {
    test('the landmarks are named', () =>
        open('/compare/', {}, async (page) => {
            await page.getByRole('banner').waitFor();
            await page.getByRole('main').waitFor();
            await page.getByRole('contentinfo').waitFor();
            for (const name of ['Main', 'Breadcrumb', 'Compare', 'Learn', 'Check', 'Reuse']) {
                assert.equal(await page.getByRole('navigation', { name, exact: true }).count(), 1, name);
            }
            assert.equal(await page.getByRole('search').count(), 1);
            assert.equal(await page.getByRole('searchbox', { name: 'Search', exact: true }).count(), 1);
            assert.equal(await page.getByRole('heading', { level: 1 }).count(), 1);
        }));

    test('every choice of the filter form belongs to a named group', () =>
        open('/compare/', {}, async (page) => {
            const form = page.locator('aside.side form');
            const microvm = form.getByRole('group', { name: 'Isolation' }).getByRole('checkbox', { name: /^microVM/ });
            assert.equal(await microvm.count(), 1);
            const nameless = await form.evaluate((element) =>
                [...element.elements]
                    .filter((field) => field.matches('input, select, textarea') && field.type !== 'hidden')
                    .filter((field) => !field.ariaLabel && !field.labels?.[0]?.textContent.trim())
                    .map((field) => field.outerHTML));
            assert.deepEqual(nameless, []);
        }));

    test('a receipt says whose it is and holds the source', () =>
        open('/sandboxes/e2b/', {}, async (page) => {
            const mark = page.getByRole('button', { name: /^\d+: receipt for E2B: Isolation$/ }).first();
            await mark.press('Enter');
            const receipt = page.locator('.receipt:popover-open');
            assert.equal(await receipt.count(), 1);
            assert.ok((await receipt.getByRole('link').count()) >= 2);
            assert.match(await receipt.ariaSnapshot(), /Source[\s\S]*link/);
        }));

    test('a value is a word', () =>
        open('/sandboxes/e2b/', {}, async (page) => {
            const empty = await page.locator('.v').evaluateAll((list) => list.filter((value) => value.textContent.trim() === '').length);
            assert.equal(empty, 0);
            assert.ok((await page.getByText('Not documented', { exact: true }).count()) > 0);
        }));
});
