// Guides and terms in a browser: nothing wider than a small phone, and drawings that say what they show.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { chromium } from 'playwright-core';
import { startServer, TOP } from '../http/harness.mjs';

const slugs = (folder) => fs.readdirSync(path.join(TOP, 'sql/prose', folder)).map((name) => name.replace(/\.md$/, ''));
const PAGES = [
    '/guides/',
    '/glossary/',
    ...slugs('guides').map((slug) => `/guides/${slug}/`),
    ...slugs('glossary').map((slug) => `/glossary/${slug}/`),
];

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

async function visit(width, use) {
    const page = await browser.newPage({ viewport: { width, height: 800 } });
    for (const target of PAGES) {
        await page.goto(server.origin + target);
        await use(page, target);
    }
    await page.close();
}

test('no page scrolls sideways at 320 pixels', async () => {
    await visit(320, async (page, target) => {
        const { wide, view } = await page.evaluate(() => ({ wide: document.documentElement.scrollWidth, view: innerWidth }));
        assert.ok(wide <= view, `${target}: ${wide} pixels`);
    });
});

test('each drawing has a title, a description, a caption, and its data as a table', async () => {
    const seen = new Set();
    await visit(390, async (page, target) => {
        const drawings = await page.$$eval('.prose figure', (figures) =>
            figures.map((figure) => {
                const svg = figure.querySelector('svg');
                const named = svg.getAttribute('aria-labelledby').split(' ').map((id) => document.getElementById(id));
                const texts = [...svg.querySelectorAll('text')].map((text) => text.getBoundingClientRect());
                const frame = svg.getBoundingClientRect();
                return {
                    name: named[0]?.id,
                    role: svg.getAttribute('role'),
                    named: named.map((element) => element && svg.contains(element) && element.textContent.length > 10),
                    tags: named.map((element) => element?.tagName),
                    caption: figure.querySelector('figcaption')?.textContent.length > 10,
                    rows: figure.nextElementSibling?.querySelectorAll('details > section table tbody tr, section table tbody tr').length ?? 0,
                    outside: texts.filter((box) => box.left < frame.left - 1 || box.right > frame.right + 1 || box.bottom > frame.bottom + 1).length,
                    smallest: Math.min(...texts.map((box) => box.height)),
                };
            }),
        );
        for (const drawing of drawings) {
            seen.add(drawing.name);
            assert.deepEqual(drawing.tags, ['title', 'desc'], target);
            assert.deepEqual(drawing.named, [true, true], target);
            assert.equal(drawing.role, 'img', target);
            assert.ok(drawing.caption, target);
            assert.ok(drawing.rows >= 3, `${target}: ${drawing.name} has ${drawing.rows} rows`);
            assert.equal(drawing.outside, 0, `${target}: ${drawing.name} has text outside its frame`);
            assert.ok(drawing.smallest >= 11, `${target}: ${drawing.name} has text ${drawing.smallest} pixels high`);
        }
    });
    assert.equal(seen.size, 6);
});

test('no two texts of a drawing overlap', async () => {
    await visit(390, async (page, target) => {
        const overlaps = await page.$$eval('.prose figure svg', (drawings) =>
            drawings.flatMap((svg) => {
                const boxes = [...svg.querySelectorAll('text')].map((text) => ({ text: text.textContent, box: text.getBoundingClientRect() }));
                return boxes.flatMap((one, i) =>
                    boxes.slice(i + 1).flatMap((other) => {
                        const across = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left);
                        const down = Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top);
                        return across > 1 && down > 4 ? [`${one.text} / ${other.text}`] : [];
                    }),
                );
            }),
        );
        assert.deepEqual(overlaps, [], target);
    });
});
