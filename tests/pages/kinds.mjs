// One page of every kind, and a browser to open them in.
import { chromium } from 'playwright-core';

export const KINDS = {
    home: '/',
    'home-weights': '/?w.gpu=50',
    directory: '/sandboxes/',
    profile: '/sandboxes/daytona/',
    'profile-winding-down': '/sandboxes/runloop/',
    'profile-discontinued': '/sandboxes/riza/',
    compare: '/compare/',
    'compare-filtered': '/compare/?isolation=microvm&gpu=true',
    'compare-nothing': '/compare/?isolation=microvm&isolation=v8-isolate&gpu=true&deployment=local',
    'compare-fault': '/compare/?isolation=none-such',
    sides: '/compare/?providers=beam,e2b,modal',
    pair: '/compare/e2b-vs-daytona/',
    'best-index': '/best/',
    best: '/best/coding-agents/',
    'best-overall': '/best/overall/?w.gpu=50',
    'alternatives-index': '/alternatives/',
    alternatives: '/alternatives/daytona/',
    guides: '/guides/',
    guide: '/guides/how-to-choose-an-agent-sandbox/',
    glossary: '/glossary/',
    term: '/glossary/cold-start/',
    match: '/match/?must.isolation=microvm&prefer.gpu=true',
    pricing: '/pricing/',
    measurements: '/measurements/',
    'measurements-provider': '/measurements/e2b/',
    methodology: '/methodology/',
    sources: '/sources/',
    changes: '/changes/',
    data: '/data/',
    about: '/about/',
    corrections: '/corrections/?fact=daytona:gpu',
    search: '/search?q=snapshot',
    'search-empty': '/search?q=zzzzzz',
    problems: '/problems/',
    problem: '/problems/not-found',
    'not-found': '/sandboxes/nowhere/',
};

/** The status of those that are no 200. */
export const REFUSED = { 'compare-fault': 400, 'not-found': 404 };

export const launch = () =>
    chromium.launch({
        executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
        args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
    });

/** Lays out what a browser would leave until it comes into sight, and opens what is folded if asked to. */
export const layOut = (page, unfold = false) =>
    page.evaluate((all) => {
        document.querySelectorAll('.sec, tr, .prose > *').forEach((element) => (element.style.contentVisibility = 'visible'));
        document.querySelectorAll('details').forEach((details) => (details.open ||= all));
    }, unfold);

/** Opens a page in a context of its own, hands it over, closes it; answers what `use` answers. */
export async function visit(browser, address, options, use) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce', ...options });
    try {
        const page = await context.newPage();
        await page.goto(address);
        return await use(page);
    } finally {
        await context.close();
    }
}
