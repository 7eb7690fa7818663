// Every page as Markdown: by the address of its twin, by Accept, by ?format=md.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import MarkdownIt from 'markdown-it';
import { startServer } from './harness.mjs';
import { forPeople } from './html.mjs';

const MARKDOWN = 'text/markdown; charset=utf-8';
const parser = new MarkdownIt({ html: true });

let server;
let paths;
before(async () => {
    server = await startServer();
    const { text } = await server.get('/sitemap.xml');
    paths = [...text.matchAll(/<loc>([^<]*)<\/loc>/g)].map((match) => new URL(match[1]).pathname);
});
after(() => server?.stop());

const twinOf = (path) => (path === '/' ? '/index.md' : `${path.replace(/\/$/, '')}.md`);

/** All tokens, those inside of paragraphs and cells too. */
const tokensOf = (markdown) => parser.parse(markdown, {}).flatMap((token) => [token, ...(token.children ?? [])]);

/** What a reader sees: the text of all tokens, in order. */
const words = (markdown) => tokensOf(markdown).filter((token) => ['text', 'code_inline'].includes(token.type)).map((token) => token.content).join('');

describe('twins', () => {
    test('every address of the site map has one, and it parses', async () => {
        assert.ok(paths.length > 100);
        for (const path of paths) {
            const { status, headers, text } = await server.get(twinOf(path));
            assert.deepEqual([path, status, headers.get('content-type')], [path, 200, MARKDOWN]);
            const tokens = tokensOf(text);
            assert.equal(tokens.filter((token) => token.type === 'heading_open' && token.tag === 'h1').length, 1, path);
            assert.deepEqual(tokens.filter((token) => token.type.startsWith('html_')).map((token) => token.content), [], path);
            assert.ok(!text.includes('{{') && !text.includes('\n\n\n') && !text.includes('[['), path);
            assert.doesNotMatch(text, /\]\([^)\s]*#\)/, path); // what x-url makes of an address that it refuses
            assert.match(headers.get('link'), new RegExp(`^<${path.replaceAll('.', '\\.')}>; rel="canonical"`), path);
            assert.match(text, /Not documented is never a no|^# Decision record/, path);
        }
    });

    test('tables are whole: each row has the cells of its head', async () => {
        for (const path of ['/', '/sandboxes/e2b/', '/sandboxes/daytona/', '/compare/', '/compare/e2b-vs-modal/', '/pricing/', '/measurements/', '/measurements/e2b/', '/methodology/', '/best/coding-agents/']) {
            const { status, text } = await server.get(twinOf(path));
            if (status === 404) {
                continue;
            }
            const lines = text.split('\n');
            const pipes = (line) => line.replaceAll('\\|', '').split('|').length;
            let tables = 0;
            lines.forEach((line, at) => {
                if (/^\|( --- \|)+$/.test(line)) {
                    tables++;
                    assert.equal(pipes(lines[at - 1]), pipes(line), `${path}: ${lines[at - 1]}`);
                    for (let i = at + 1; lines[i].startsWith('|'); i++) {
                        const isGroup = /^\| \*\*[^|]*\*\* \|$/.test(lines[i]);
                        assert.ok(isGroup || pipes(lines[i]) === pipes(line), `${path}: ${lines[i]}`);
                    }
                }
            });
            assert.ok(tables > 0, path);
            assert.equal(tokensOf(text).filter((token) => token.type === 'table_open').length, tables, path);
        }
    });

    test('every fact of every provider stands in its twin, with detail, basis, day and source', async () => {
        const { json } = await server.get('/data/providers.json');
        const tidy = (text) => text.replace(/\s+/g, ' ').toLowerCase();
        for (const provider of json.providers) {
            const { text } = await server.get(`/sandboxes/${provider.slug}.md`);
            const seen = tidy(words(text));
            for (const fact of Object.values(provider.facts)) {
                assert.ok(seen.includes(tidy(fact.text)), `${fact.id}: ${fact.text}`);
                if (fact.detail) {
                    assert.ok(seen.includes(tidy(forPeople(fact.detail))), `${fact.id}: ${fact.detail}`);
                }
                if (fact.source) {
                    assert.ok(tokensOf(text).some((token) => token.type === 'link_open' && decodeURI(token.attrGet('href')) === decodeURI(new URL(fact.source.url).href)) || text.includes(fact.source.url), `${fact.id}: ${fact.source.url}`);
                }
            }
        }
    });

    test('numbers of sources all have an entry in the list at the end', async () => {
        for (const path of paths) {
            const { text } = await server.get(twinOf(path));
            const used = new Set([...text.matchAll(/\\\[(\d+)\\\]/g)].map((match) => Number(match[1])));
            const listed = new Set([...text.slice(text.lastIndexOf('\n## Sources') + 1).matchAll(/^(\d+)\. \[/gm)].map((match) => Number(match[1])));
            assert.deepEqual([...used].filter((number) => !listed.has(number)), [], path);
        }
    });

    test('of guides and terms the marks are resolved', async () => {
        for (const path of paths.filter((path) => /^\/(guides|glossary)\/./.test(path))) {
            const { text } = await server.get(twinOf(path));
            assert.doesNotMatch(text, /\[\[|\]\]|\[\^/, path);
        }
    });

    test('pairs are led to the twin of their proper order', async () => {
        const { status, headers } = await server.get('/compare/modal-vs-e2b.md');
        assert.deepEqual([status, headers.get('location')], [301, '/compare/e2b-vs-modal.md']);
    });

    test('what does not exist is a problem', async () => {
        for (const path of ['/sandboxes/nobody.md', '/nothing.md', '/.md', '/index.md.md', '/site.css.md', '/healthz.md', '/compare/e2b-vs-e2b.md']) {
            const { status, headers } = await server.get(path);
            assert.deepEqual([path, status, headers.get('content-type')], [path, 404, 'application/problem+json']);
        }
    });

    test('a question is asked of the twin too', async () => {
        const { text } = await server.get('/compare.md?isolation=microvm&gpu=true');
        const { json } = await server.get('/compare?isolation=microvm&gpu=true');
        json.matches.forEach(({ slug }) => assert.ok(text.includes(`(/sandboxes/${slug}/)`), slug));
        assert.match(text, new RegExp(`## ${json.counts.matches} match`));
        assert.equal((await server.get('/compare.md?isolation=nothing')).status, 400);
    });
});

describe('negotiation', () => {
    // The exact type must be named, with at least HTML's q.
    for (const [accept, wanted] of [
        ['text/markdown', 'text/markdown'],
        ['text/markdown, text/html', 'text/markdown'],
        ['text/html, text/markdown', 'text/markdown'],
        ['text/markdown, text/html, */*', 'text/markdown'],
        ['text/html;q=0.8, text/markdown;q=0.9', 'text/markdown'],
        ['text/markdown;q=0.5, text/html;q=0.5', 'text/markdown'],
        ['text/markdown;q=0.5, text/html', 'text/html'],
        ['text/markdown;q=0, text/html', 'text/html'],
        ['text/markdown;q=0', 'text/html'],
        ['text/*', 'text/html'],
        ['*/*', 'text/html'],
        ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'text/html'],
        ['text/x-markdown', 'text/html'],
        ['TEXT/MARKDOWN', 'text/markdown'],
    ]) {
        test(accept, async () => {
            for (const path of ['/', '/about/', '/sandboxes/e2b/', '/guides/']) {
                const { status, headers } = await server.get(path, { headers: { Accept: accept } });
                assert.deepEqual([path, status, headers.get('content-type')], [path, 200, `${wanted}; charset=utf-8`]);
                assert.match(headers.get('vary'), /^Accept(,|$)/);
            }
        });
    }

    test('format=md wins over Accept, and the twin over both', async () => {
        const html = { headers: { Accept: 'text/html' } };
        assert.equal((await server.get('/about/?format=md', html)).headers.get('content-type'), MARKDOWN);
        assert.equal((await server.get('/about.md', html)).headers.get('content-type'), MARKDOWN);
        assert.equal((await server.get('/about.md', html)).headers.get('vary')?.includes('Accept,') ?? false, false);
        assert.equal((await server.get('/about.md')).text, (await server.get('/about/?format=md')).text);
    });

    test('each form has an entity tag of its own', async () => {
        const page = await server.get('/about/', { headers: { Accept: 'text/html' } });
        const twin = await server.get('/about/', { headers: { Accept: 'text/markdown' } });
        assert.notEqual(page.headers.get('etag'), twin.headers.get('etag'));
        const again = await server.get('/about/', { headers: { Accept: 'text/markdown', 'If-None-Match': twin.headers.get('etag') } });
        assert.equal(again.status, 304);
        assert.equal((await server.get('/about/', { headers: { Accept: 'text/html', 'If-None-Match': twin.headers.get('etag') } })).status, 200);
    });
});

test('a page names its twin, in the head and as a Link', async () => {
    for (const path of paths) {
        const { text, headers } = await server.get(path, { headers: { Accept: 'text/html' } });
        assert.ok(text.includes(`<link rel="alternate" type="text/markdown" href="${twinOf(path)}">`), path);
        assert.ok(headers.get('link').includes(`${twinOf(path)}>; rel="alternate"; type="text/markdown"`), path);
        assert.ok(headers.get('link').includes('/llms.txt>; rel="describedby"'), path);
    }
    const missing = await server.get('/nothing/', { headers: { Accept: 'text/html' } });
    assert.equal(missing.text.includes('text/markdown'), false);
});

test('what a reader typed stays inert', async () => {
    const typed = '<script>alert(1)</script> [x](javascript:alert(1)) ![y](http://e.example/) `|` # *b*';
    const { status, text } = await server.get(`/search.md?q=${encodeURIComponent(typed)}`);
    assert.equal(status, 200);
    const tokens = tokensOf(text);
    assert.deepEqual(tokens.filter((token) => token.type.startsWith('html_') || token.type === 'image').map((token) => token.content), []);
    assert.deepEqual(tokens.filter((token) => token.type === 'link_open' && /^(javascript|data):/i.test(token.attrGet('href'))), []);
});
