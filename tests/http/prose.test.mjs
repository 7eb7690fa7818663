// Guides and glossary: complete, sourced, linked, and as live as the catalogue.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { run, startServer, TOP } from './harness.mjs';
import { attributes, canonical, decode, meta, text } from './html.mjs';

const slugs = (folder) => fs.readdirSync(path.join(TOP, 'sql/prose', folder)).map((name) => name.replace(/\.md$/, ''));
const GUIDES = slugs('guides').map((slug) => `/guides/${slug}/`);
const TERMS = slugs('glossary').map((slug) => `/glossary/${slug}/`);
const PAGES = ['/guides/', '/glossary/', ...GUIDES, ...TERMS];

let server;
const pages = new Map();
before(async () => {
    server = await startServer();
    for (const page of PAGES) {
        pages.set(page, await server.get(page));
    }
});
after(() => server?.stop());

const html = (page) => pages.get(page).text;
const article = (page) => /<article class="prose">(.*?)<\/article>/s.exec(html(page))[1];
const answer = (page) => /<div class="answer">(.*?)<\/div>/s.exec(html(page))[1];

/** What a reader reads from top to bottom: no tables, drawings, marks or hints. */
function runningText(page) {
    const markup = (answer(page) + article(page))
        .replace(/<(figure|details|section|table)\b.*?<\/\1>/gs, ' ')
        .replace(/<button class="src".*?<\/button>/gs, ' ')
        .replace(/<p class="hint">.*?<\/p>/gs, ' ');
    return decode(markup.replace(/<[^>]*>/g, ' '));
}

const graph = (page) => JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html(page))[1])['@graph'];

test('every guide and every term answers', () => {
    assert.equal(GUIDES.length, 6);
    assert.equal(TERMS.length, 25);
    for (const page of PAGES) {
        assert.equal(pages.get(page).status, 200, page);
    }
});

test('what is not there is not found', async () => {
    for (const page of ['/guides/none/', '/glossary/none/']) {
        assert.equal((await server.get(page)).status, 404, page);
    }
});

test('titles, descriptions and addresses are unique', () => {
    for (const read of [(page) => text(html(page), 'title'), (page) => meta(html(page), 'description'), (page) => canonical(html(page))]) {
        const all = PAGES.map(read);
        assert.ok(all.every(Boolean));
        assert.equal(new Set(all).size, PAGES.length);
    }
    for (const page of PAGES) {
        const { length } = meta(html(page), 'description');
        assert.ok(length >= 70 && length <= 160, `${page}: description of ${length} characters`);
        assert.equal(html(page).match(/<h1[ >]/g).length, 1, page);
    }
});

test('a guide is neither a note nor a book', () => {
    for (const page of GUIDES) {
        const words = runningText(page).match(/\S*[\p{L}\p{N}]\S*/gu).length;
        assert.ok(words >= 1200 && words <= 2500, `${page}: ${words} words`);
        const [, minutes] = />(\d+) minutes to read</.exec(html(page));
        assert.ok(Math.abs(words / 230 - minutes) < 1.5, `${page}: ${minutes} minutes for ${words} words`);
    }
});

test('every source mark has its entry, and every page its sources', () => {
    for (const page of [...GUIDES, ...TERMS]) {
        const ids = new Set(attributes(html(page), 'id'));
        const marks = [...html(page).matchAll(/<button class="src" type="button" popovertarget="(s-\d+)" aria-label="Source (\d+)">(\d+)<\/button>/g)];
        assert.ok(marks.length > 0, page);
        for (const [, target, label, number] of marks) {
            assert.ok(ids.has(target), `${page}#${target}`);
            assert.equal(label, number);
            assert.equal(target, `s-${number}`);
        }
    }
});

test('every link and anchor of the prose leads somewhere', async () => {
    const wanted = new Map();
    for (const page of PAGES) {
        const body = /<main\b.*?<\/main>/s.exec(html(page))[0];
        for (const href of attributes(body, 'href', 'a')) {
            const { origin, pathname, search, hash } = new URL(href, `http://site${page}`);
            if (origin === 'http://site' && pathname !== '/corrections/') {
                wanted.set(pathname + search, (wanted.get(pathname + search) ?? new Map()).set(hash.slice(1), page));
            }
        }
    }
    const broken = [];
    for (const [target, anchors] of wanted) {
        const answered = await server.get(target, { headers: { Accept: 'text/html' } });
        const ids = new Set(attributes(answered.text, 'id'));
        for (const [anchor, page] of anchors) {
            if (answered.status !== 200) {
                broken.push(`${page}: ${target} is ${answered.status}`);
            } else if (anchor !== '' && !ids.has(decodeURIComponent(anchor))) {
                broken.push(`${page}: ${target}#${anchor}`);
            }
        }
    }
    assert.deepEqual(broken, []);
});

test('no mark is left over, and no heading is twice on a page', () => {
    for (const page of [...GUIDES, ...TERMS]) {
        const words = runningText(page);
        assert.doesNotMatch(words, /\[\[|\]\]|\[\^/, page);
        const ids = attributes(html(page), 'id');
        assert.equal(new Set(ids).size, ids.length, page);
    }
});

test('the contents of a guide are its headings', () => {
    for (const page of GUIDES) {
        const contents = /<nav class="side toc".*?<\/nav>/s.exec(html(page))[0];
        const listed = attributes(contents, 'href', 'a').slice(0, -1);
        const headings = attributes(article(page), 'id', 'h2').map((id) => `#${id}`);
        assert.ok(headings.length >= 4, page);
        assert.deepEqual(listed, headings, page);
    }
});

test('pages say what they are in JSON-LD', () => {
    for (const page of GUIDES) {
        const found = graph(page).find((entry) => entry['@type'] === 'TechArticle');
        assert.equal(found.headline, text(html(page), 'h1'));
        assert.equal(found.url, canonical(html(page)));
        assert.match(found.dateModified, /^\d{4}-\d\d-\d\d$/);
    }
    for (const page of TERMS) {
        const found = graph(page).find((entry) => entry['@type'] === 'DefinedTerm');
        assert.equal(found.name, text(html(page), 'h1'));
        assert.equal(new URL(found.inDefinedTermSet).pathname, '/glossary/');
    }
    const set = graph('/glossary/').find((entry) => entry['@type'] === 'DefinedTermSet');
    assert.equal(set.hasDefinedTerm.length, TERMS.length);
});

test('the indexes name every page', () => {
    const guides = attributes(html('/guides/'), 'href', 'a');
    const terms = attributes(html('/glossary/'), 'href', 'a');
    assert.deepEqual(GUIDES.filter((page) => !guides.includes(page)), []);
    assert.deepEqual(TERMS.filter((page) => !terms.includes(page)), []);
});

/** Builds the catalogue with more SQL behind it; use gets what the command said, and the file. */
async function withBuilt(extra, use) {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'prose-'));
    try {
        const seed = path.join(folder, 'seed.sql');
        const db = path.join(folder, 'catalogue.db');
        fs.writeFileSync(seed, `${fs.readFileSync(path.join(TOP, 'sql/seed.sql'), 'utf8')}\n${extra}\n`);
        await use(await run(['build', '--out', db, '--seed', seed, '--folder', TOP]), db);
    } finally {
        fs.rmSync(folder, { recursive: true, force: true });
    }
}

/** Serves the catalogue with more SQL behind it. */
async function withSeed(extra, use) {
    await withBuilt(extra, async (built, db) => {
        assert.equal(built.code, 0, built.stderr);
        const other = await startServer({ args: ['--db', db] });
        try {
            await use(other);
        } finally {
            await other.stop();
        }
    });
}

test('prose and its tables change with a fact', async () => {
    const page = '/guides/what-is-an-agent-sandbox/';
    const fact = (markup) => /<a class="fact" href="\/sandboxes\/e2b\/#default_timeout_seconds">([^<]*)<\/a>/.exec(markup)[1];
    const cell = (markup) => decode(/<tr><th scope="row"><a href="\/sandboxes\/e2b\/">.*?<\/tr>/s.exec(article_of(markup, 'default_timeout_seconds'))[0]);
    const article_of = (markup, key) => markup.split('<section class="box"').find((part) => part.includes('/sandboxes/e2b/') && part.includes('Default time')) ?? `${key} has no table`;
    assert.doesNotMatch(fact(html(page)), /^77 minutes$/);
    await withSeed("UPDATE fact SET value = '4620' WHERE provider = 'e2b' AND attribute = 'default_timeout_seconds';", async (other) => {
        const changed = (await other.get(page)).text;
        assert.match(fact(changed), /^(77 minutes|1 hour 17 minutes)$/);
        assert.notEqual(cell(changed), cell(html(page)));
    });
});

test('hostile text in a body stays text', async () => {
    const body = [
        'A <script>alert(1)</script> [link](https://example.org/) <img src=x onerror=alert(1)>.',
        '## <b onclick="alert(1)">Heading</b>',
        '<iframe src="https://example.org"></iframe>',
        '`<script>` and a javascript:alert(1) that is no link',
        '| <i>a</i> | b |\n| --- | --- |\n| <svg onload=alert(1)> | {{title}} {%x%} |',
    ].join('\n\n');
    await withSeed(`UPDATE glossary_term SET body = '${body.replaceAll("'", "''")}' WHERE slug = 'fork';`, async (other) => {
        const { status, text: markup } = await other.get('/glossary/fork/');
        assert.equal(status, 200);
        const main = /<main\b.*?<\/main>/s.exec(markup)[0];
        assert.doesNotMatch(main, /<(script|iframe|img|b|i|svg)[\s>]/i);
        assert.doesNotMatch(main, /="\s*(javascript|data):|<[^>]*\son\w+=/i);
        assert.match(main, /<code>&lt;script&gt;<\/code>/);
        assert.match(main, /\{\{title\}\}/);
    });
});

test('a link that runs is refused where the catalogue is made', async () => {
    for (const link of ['[link](javascript:alert(1))', '[data](data:text/html,alert)']) {
        await withBuilt(`UPDATE glossary_term SET body = 'A ${link}.' WHERE slug = 'fork';`, (built, db) => {
            assert.equal(built.code, 1);
            assert.match(built.stderr, /prose-link: term fork has a link that is neither http nor https/);
            assert.equal(fs.existsSync(db), false);
        });
    }
});

test('a reference to nothing is refused where the catalogue is made, not shown as a hole', async () => {
    await withBuilt("UPDATE glossary_term SET body = 'A [[e2b:no_such_thing]].' WHERE slug = 'fork';", (built, db) => {
        assert.equal(built.code, 1);
        assert.match(built.stderr, /term fork cites the missing fact e2b:no_such_thing/);
        assert.equal(fs.existsSync(db), false);
    });
});
