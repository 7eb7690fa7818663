// Every page of a catalogue whose every text is an attack (../http/hostile.mjs), in a browser: nothing of it runs, asks, or leaves.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { after, before, test } from 'node:test';
import { startServer } from '../http/harness.mjs';
import { makeFolder, MORE, writeHostile } from '../http/hostile.mjs';
import { sitemapPaths } from '../http/html.mjs';
import { launch } from './kinds.mjs';

const AT_ONCE = 2;

let folder;
let browser;
before(async () => {
    folder = makeFolder();
    browser = await launch();
});
after(async () => {
    await browser?.close();
    fs.rmSync(folder, { recursive: true, force: true });
});

/** A page that writes down whatever an attack would show. */
async function watched(context, origin, faults) {
    const page = await context.newPage();
    const note = (what) => faults.push(`${page.url()}: ${what}`);
    page.on('dialog', (dialog) => (note(`dialog: ${dialog.message()}`), dialog.dismiss()));
    page.on('pageerror', (error) => note(`error: ${error}`));
    page.on('console', (message) => message.type() === 'error' && !/status of 40\d/.test(message.text()) && note(message.text()));
    page.on('popup', (popup) => note(`popup: ${popup.url()}`));
    page.on('download', (download) => note(`download: ${download.url()}`));
    page.on('request', (request) => request.url().startsWith(`${origin}/`) || note(`asked for ${request.url()}`));
    await page.exposeFunction('violated', (what) => note(`policy: ${what}`));
    await page.addInitScript(() => document.addEventListener('securitypolicyviolation', (event) => globalThis.violated(`${event.violatedDirective} ${event.blockedURI}`)));
    return page;
}

async function look(page, address, faults) {
    await page.goto(address, { waitUntil: 'load' });
    // What waits for a pointer or a key gets one.
    await page.mouse.move(300, 400);
    await page.keyboard.press('Tab');
    const broken = await page.evaluate(() => globalThis.broken !== undefined || [...document.querySelectorAll('*')].some((element) => [...element.attributes].some(({ name }) => /^on|^srcdoc$/.test(name))));
    broken && faults.push(`${address}: a script ran, or would`);
}

for (const forged of [false, true]) {
    test(forged ? 'sealed by an enemy' : 'as the rules take it', { timeout: 600_000 }, async () => {
        const server = await startServer({ args: ['--db', await writeHostile(folder, { forged })] });
        const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
        const faults = [];
        try {
            const paths = sitemapPaths((await server.get('/sitemap.xml')).text);
            assert.ok(paths.length > 60);
            const targets = [...paths, ...MORE, '/badge/e2b.svg', '/changes.atom', '/index.md'];
            const pages = await Promise.all(Array.from({ length: AT_ONCE }, () => watched(context, server.origin, faults)));
            await Promise.all(pages.map(async (page, at) => {
                for (let i = at; i < targets.length; i += AT_ONCE) {
                    await look(page, server.origin + targets[i], faults);
                }
            }));
            assert.deepEqual(faults, []);
            // The watch works.
            await pages[0].goto(`${server.origin}/about/`);
            await pages[0].evaluate(() => {
                try {
                    document.body.setAttribute('onclick', 'window.broken = 1');
                } catch {} // the policy has told of it
            });
            await pages[0].waitForTimeout(200);
            assert.ok(faults.some((fault) => fault.includes('policy: ')), 'a violation is noted');
        } finally {
            await context.close();
            await server.stop();
        }
    });
}
