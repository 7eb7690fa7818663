// Head-to-heads and the comparison page, judged by the data that the server itself publishes.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startServer } from './harness.mjs';

const HTML = { headers: { accept: 'text/html' } };
const JSON_FORM = { headers: { accept: 'application/json' } };
const RANDOM_PAIRS = 30;

let server;
let data;
let curated; // [a, b]
let pairs; // curated and others, in canonical order

before(async () => {
    server = await startServer();
    data = (await server.get('/data/providers.json')).json;
    const page = (await server.get('/compare/', HTML)).text;
    curated = [...page.matchAll(/class="chip" href="\/compare\/([a-z0-9-]+)-vs-([a-z0-9-]+)\/"/g)].map((match) => [match[1], match[2]]);
    pairs = [...curated, ...others(RANDOM_PAIRS)];
});
after(() => server.stop());

const pathOf = ([a, b]) => `/compare/${a}-vs-${b}/`;

/** Pairs that are not curated, spread over all by a fixed seed, in order of their slugs. */
function others(count) {
    const slugs = data.providers.map((provider) => provider.slug).sort();
    const known = new Set(curated.flatMap(([a, b]) => [`${a} ${b}`, `${b} ${a}`]));
    const all = slugs.flatMap((a, i) => slugs.slice(i + 1).map((b) => [a, b])).filter(([a, b]) => !known.has(`${a} ${b}`));
    let seed = 20261130;
    const chosen = [];
    while (chosen.length < count) {
        seed = (seed * 1103515245 + 12345) % 2147483648;
        chosen.push(...all.splice(seed % all.length, 1));
    }
    return chosen;
}

/** A value as text that does not depend on the order of a set. */
function plain(fact) {
    const value = fact.value;
    const ordered = Array.isArray(value) ? [...value].sort() : value && typeof value === 'object' ? Object.entries(value).sort() : value;
    return JSON.stringify([fact.state, fact.unlimited === true, ordered]);
}

/** How the answers to an attribute relate, from the published data. */
function relation(attribute, slugs) {
    const facts = slugs.map((slug) => data.providers.find((provider) => provider.slug === slug).facts[attribute]);
    const documented = facts.filter((fact) => fact && fact.state !== 'not_documented');
    if (documented.length === 0) {
        return 'neither';
    }
    if (new Set(documented.map(plain)).size > 1) {
        return 'different';
    }
    return documented.length === facts.length ? 'same' : 'partly';
}

function expectedRelations(slugs) {
    const lists = { different: [], partly: [], same: [], neither: [] };
    data.attributes.forEach((attribute) => lists[relation(attribute.key, slugs)].push(attribute.key));
    return lists;
}

describe('the address of a pair', () => {
    test('27 pairs are curated', () => assert.equal(curated.length, 27));

    test('each pair answers 200 in its order and 301 in the other', async () => {
        for (const [a, b] of pairs) {
            assert.equal((await server.get(pathOf([a, b]), HTML)).status, 200, pathOf([a, b]));
            const turned = await server.get(`${pathOf([b, a])}?only=differences`, HTML);
            assert.equal(turned.status, 301, pathOf([b, a]));
            assert.equal(turned.headers.get('location'), `${pathOf([a, b])}?only=differences`);
        }
    });

    test('titles and descriptions are unique and say who is compared', async () => {
        const titles = new Set();
        const descriptions = new Set();
        for (const pair of pairs) {
            const page = (await server.get(pathOf(pair), HTML)).text;
            const names = pair.map((slug) => data.providers.find((provider) => provider.slug === slug).name);
            const title = /<title>([^<]*)<\/title>/.exec(page)[1];
            const description = /<meta name="description" content="([^"]*)">/.exec(page)[1].replaceAll('&amp;', '&');
            assert.equal(title.replaceAll('&amp;', '&'), names.join(' vs '));
            assert.ok(description.length >= 70 && description.length <= 160, `${description.length}: ${description}`);
            titles.add(title);
            descriptions.add(description);
        }
        assert.equal(titles.size, pairs.length);
        assert.equal(descriptions.size, pairs.length);
    });

    test('a sandbox with itself, and one that is unknown, are 404 with the nearest address', async () => {
        const itself = await server.get('/compare/e2b-vs-e2b/', JSON_FORM);
        assert.equal(itself.status, 404);
        assert.equal(itself.json.nearest, '/sandboxes/e2b/');
        const unknown = await server.get('/compare/e2b-vs-dayton/', JSON_FORM);
        assert.equal(unknown.status, 404);
        assert.equal(unknown.json.nearest, '/compare/e2b-vs-daytona/');
        const page = await server.get('/compare/e2b-vs-dayton/', HTML);
        assert.match(page.text, /href="\/compare\/e2b-vs-daytona\/"/);
    });

    test('another value of only= is a 400 that names what is allowed', async () => {
        const { status, json } = await server.get('/compare/e2b-vs-modal/?only=same', JSON_FORM);
        assert.equal(status, 400);
        assert.deepEqual([json.parameter, json.allowed], ['only', ['differences']]);
    });
});

describe('what a pair says', () => {
    test('differences are exactly those of the published data', async () => {
        for (const pair of pairs) {
            const { json } = await server.get(pathOf(pair), JSON_FORM);
            const expected = expectedRelations(pair);
            for (const [name, keys] of Object.entries(expected)) {
                assert.deepEqual(json[name], keys, `${pathOf(pair)} ${name}`);
                assert.equal(json.counts[name], keys.length);
            }
        }
    });

    test('the page has a row for each, and only=differences leaves out the rest', async () => {
        for (const pair of pairs.slice(0, 8)) {
            const expected = expectedRelations(pair);
            const rows = (text) => [...text.matchAll(/<(?:tr|li class="chip") id="([a-z_0-9]+)">/g)].map((match) => match[1]).sort();
            const all = (await server.get(pathOf(pair), HTML)).text;
            assert.deepEqual(rows(all), data.attributes.map((attribute) => attribute.key).sort());
            const some = (await server.get(`${pathOf(pair)}?only=differences`, HTML)).text;
            assert.deepEqual(rows(some), [...expected.different, ...expected.partly].sort());
        }
    });

    test('every sentence rests on facts that exist', async () => {
        const ids = new Set(
            data.providers.flatMap((provider) => [provider, ...provider.offerings].flatMap((owner) => Object.values(owner.facts).map((fact) => fact.id))),
        );
        for (const pair of pairs) {
            const { json } = await server.get(pathOf(pair), JSON_FORM);
            assert.equal(json.verdicts.length, 9);
            const sentences = [...json.answer, ...json.verdicts.flatMap((verdict) => verdict.sentences)];
            json.verdicts.forEach((verdict) => assert.ok(verdict.sentences.length > 0, `${pathOf(pair)} ${verdict.use_case}`));
            for (const sentence of sentences) {
                assert.ok(sentence.facts.length > 0, sentence.text);
                sentence.facts.forEach((fact) => assert.ok(ids.has(fact.id), `${fact.id}: ${sentence.text}`));
            }
        }
    });

    test('one leads only where the intervals do not meet, and scores are those of the ranking', async () => {
        for (const pair of pairs.slice(0, 12)) {
            const { json } = await server.get(pathOf(pair), JSON_FORM);
            for (const verdict of json.verdicts.filter((entry) => entry.scores.length === 2)) {
                const [one, other] = verdict.scores;
                const leader = one.low > other.high ? one.slug : other.low > one.high ? other.slug : null;
                assert.equal(verdict.leader, leader, `${pathOf(pair)} ${verdict.use_case}`);
                const ranking = (await server.get(verdict.path, JSON_FORM)).json;
                for (const score of verdict.scores) {
                    const ranked = ranking.ranked.find((entry) => entry.slug === score.slug);
                    assert.deepEqual([score.low, score.high], [ranked.low, ranked.high]);
                }
            }
        }
    });

    test('a winding-down and a discontinued sandbox say so', async () => {
        const page = (await server.get('/compare/beam-vs-riza/', HTML)).text;
        assert.match(page, /class="note note-bad"[^]*Riza[^]*is no longer offered/);
    });

    test('the linked data name what the page shows', async () => {
        const page = (await server.get('/compare/e2b-vs-modal/', HTML)).text;
        const graph = JSON.parse(/<script type="application\/ld\+json">([^]*?)<\/script>/.exec(page)[1])['@graph'];
        const list = graph.find((entry) => entry['@type'] === 'ItemList');
        assert.equal(list.name, 'E2B vs Modal Sandboxes');
        assert.deepEqual(list.itemListElement.map((item) => item.name), ['E2B', 'Modal Sandboxes']);
    });
});

describe('two to six side by side', () => {
    test('relations hold for more than two', async () => {
        const slugs = ['beam', 'daytona', 'e2b', 'modal'];
        const page = (await server.get(`/compare/?providers=${slugs.join(',')}`, HTML)).text;
        const expected = expectedRelations(slugs);
        const section = (name) => new RegExp(`<section class="sec" id="${name}"[^]*?</section>`).exec(page)?.[0] ?? '';
        for (const name of ['different', 'partly', 'same']) {
            const keys = [...section(name).matchAll(/<tr id="([a-z_0-9]+)">/g)].map((match) => match[1]).sort();
            assert.deepEqual(keys, [...expected[name]].sort(), name);
        }
    });

    test('two lead to their own page, by link and as canonical address', async () => {
        const page = (await server.get('/compare/?providers=daytona&providers=e2b', HTML)).text;
        assert.match(page, /<link rel="canonical" href="[^"]*\/compare\/e2b-vs-daytona\/">/);
        assert.match(page, /<a href="\/compare\/e2b-vs-daytona\/">/);
    });

    test('seven are a 400 that helps', async () => {
        const target = '/compare/?providers=e2b,modal,daytona,beam,blaxel,morph,northflank';
        const { status, text } = await server.get(target, HTML);
        assert.equal(status, 400);
        assert.match(text, /7 sandboxes cannot be read side by side; 6 at most/);
        const link = /href="(\/compare\/\?providers=[^"]+)"/.exec(text)[1];
        assert.equal((await server.get(link, HTML)).status, 200);
    });
});

describe('a question as a page', () => {
    const names = (text, id) => {
        const section = new RegExp(`<section class="sec" id="${id}"[^]*?\\n(?=<section class="sec"|</div>)`).exec(text)[0];
        return new Set([...section.matchAll(/<a href="\/sandboxes\/([a-z0-9-]+)\/"/g)].map((match) => match[1]));
    };

    test('shows the lists of the same question as JSON', async () => {
        for (const query of ['', '?isolation=microvm&gpu=true', '?isolation=gvisor,container&persistence__not=none&max_session_seconds__gte=24h', '?q=python']) {
            const { text } = await server.get(`/compare/${query}`, HTML);
            const { json } = await server.get(`/compare${query}`, JSON_FORM);
            const slugs = (list) => new Set(list.map((entry) => entry.slug));
            assert.deepEqual(names(text, 'result'), slugs(json.matches), query);
            assert.deepEqual(names(text, 'undecided'), slugs(json.undecided), query);
            assert.deepEqual(names(text, 'excluded'), slugs(json.excluded), query);
        }
    });

    test('is the same page at /compare for a browser', async () => {
        const one = await server.get('/compare?gpu=true', HTML);
        const other = await server.get('/compare/?gpu=true', HTML);
        assert.equal(one.status, 200);
        assert.equal(one.text, other.text);
    });

    test('chips take one condition away, and say what is left', async () => {
        const { text } = await server.get('/compare/?isolation=microvm&gpu=false', HTML);
        const chips = [...text.matchAll(/class="chip chip-off" href="([^"]+)">([^<]+)</g)].map((match) => [match[1], match[2]]);
        assert.deepEqual(chips, [
            ['/compare/?gpu=false', 'Isolation: microVM'],
            ['/compare/?isolation=microvm', 'GPU: no'],
        ]);
    });

    test('an empty answer says what to relax, with the true number', async () => {
        const { text } = await server.get('/compare/?isolation=wasm&gpu=true', HTML);
        const relaxed = [...text.matchAll(/Without <a href="([^"]+)">[^<]+<\/a>, (\d+) match/g)];
        assert.ok(relaxed.length > 0);
        for (const [, href, count] of relaxed) {
            const { json } = await server.get(href.replace('/compare/', '/compare').replaceAll('&amp;', '&'), JSON_FORM);
            assert.equal(json.counts.matches, Number(count));
        }
    });

    test('a faulty question names what is wrong and keeps the rest of the form', async () => {
        const { status, text } = await server.get('/compare/?isolaton=microvm&gpu=true', HTML);
        assert.equal(status, 400);
        assert.match(text, /<code>isolaton<\/code>/);
        assert.match(text, /nearest known name is <code>isolation<\/code>/);
        assert.match(text, /name="gpu" value="true" checked/);
        const problem = await server.get('/compare/?gpu=mybe', JSON_FORM);
        assert.equal(problem.status, 400);
        assert.equal(problem.headers.get('content-type'), 'application/problem+json');
        assert.equal(problem.json.parameter, 'gpu');
    });

    test('what was typed comes back as text, never as markup', async () => {
        const { text } = await server.get(`/compare/?q=${encodeURIComponent('"><script>alert(1)</script>')}`, HTML);
        assert.ok(!text.includes('<script>alert'));
    });
});
