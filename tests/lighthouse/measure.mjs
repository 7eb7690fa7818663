// Lighthouse with its own settings for phones (simulated throttling), in Debian's Chromium.
import { launch as launchChromium } from 'chrome-launcher';
import lighthouse from 'lighthouse';

export const PAGES = ['/', '/sandboxes/daytona/', '/compare/', '/guides/how-to-choose-an-agent-sandbox/'];
export const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'];

/** Starts a browser, hands over measure(address), which answers { scores, faults, metrics, report }, and ends the browser. */
export async function withLighthouse(use) {
    const chrome = await launchChromium({
        chromePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
        chromeFlags: ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
    });
    try {
        return await use(async (address, onlyCategories = CATEGORIES) => {
            const { lhr, report } = await lighthouse(address, { port: chrome.port, output: 'html', logLevel: 'error', onlyCategories });
            if (lhr.runtimeError) {
                throw new Error(`${address}: ${lhr.runtimeError.message}`);
            }
            const categories = Object.values(lhr.categories);
            return {
                scores: Object.fromEntries(categories.map(({ id, score }) => [id, Math.round(score * 100)])),
                faults: categories.flatMap(({ id, auditRefs }) =>
                    auditRefs
                        .filter((ref) => ref.weight > 0 && lhr.audits[ref.id].score !== null && lhr.audits[ref.id].score < 1)
                        .map((ref) => `${id}: ${lhr.audits[ref.id].title} ${lhr.audits[ref.id].displayValue ?? ''}`.trim())),
                report,
            };
        });
    } finally {
        chrome.kill();
    }
}
