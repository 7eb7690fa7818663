// How the pages stand on a small screen, with large text, with what a reader prefers, on paper, and what a first visit loads.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startServer } from '../http/harness.mjs';
import { KINDS, launch, layOut } from './kinds.mjs';

const FEW = ['home', 'profile', 'compare', 'guide', 'pair'];
const LONGEST_ON_A_PHONE = 20_000;

let server;
let browser;
let context;
let page; // one for all
before(async () => {
    server = await startServer();
    browser = await launch();
    context = await browser.newContext({ viewport: { width: 320, height: 700 }, reducedMotion: 'reduce' });
    page = await context.newPage();
});
after(async () => {
    await browser?.close();
    await server?.stop();
});

const open = async (kind, width, fragment = '') => {
    await page.setViewportSize({ width, height: 800 });
    await page.goto('about:blank');
    await page.goto(server.origin + (KINDS[kind] ?? kind) + fragment);
};

/** What sticks out of the page to the right, and is not inside a box that scrolls by itself. */
const tooWide = () =>
    page.evaluate(() => {
        const found = document.documentElement.scrollWidth > innerWidth ? [`the page is ${document.documentElement.scrollWidth} px wide`] : [];
        const scrolls = (element) => element && (/auto|scroll/.test(getComputedStyle(element).overflowX) || scrolls(element.parentElement));
        const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
        const range = document.createRange();
        while (walker.nextNode() && found.length < 5) {
            const parent = walker.currentNode.parentElement;
            if (!walker.currentNode.data.trim() || parent.closest('.sr, .skip, .receipt, script, svg, option')) continue;
            range.selectNodeContents(walker.currentNode);
            const box = range.getBoundingClientRect();
            if (box.width > 0 && (box.right > innerWidth + 1 || box.left < -1) && parent.checkVisibility() && !scrolls(parent) && getComputedStyle(parent).clipPath === 'none') {
                found.push(`"${walker.currentNode.data.trim().slice(0, 40)}" in ${parent.localName}.${parent.className}`);
            }
        }
        return found;
    });

test('no kind of page scrolls sideways at 320 px, and none is endless on a phone', async () => {
    for (const kind of Object.keys(KINDS)) {
        await open(kind, 390);
        await layOut(page);
        const height = await page.evaluate(() => document.documentElement.scrollHeight);
        assert.ok(height <= LONGEST_ON_A_PHONE, `${kind}: ${height} px`);
        await page.setViewportSize({ width: 320, height: 800 });
        await layOut(page, true);
        assert.deepEqual(await tooWide(), [], kind);
    }
});

test('text of twice the size stays in its place', async () => {
    for (const kind of FEW) {
        for (const width of [390, 1280]) {
            await open(kind, width);
            await page.evaluate(() => (document.documentElement.style.fontSize = '200%'));
            await layOut(page, true);
            assert.deepEqual(await tooWide(), [], `${kind}, ${width} px`);
        }
    }
});

test('a line of running text has 75 characters at most', async () => {
    for (const kind of ['guide', 'term', 'about', 'profile', 'methodology']) {
        await open(kind, 1440);
        await layOut(page);
        const longest = await page.$$eval('main p, main li', (blocks) => {
            const range = document.createRange();
            const lines = blocks
                .filter((block) => block.checkVisibility() && block.textContent.length > 150 && !block.closest('table, figure, .hint, .cards-list, .foot, .receipt, .picks'))
                .map((block) => {
                    range.selectNodeContents(block);
                    const size = parseFloat(getComputedStyle(block).lineHeight);
                    return { words: block.textContent.trim().slice(0, 50), line: block.textContent.trim().length / Math.max(1, Math.round(range.getBoundingClientRect().height / size)) };
                });
            return lines.sort((one, other) => other.line - one.line)[0];
        });
        assert.ok(longest.line <= 80, `${kind}: ${longest.line} in "${longest.words}"`); // a whole line is a little longer than the mean
    }
});

describe('what is folded', () => {
    test('opens for a link to it, and is brought into sight', async () => {
        for (const [kind, fragment] of [['profile', '#isolation'], ['home', '#s-20']]) {
            await open(kind, 390, fragment);
            await page.waitForFunction((id) => {
                const { top, bottom, height } = document.querySelector(id).getBoundingClientRect();
                return height > 0 && bottom > 0 && top < innerHeight;
            }, fragment);
        }
    });

    test('is open on a wide screen', async () => {
        await open('profile', 1280);
        await layOut(page);
        assert.equal(await page.locator('#isolation').isVisible(), true);
        assert.equal(await page.locator('.fold > summary:visible').count(), 0);
    });
});

describe('wide tables', () => {
    test('keep their head and their first column in sight inside their own box', async () => {
        await open('compare', 1280);
        const box = page.locator('section.box', { has: page.locator('table.grid') }).first();
        const before = await box.evaluate((element) => {
            element.scrollTo(400, 600);
            return { left: element.scrollLeft, top: element.scrollTop, x: element.getBoundingClientRect().x, y: element.getBoundingClientRect().y };
        });
        assert.ok(before.left > 100 && before.top > 100, JSON.stringify(before));
        const head = await box.locator('thead th').nth(1).boundingBox();
        const first = await box.locator('tbody tr').last().locator('th').boundingBox();
        assert.ok(Math.abs(head.y - before.y) < 5, `head at ${head.y}, box at ${before.y}`);
        assert.ok(Math.abs(first.x - before.x) < 5, `first column at ${first.x}, box at ${before.x}`);
    });
});

describe('a receipt', () => {
    test('opens by hover, by focus and by tap, and by click without a script', async () => {
        await open('profile', 1280);
        const mark = page.locator('#isolation button.src').first();
        const receipt = page.locator('#isolation .receipt').first();
        await mark.hover();
        await receipt.waitFor({ state: 'visible' });
        await page.mouse.move(2, 2);
        await receipt.waitFor({ state: 'hidden' });
        await mark.focus();
        await page.keyboard.press('Enter');
        await receipt.waitFor({ state: 'visible' });
        await page.keyboard.press('Escape');
        await receipt.waitFor({ state: 'hidden' });
        const bare = await browser.newContext({ javaScriptEnabled: false, hasTouch: true, viewport: { width: 390, height: 800 } });
        const other = await bare.newPage();
        await other.goto(`${server.origin}/sandboxes/daytona/`);
        await other.locator('#quick button.src').first().tap();
        await other.locator('#quick .receipt').first().waitFor({ state: 'visible' });
        await bare.close();
    });
});

describe('what a reader prefers', () => {
    after(() => page.emulateMedia({ media: null, colorScheme: null, reducedMotion: 'reduce', contrast: null, forcedColors: null }));

    test('less motion: nothing moves', async () => {
        await page.emulateMedia({ reducedMotion: 'reduce' });
        await open('home', 1280);
        const motion = () =>
            page.evaluate(() => ({
                scroll: getComputedStyle(document.documentElement).scrollBehavior,
                moving: [...document.querySelectorAll('*')].filter((element) => getComputedStyle(element).transitionDuration !== '0s' || getComputedStyle(element).animationName !== 'none').length,
            }));
        assert.deepEqual(await motion(), { scroll: 'auto', moving: 0 });
        await page.emulateMedia({ reducedMotion: 'no-preference' });
        assert.equal((await motion()).scroll, 'smooth');
    });

    test('more contrast: every text has at least 7 to 1', async () => {
        for (const colorScheme of ['light', 'dark']) {
            await page.emulateMedia({ contrast: 'more', colorScheme });
            await open('profile', 1280);
            const low = await page.evaluate(() => {
                const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
                const light = (colour) => {
                    canvas.fillStyle = colour;
                    canvas.fillRect(0, 0, 1, 1);
                    const [r, g, b] = [...canvas.getImageData(0, 0, 1, 1).data].map((part) => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4));
                    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
                };
                const paper = light(getComputedStyle(document.documentElement).backgroundColor);
                return [...document.querySelectorAll('p, .v, .sub, .hint, h2, .crumbs a, .src, main a')]
                    .map((element) => [element.className || element.localName, light(getComputedStyle(element).color)])
                    .map(([name, ink]) => [name, (Math.max(ink, paper) + 0.05) / (Math.min(ink, paper) + 0.05)])
                    .filter(([, ratio]) => ratio < 7)
                    .slice(0, 3);
            });
            assert.deepEqual(low, [], colorScheme);
        }
    });

    test('forced colours: marks and bars stay', async () => {
        await page.emulateMedia({ contrast: null, colorScheme: 'light', forcedColors: 'active' });
        await open('profile', 1280);
        const seen = await page.evaluate(() => {
            const probe = document.body.appendChild(document.createElement('i'));
            const system = (name) => ((probe.style.color = name), getComputedStyle(probe).color);
            const mark = document.querySelector('.v-yes');
            return {
                mark: getComputedStyle(mark, '::before').backgroundColor === system('CanvasText'),
                bar: getComputedStyle(document.querySelector('.bar-lo')).fill === system('Highlight'),
                button: getComputedStyle(document.querySelector('.btn')).borderTopStyle,
            };
        });
        assert.deepEqual(seen, { mark: true, bar: true, button: 'solid' });
    });
});

describe('on paper', () => {
    after(() => page.emulateMedia({ media: null, forcedColors: null }));

    test('there is the text and no control, folded parts are unfolded, sources have their address', async () => {
        for (const kind of FEW) {
            await open(kind, 1000);
            await page.emulateMedia({ media: 'print', forcedColors: null });
            const shown = (selector) => page.locator(`${selector}:visible`).count();
            for (const control of ['nav.nav', '.find', '#theme', '.box-tools', '.fold > summary', '.toc', '.foot nav']) {
                assert.equal(await shown(control), 0, `${kind}: ${control}`);
            }
            assert.ok((await shown('.sources li')) > 10, kind);
            const ending = await page.locator('.sources li a').first().evaluate((link) => getComputedStyle(link, '::after').content);
            assert.match(ending, /http/, kind);
            const boxed = await page.$$eval('.box', (boxes) => boxes.filter((box) => getComputedStyle(box).overflowY !== 'visible').length);
            assert.equal(boxed, 0, kind);
            await page.emulateMedia({ media: null });
        }
        await open('profile', 1000);
        assert.ok((await page.pdf({ format: 'A4' })).length > 20_000);
    });
});

test('a first visit loads at most 60 KB in at most 5 requests from one host, and the browser has no complaint', async () => {
    const KB = 1024;
    for (const kind of Object.keys(KINDS)) {
        const fresh = await browser.newContext({ viewport: { width: 390, height: 844 } });
        const tab = await fresh.newPage();
        const complaints = [];
        tab.on('console', (message) => message.type() === 'error' && !/status of 4/.test(message.text()) && complaints.push(message.text()));
        tab.on('pageerror', (error) => complaints.push(error.message));
        const cdp = await fresh.newCDPSession(tab);
        await cdp.send('Network.enable');
        const asked = new Map();
        cdp.on('Network.requestWillBeSent', ({ requestId, request }) => asked.set(requestId, { url: request.url, size: 0 }));
        cdp.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => (asked.get(requestId).size = encodedDataLength));
        await tab.goto(server.origin + KINDS[kind], { waitUntil: 'networkidle' });
        const all = [...asked.values()].filter(({ url }) => !url.startsWith('data:'));
        const sum = all.reduce((total, { size }) => total + size, 0);
        assert.ok(all.every(({ url }) => url.startsWith(server.origin)), `${kind}: ${all.map(({ url }) => url)}`);
        assert.ok(all.length >= 3 && all.length <= 5, `${kind}: ${all.map(({ url }) => url)}`);
        assert.ok(sum > KB && sum <= 60 * KB, `${kind}: ${sum} bytes`);
        assert.deepEqual(complaints, [], kind);
        await fresh.close();
    }
});
