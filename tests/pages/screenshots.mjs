// Run by scripts/screenshots.
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { startServer, TOP } from '../http/harness.mjs';
import { KINDS, launch, layOut, visit } from './kinds.mjs';

const TEN = ['home', 'directory', 'profile', 'compare', 'pair', 'best', 'guide', 'term', 'pricing', 'measurements'];
const WIDTHS = [390, 1440];
const SCHEMES = ['light', 'dark'];
const LONGEST = 16_000; // pixels that one picture can hold

const asked = process.argv.slice(2);
const names = asked.length === 0 ? TEN : asked[0] === 'all' ? Object.keys(KINDS) : asked;
const unknown = names.filter((name) => !(name in KINDS));
if (unknown.length > 0) {
    console.error(`screenshots: no kind of page is called ${unknown.join(', ')}; there are ${Object.keys(KINDS).join(', ')}`);
    process.exit(2);
}

const folder = path.join(TOP, 'screenshots');
await mkdir(folder, { recursive: true });
const server = await startServer();
const browser = await launch();
try {
    for (const name of names) {
        for (const width of WIDTHS) {
            for (const colorScheme of SCHEMES) {
                const options = { viewport: { width, height: width === 390 ? 844 : 1000 }, colorScheme };
                const height = await visit(browser, server.origin + KINDS[name], options, async (page) => {
                    await layOut(page);
                    const pixels = await page.evaluate(() => document.documentElement.scrollHeight);
                    const file = path.join(folder, `${name}-${width}-${colorScheme}.png`);
                    await page.screenshot({ path: file, fullPage: true, timeout: 0, clip: { x: 0, y: 0, width, height: Math.min(pixels, LONGEST) } });
                    return pixels;
                });
                console.log(`${name}-${width}-${colorScheme}.png: ${height} px long`);
            }
        }
    }
} finally {
    await browser.close();
    await server.stop();
}
