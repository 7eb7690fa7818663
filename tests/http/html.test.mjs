// Every page of the site map, some choices on them, and the problem pages are valid HTML.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { HtmlValidate } from 'html-validate';
import { startServer } from './harness.mjs';
import { sitemapPaths } from './html.mjs';

const validator = new HtmlValidate({
    root: true,
    extends: ['html-validate:recommended'],
    rules: {
        // Several boxes of a name are one question with several answers.
        'form-dup-name': ['error', { shared: ['radio', 'checkbox', 'submit', 'button', 'reset'] }],
        // The length of a title is a matter of its words, not of HTML.
        'long-title': 'off',
    },
});

const CHOICES = [
    '/search',
    '/search?q=snapshot',
    '/search?q=%3Cb%3E%22%27%26',
    '/sources/?provider=e2b&kind=docs',
    '/sources/?kind=paper&provider=riza',
    '/sources/?page=2',
    '/changes/?provider=runloop',
    '/changes/?provider=riza',
    '/corrections/?fact=e2b:isolation',
    '/problems/not-found',
    '/nothing-here/',
    '/sources/?kind=x',
];

let server;
let paths;
before(async () => {
    server = await startServer();
    paths = sitemapPaths((await server.get('/sitemap.xml')).text);
});
after(() => server?.stop());

/** Each fault once, with the first place that has it and how many do. */
async function faults(targets) {
    const found = new Map();
    for (const target of targets) {
        const { text } = await server.get(target, { headers: { Accept: 'text/html' } });
        const { results } = await validator.validateString(text);
        for (const { ruleId, message, line } of results.flatMap(({ messages }) => messages)) {
            const fault = `[${ruleId}] ${message}`;
            const { first = `${target}:${line}`, count = 0 } = found.get(fault) ?? {};
            found.set(fault, { first, count: count + 1 });
        }
    }
    return [...found].map(([fault, { first, count }]) => `${first}: ${fault} (${count} times)`);
}

test('every page of the site map is valid', async () => {
    assert.ok(paths.length > 0);
    assert.deepEqual(await faults(paths), []);
});

test('choices and problems are valid', async () => {
    assert.deepEqual(await faults(CHOICES), []);
});

test('the validator finds a fault', async () => {
    const report = await validator.validateString('<p><div id="a"></div><p id="a">');
    assert.equal(report.valid, false);
});
