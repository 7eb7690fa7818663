// The feeds: well-formed, whole, stable, and the same story as the catalogue of each day tells.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import Ajv2020 from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { XMLValidator } from 'fast-xml-parser';
import { parseAtomFeed, parseJsonFeed } from 'feedsmith';
import { DAYS, startOnDay, startPast, startWith } from './history.mjs';
import { startServer } from './harness.mjs';

const PUBLIC = 'https://sandboxes.example';
const QUESTION = 'isolation=microvm&gpu=true';
const FEEDS = [
    ['/changes.atom', '/changes.json', ''],
    ['/changes.atom', '/changes.json', 'provider=e2b'],
    ['/compare.atom', '/compare.feed.json', ''],
    ['/compare.atom', '/compare.feed.json', QUESTION],
    ['/compare.atom', '/compare.feed.json', 'q=%22zebra%3C%26&gpu=true'],
    ['/match.atom', '/match.feed.json', ''],
    ['/match.atom', '/match.feed.json', 'must.isolation=microvm&must.gpu=true&prefer.open_source=yes&avoid.egress_control=none'],
];

let past;
let now;
let isJsonFeed;
before(async () => {
    past = await startPast({ args: ['--public-url', PUBLIC] });
    now = await startServer({ args: ['--public-url', PUBLIC] });
    const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
    addFormats(ajv);
    isJsonFeed = ajv.compile((await now.get('/data/feed.schema.json')).json);
});
after(async () => {
    await past?.stop();
    await now?.stop();
});

const address = (path, query) => (query === '' ? path : `${path}?${query}`);

async function atom(server, target) {
    const answer = await server.get(target);
    assert.equal(answer.status, 200, `${target}: ${answer.text}`);
    assert.equal(answer.headers.get('content-type'), 'application/atom+xml; charset=utf-8');
    assert.equal(XMLValidator.validate(answer.text), true, target);
    return { ...answer, feed: parseAtomFeed(answer.text) };
}

async function json(server, target) {
    const answer = await server.get(target);
    assert.equal(answer.status, 200, `${target}: ${answer.text}`);
    assert.equal(answer.headers.get('content-type'), 'application/feed+json');
    assert.ok(isJsonFeed(answer.json), `${target}: ${JSON.stringify(isJsonFeed.errors)}`);
    return { ...answer, feed: parseJsonFeed(answer.text) };
}

for (const [atomPath, jsonPath, query] of FEEDS) {
    test(`${address(atomPath, query)} has what RFC 4287 asks for, and its JSON Feed says the same`, async () => {
        for (const server of [past.server, now]) {
            const { feed, headers } = await atom(server, address(atomPath, query));
            const other = await json(server, address(jsonPath, query));
            assert.match(feed.id, /^tag:sandboxes\.example,2026:/);
            assert.ok(feed.title && feed.authors?.[0]?.name);
            const links = Object.fromEntries(feed.links.map((link) => [`${link.rel} ${link.type ?? ''}`.trim(), link.href]));
            assert.ok(links['self application/atom+xml'].startsWith(PUBLIC + atomPath));
            assert.ok(links['alternate application/feed+json'].startsWith(PUBLIC + jsonPath));
            assert.ok(links['alternate text/html'].startsWith(PUBLIC));
            assert.equal((await server.fetch(links['alternate text/html'].slice(PUBLIC.length))).status, 200);
            assert.match(headers.get('link'), /rel="license"/);
            assert.ok(headers.get('link').includes(`<${jsonPath}`), headers.get('link'));
            const entries = feed.entries ?? [];
            assert.ok(entries.length > 0 || query.startsWith('q='), 'nothing in it');
            assert.ok(entries.length <= 200);
            assert.equal(new Set(entries.map(({ id }) => id)).size, entries.length, 'two entries share an id');
            for (const entry of entries) {
                assert.match(entry.id, /^tag:sandboxes\.example,2026:[^\s<>"]+\/[0-9a-f]{16}$/);
                assert.ok(entry.title && entry.summary && entry.content);
                assert.match(entry.updated, /^\d{4}-\d\d-\d\dT00:00:00Z$/);
                assert.ok(entry.updated <= feed.updated, 'an entry is newer than its feed');
                assert.ok(entry.links[0].href.startsWith(PUBLIC));
            }
            const times = entries.map(({ updated }) => updated);
            assert.deepEqual(times, [...times].sort().reverse(), 'not the newest first');
            assert.equal(other.feed.feed_url, links['alternate application/feed+json']);
            assert.deepEqual(
                (other.feed.items ?? []).map(({ id, title, summary, date_modified: updated }) => ({ id, title, summary, updated })),
                entries.map(({ id, title, summary, updated }) => ({ id, title: title.value, summary: summary.value, updated })),
            );
        }
    });
}

/** Who is in an answer at the end of each day, by the entries alone. */
function story(items) {
    const members = new Set();
    const days = new Map();
    for (const item of [...items].reverse()) {
        const provider = /\/sandboxes\/([^/]+)\//.exec(item.url)[1];
        const day = item.date_published.slice(0, 10);
        const [change] = item.tags;
        assert.equal(members.has(provider), change !== 'entered', `${provider} ${change} on ${day}`);
        change === 'left' ? members.delete(provider) : members.add(provider);
        days.set(day, [...members].sort());
    }
    return (day) => days.get([...days.keys()].filter((known) => known <= day).sort().at(-1)) ?? [];
}

test('the entries tell who was in the answer on each day, as a catalogue of that day does', async () => {
    const questions = [QUESTION, 'gpu=true', 'isolation__not=microvm', 'gpu=unknown', 'providers=e2b,koyeb', 'price_vcpu_hour_usd__lte=0.055', 'status=any&gpu=false,unknown'];
    const matched = [QUESTION.replace(/(^|&)/g, '$1must.'), 'must.gpu=true&prefer.fork=true&providers=koyeb,northflank', 'must.price_vcpu_hour_usd__lte=0.055&use_case=gpu'];
    const compared = await Promise.all(questions.map(async (query) => story((await json(past.server, `/compare.feed.json?${query}`)).json.items)));
    const fits = await Promise.all(matched.map(async (query) => story((await json(past.server, `/match.feed.json?${query}`)).json.items)));
    for (const day of DAYS) {
        const then = await startOnDay(day);
        // Of what the catalogue of a day cannot hold: providers without a fact yet.
        const present = new Set((await then.server.get('/data/facts.json')).json.facts.map(({ id }) => id.split(/[/:]/)[0]));
        const slugs = (list) => list.map(({ slug }) => slug).filter((slug) => present.has(slug)).sort();
        for (const [i, query] of questions.entries()) {
            assert.deepEqual(compared[i](day), slugs((await then.server.get(`/compare?${query}&limit=500`)).json.matches), `${query} on ${day}`);
        }
        for (const [i, query] of matched.entries()) {
            assert.deepEqual(fits[i](day), slugs((await then.server.get(`/match?${query}`)).json.fits), `${query} on ${day}`);
        }
        await then.stop();
    }
});

test('an entry says what changed, with what it was before and the source', async () => {
    const { json: feed } = await json(past.server, `/compare.feed.json?${QUESTION}`);
    const [left] = feed.items.filter(({ tags }) => tags[0] === 'left');
    assert.equal(left.title, 'E2B left the answer');
    assert.equal(left.date_published, '2026-07-01T00:00:00Z');
    assert.match(left.content_text, /\nGPU: no \(was yes\)\. Source: https:\S+, checked 2026-11-30/);
    const [northflank] = feed.items.filter(({ url }) => url.includes('/northflank/'));
    assert.equal(northflank.date_published, '2026-09-01T00:00:00Z');
    assert.match(northflank.content_text, /GPU: yes/);
    const { json: priced } = await json(past.server, '/compare.feed.json?providers=e2b&columns=price_vcpu_hour_usd,isolation');
    const changed = priced.items.filter(({ tags }) => tags[0] === 'changed');
    assert.equal(changed.length, 1, 'a value that a new source still states is no change');
    assert.match(changed[0].title, /^E2B: .+ is now \$0\.0504$/);
    assert.match(changed[0].content_text, /\$0\.0504 \(was \$0\.06\)/);
});

test('what changed in the catalogue', async () => {
    const { json: feed } = await json(past.server, '/changes.json');
    const byTag = { event: [], provider: [], value: [] };
    feed.items.forEach((item) => byTag[item.tags[0]].push(item));
    assert.equal(byTag.provider.length, (await now.get('/data/providers.json')).json.counts.providers);
    assert.equal(byTag.provider.find(({ title }) => title.startsWith('Koyeb')).date_published, '2026-05-01T00:00:00Z');
    assert.ok(byTag.value.some(({ title }) => /^E2B: .+ is now \$0\.0504$/.test(title)));
    const events = (await now.get('/changes/?format=json')).json;
    assert.equal(byTag.event.length, events.events.length + events.announced.length);
    assert.ok(byTag.event.every((item) => item.external_url.startsWith('http')));
    const ahead = byTag.event.find(({ title }) => title.includes('announced for 2026-12-31'));
    assert.ok(ahead.date_published <= '2026-11-30T00:00:00Z', 'news is never of a day ahead');
});

test('one question, one feed: order, pages and case make no other', async () => {
    const first = await past.server.get(`/compare.atom?${QUESTION}`);
    for (const query of ['gpu=TRUE&isolation=MICROVM', `${QUESTION}&limit=1&offset=3`, `${QUESTION}&utm_source=x`]) {
        assert.equal((await past.server.get(`/compare.atom?${query}`)).text, first.text, query);
    }
});

test('a feed is the same bytes until the catalogue changes: 304, HEAD', async () => {
    const today = await startPast({ args: ['--public-url', PUBLIC] });
    for (const target of ['/changes.atom', '/changes.json', `/compare.atom?${QUESTION}`, '/match.feed.json?must.gpu=true']) {
        const first = await past.server.get(target);
        const tag = first.headers.get('etag');
        assert.equal((await past.server.fetch(target, { headers: { 'if-none-match': tag } })).status, 304);
        assert.equal((await today.server.get(target)).headers.get('etag'), tag, 'another start, another feed');
        const head = await past.server.fetch(target, { method: 'HEAD' });
        assert.equal(head.status, 200);
        assert.equal(await head.text(), '');
        assert.equal(head.headers.get('etag'), tag);
        assert.equal(head.headers.get('access-control-allow-origin'), '*');
    }
    await today.stop();
});

test('an id stays when the facts are read again', async () => {
    const again = await startWith(["UPDATE fact SET checked_on = '2026-11-30', detail = NULL;"], { args: ['--public-url', PUBLIC] });
    const ids = async (server) => (await server.get(`/compare.feed.json?${QUESTION}`)).json.items.map(({ id }) => id);
    assert.deepEqual(await ids(again.server), await ids(now));
    await again.stop();
});

test('bad input is told as a problem', async () => {
    const cases = [
        ['/compare.atom?gpu=bogus', 400, 'gpu'],
        ['/compare.feed.json?no_such=1', 400, 'no_such'],
        ['/compare.atom?providers=nobody', 400, 'providers'],
        ['/match.atom?must.gpu=bogus', 400, 'must.gpu'],
        ['/match.feed.json?gpu=true', 400, 'gpu'],
        ['/changes.atom?provider=nobody', 400, 'provider'],
        ['/changes.json?provider=nobody', 400, 'provider'],
    ];
    for (const [target, status, parameter] of cases) {
        const answer = await now.get(target);
        assert.equal(answer.status, status, target);
        assert.equal(answer.headers.get('content-type'), 'application/problem+json');
        assert.equal(answer.json.parameter, parameter);
        assert.equal(answer.headers.get('cache-control'), 'no-store');
    }
    assert.equal((await now.get('/compare.atom?%ff')).status, 400);
    assert.ok([400, 414, 431].includes((await now.get(`/compare.atom?q=${'x'.repeat(5000)}`)).status));
    assert.equal((await now.fetch('/compare.atom', { method: 'POST' })).status, 405);
    assert.equal((await now.get('/compare.atom/')).status, 404);
});

test('pages name their feeds and show them', async () => {
    for (const [page, atomTarget, jsonTarget] of [
        ['/changes/', '/changes.atom', '/changes.json'],
        ['/changes/?provider=e2b', '/changes.atom?provider=e2b', '/changes.json?provider=e2b'],
        [`/compare/?${QUESTION}`, `/compare.atom?${QUESTION}`, `/compare.feed.json?${QUESTION}`],
        ['/compare/?providers=e2b,modal', '/compare.atom?providers=e2b,modal', '/compare.feed.json?providers=e2b,modal'],
        ['/match/?must.gpu=true', '/match.atom?must.gpu=true', '/match.feed.json?must.gpu=true'],
    ]) {
        const { text } = await now.get(page, { headers: { accept: 'text/html' } });
        const head = text.slice(0, text.indexOf('</head>')).replaceAll('&amp;', '&').replaceAll('%2C', ',');
        assert.ok(head.includes(`type="application/atom+xml" title`) && head.includes(`href="${atomTarget}"`), `${page}: ${head.match(/<link rel="alternate[^>]*>/g)}`);
        assert.ok(head.includes(`type="application/feed+json" title`) && head.includes(`href="${jsonTarget}"`), page);
        assert.match(text.slice(text.indexOf('</head>')), /Follow (this answer|as Atom)/);
    }
});
