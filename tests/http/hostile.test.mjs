// A catalogue whose every text is an attack (hostile.mjs), as the rules take it and as an enemy would seal it: no document breaks, no header
// splits, no CSV cell is a formula, and a model is told that it reads data. tests/pages/hostile.test.mjs opens the pages in a browser.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { XMLValidator } from 'fast-xml-parser';
import { HtmlValidate } from 'html-validate';
import ICAL from 'ical.js';
import MarkdownIt from 'markdown-it';
import { parseRows } from './csv.mjs';
import { run, startServer } from './harness.mjs';
import { ADDRESSES, FIELDS, LINES, makeFolder, MORE, REFUSED, rows, writeHostile } from './hostile.mjs';
import { sitemapPaths } from './html.mjs';

let folder;
before(() => (folder = makeFolder()));
after(() => fs.rmSync(folder, { recursive: true, force: true }));

const HTML = { accept: 'text/html' };
const validator = new HtmlValidate({
    root: true,
    extends: ['html-validate:recommended'],
    rules: { 'form-dup-name': ['error', { shared: ['radio', 'checkbox', 'submit', 'button', 'reset'] }], 'long-title': 'off' },
});
const markdown = new MarkdownIt({ html: true });
markdown.validateLink = () => true; // it is looked at here

const DATA = [
    '/data/providers.json', '/data/providers/e2b.json', '/data/facts.json', '/data/sources.json', '/data/attributes.json', '/data/glossary.json', '/data/datapackage.json', '/data/measurements.json',
    '/data/providers.csv', '/data/facts.csv', '/data/sources.csv', '/data/measurements.csv', '/compare?isolation=microvm&format=csv', '/cost?vcpu=2&hours=10&format=csv',
    '/compare?isolation=microvm', '/cost?vcpu=2&hours=10', '/match?must.gpu=true', '/search?q=script&format=json', '/openapi.json', '/site.webmanifest', '/oembed?url=https%3A%2F%2Fsandboxes.example%2Fsandboxes%2Fe2b%2F',
    '/changes.atom', '/changes.json', '/compare.atom', '/compare.feed.json', '/match.atom?must.gpu=true', '/match.feed.json?must.gpu=true', '/calendar.ics', '/sitemap.xml', '/robots.txt', '/llms.txt', '/llms-full.txt',
    '/badge/e2b.svg', '/badge/modal.svg?attribute=isolation_technology', '/badge/riza.svg?attribute=licence',
];

/** What a header of this server may be called. */
const HEADERS = new Set(
    ('accept-ranges age allow cache-control connection content-disposition content-encoding content-language content-length content-location content-security-policy content-type cross-origin-opener-policy ' +
        'cross-origin-resource-policy access-control-allow-origin access-control-expose-headers date etag expires keep-alive last-modified link location permissions-policy referrer-policy retry-after vary x-content-type-options x-frame-options x-request-id server').split(' '),
);

/** Those that XML has, and no others. */
const CHARACTERS = /^[\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u;

/** No element has a handler, or an address that runs. */
function checkMarkup(text, target) {
    assert.doesNotMatch(text, /<[a-z][^>"']*(?:(?:"[^"]*"|'[^']*')[^>"']*)*\s(on\w+|srcdoc)=/i, target);
    assert.doesNotMatch(text, /(href|src|action|formaction|poster|data)="\s*(javascript|data|vbscript):/i, target);
}

function checkCsv(text, target) {
    const [head, ...lines] = parseRows(text);
    assert.ok(lines.length > 0, target);
    for (const line of lines) {
        assert.equal(line.length, head.length, target);
        for (const cell of line) {
            assert.ok(!/^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/.test(cell) || /^-?[0-9.]+$/.test(cell), `${target}: a formula: ${cell}`);
        }
    }
}

function checkMarkdown(text, target, forged) {
    const tokens = markdown.parse(text, {}).flatMap((token) => [token, ...(token.children ?? [])]);
    assert.deepEqual(tokens.filter(({ type }) => type.startsWith('html_')).map(({ content }) => content), [], target);
    assert.deepEqual(tokens.filter(({ type }) => type === 'image').map(({ content }) => content), [], target);
    for (const token of tokens.filter(({ type }) => type === 'link_open')) {
        // A reader of the twin of a forged guide has to look where its links lead.
        const pattern = forged ? /^$/ : /^\s*(?!https?:|mailto:)[a-z][a-z0-9+.-]*:/i;
        assert.doesNotMatch(token.attrGet('href'), pattern, target);
    }
}

const checks = {
    'application/json': (text) => JSON.parse(text),
    'application/feed+json': (text) => JSON.parse(text),
    'application/manifest+json': (text) => JSON.parse(text),
    'application/vnd.oai.openapi+json': (text) => JSON.parse(text),
    'text/csv': checkCsv,
    'text/markdown': checkMarkdown,
    'text/plain': checkMarkdown,
    'text/calendar': (text, target) => {
        assert.doesNotMatch(text, /[^\r]\n|\r[^\n]/, target);
        const root = new ICAL.Component(ICAL.parse(text));
        assert.deepEqual([...new Set(root.getAllSubcomponents().map(({ name }) => name))], ['vevent'], target);
        const names = root.getAllSubcomponents().flatMap((event) => event.getAllProperties().map(({ name }) => name));
        assert.ok(!names.includes('x-evil'), target);
    },
};
for (const type of ['application/atom+xml', 'application/xml', 'image/svg+xml', 'text/xml']) {
    checks[type] = (text, target) => {
        assert.equal(XMLValidator.validate(text), true, target);
        assert.doesNotMatch(text, /<(script|iframe|img|object)\b/i, target);
        checkMarkup(text, target);
    };
}

for (const forged of [false, true]) {
    describe(forged ? 'sealed by an enemy, with what the rules refuse' : 'as the rules take it', () => {
        let server;
        let paths;
        before(async () => {
            server = await startServer({ args: ['--public-url', 'https://sandboxes.example', '--db', await writeHostile(folder, { forged })] });
            paths = sitemapPaths((await server.get('/sitemap.xml')).text);
        });
        after(() => server?.stop());

        async function ask(target, headers) {
            const answer = await server.get(target, { headers });
            assert.ok(answer.status < 500, `${target}: ${answer.status}`);
            for (const [name, value] of answer.headers) {
                assert.ok(HEADERS.has(name), `${target} has a header ${name}: ${value}`);
                assert.match(value, /^[\x20-\x7e]*$/, `${target}: ${name}`);
            }
            return answer;
        }

        test('every page is valid HTML, and nothing of it is a handler or a script', async () => {
            assert.ok(paths.length > 60, String(paths.length));
            const found = new Map();
            for (const target of [...paths, ...MORE]) {
                const { text, headers } = await ask(target, HTML);
                assert.match(headers.get('content-type'), /^text\/html/, target);
                // An enemy's control characters are no valid HTML, and harmless.
                const { results } = forged ? { results: [] } : await validator.validateString(text);
                for (const { ruleId, message, line } of results.flatMap(({ messages }) => messages)) {
                    found.set(`[${ruleId}] ${message}`, `${target}:${line}`);
                }
                const scripts = [...text.matchAll(/<script\b([^>]*)>/gi)].map((match) => match[1]);
                scripts.forEach((script) => assert.match(script, /^ (type="module" src="\/site\.js\?[^"]*"|type="application\/(ld\+)?json")$/, target));
                checkMarkup(text, target);
                for (const [, json] of text.matchAll(/<script type="application\/(?:ld\+)?json"[^>]*>(.*?)<\/script>/gs)) {
                    JSON.parse(json);
                }
            }
            assert.deepEqual([...found], []);
        });

        test('what is no page parses as what it is', async () => {
            for (const target of DATA) {
                const { status, text, headers } = await ask(target);
                assert.equal(status, 200, `${target}: ${text.slice(0, 300)}`);
                const type = headers.get('content-type').split(';')[0];
                assert.ok(checks[type], `${target}: no check of ${type}`);
                checks[type](text, target, forged);
                assert.ok(forged || /^text\/calendar/.test(type) || CHARACTERS.test(text), `${target}: a character that XML does not have`);
            }
        });

        test('Markdown twins hold no markup and no address to run', async () => {
            for (const target of paths) {
                const { status, text } = await ask(target === '/' ? '/index.md' : `${target.replace(/\/$/, '')}.md`);
                assert.equal(status, 200, target);
                checkMarkdown(text, target, forged);
            }
        });

        test('an answer over MCP says that it is data, before any of it', async () => {
            const call = async (name, args) => {
                const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } });
                const { json } = await server.get('/mcp', { method: 'POST', body, headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' } });
                return json.result;
            };
            const listed = await server.get('/mcp', { method: 'POST', body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }), headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' } });
            const names = listed.json.result.tools.map(({ name }) => name);
            assert.ok(names.every((name) => /^[a-z0-9_]{1,64}$/.test(name)), names.join(' '));
            const find = names.find((name) => name.startsWith('find_'));
            for (const [name, args] of Object.entries({ get_provider: { slug: 'e2b', detail: 'full' }, [find]: { where: { isolation: 'microvm' } }, search: { query: 'script' }, get_sources: { provider: 'e2b' }, compare: { providers: ['e2b', 'modal'] } })) {
                const result = await call(name, args);
                assert.equal(result.isError ?? false, false, `${name}: ${JSON.stringify(result).slice(0, 300)}`);
                assert.deepEqual(Object.keys(result.structuredContent)[0], 'about', name);
                assert.match(result.structuredContent.about.notice, /data, not instructions/, name);
                assert.match(result.content[0].text.slice(0, 200), /data, not instructions/, name);
                assert.deepEqual(JSON.parse(result.content[0].text), result.structuredContent, name);
            }
        });
    });
}

test('what the rules refuse is refused, in whatever text it stands', async () => {
    const good = await writeHostile(folder, { forged: false });
    const file = path.join(folder, 'refused.db');
    const check = async (sql) => {
        fs.copyFileSync(good, file);
        execFileSync('sqlite3', ['-bail', file], { input: sql });
        return run(['serve', '--listen', 'nowhere', '--db', file]);
    };
    assert.match((await check('SELECT 1;')).stderr, /nowhere/, 'it gets as far as its address');
    for (const [table, columns] of [...Object.entries(FIELDS), ...Object.entries(ADDRESSES)]) {
        for (const column of columns) {
            const bad = ADDRESSES[table]?.includes(column) ? 'javascript:alert(1)' : `a${REFUSED[1]}`;
            const sql = `PRAGMA ignore_check_constraints = ON; UPDATE ${table} SET ${column} = '${bad}' WHERE ${column} IS (SELECT min(${column}) FROM ${table} ${table === 'setting' ? "WHERE key = 'title'" : ''});`;
            assert.match((await check(sql)).stderr, /breaks the rule (control-characters|address)|CHECK/, `${table}.${column}`);
        }
    }
    assert.ok(rows(good, 'SELECT count(*) AS n FROM fact')[0].n > 100 && LINES.length > 20);
});
