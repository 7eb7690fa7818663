// 1,000 random sets of requirements, answered by the program and by a plain reading of /data/providers.json; one answer however a
// set is written; what is refused; the decision record.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { after, before, test } from 'node:test';
import { queryOf, random, slotsOf } from './compare_reference.mjs';
import { startServer } from './harness.mjs';
import { compareStandings, match, matchPairs, randomRequirements } from './match_reference.mjs';

const SETS = 1000;
const SEED = Number(process.env.MATCH_SEED ?? 20261130);
const LISTS = ['fits', 'undecided', 'near_misses', 'excluded'];

let server;
let data;
before(async () => {
    server = await startServer();
    data = (await server.get('/data/providers.json')).json;
});
after(() => server?.stop());

const attributesOf = (reasons) => reasons.map(({ attribute }) => attribute);
const keysWhere = (conditions, verdicts, value) => conditions.filter((_, i) => verdicts[i] === value).map(({ key }) => key);
const sorted = (list) => [...list].sort();

/** The reasons of one offering are the true ones, each with the fact of /data/providers.json. */
function checkReasons(judged, conditions, verdicts, names, slot, words, stage = true) {
    [true, false, null].forEach((value, i) => {
        const expected = keysWhere(conditions, verdicts, value);
        if (stage === value && value !== true) {
            expected.push('stage');
        }
        assert.deepEqual(sorted(attributesOf(judged[names[i]])), sorted(expected), `${names[i]}: ${words}`);
        for (const reason of judged[names[i]]) {
            assert.equal(typeof reason.question, value === null ? 'string' : 'undefined', words);
            const fact = slot.facts[reason.attribute];
            if (reason.attribute === 'stage') {
                assert.equal(reason.fact, null);
            } else if (fact === undefined) {
                assert.deepEqual([reason.fact.state, reason.fact.source], ['not_documented', null], words);
            } else {
                assert.deepEqual(reason.fact, fact, words);
            }
        }
    });
}

const MUST = ['met', 'not_met', 'not_documented'];
const AVOID = ['hit', 'clear', 'not_documented'];

function checkEntry(entry, list, asked, { provider, standings }, words) {
    const best = standings[0];
    assert.equal(list, best.result, words);
    if (list === 'excluded') {
        assert.deepEqual(sorted(entry.offerings.map(({ slug }) => slug)), sorted(slotsOf(provider).map(({ slug }) => slug)), words);
        const gaps = entry.offerings.map((offering) => {
            const own = standings.find(({ slot }) => slot.slug === offering.slug);
            checkReasons(offering.must, asked.must, own.must, MUST, own.slot, words, own.stage);
            const { not_met: unmet, not_documented: unknown } = offering.must;
            const isOut = attributesOf(unmet).includes('stage') || unmet.length > 1 || (unmet.length === 1 && unknown.length > 0);
            assert.ok(isOut, `an offering of an excluded provider is nearer: ${words}`);
            return own.gap;
        });
        assert.deepEqual(gaps, [...gaps].sort((a, b) => a - b), words);
        return;
    }
    const own = standings.find(({ slot }) => slot.slug === entry.offering.slug);
    assert.equal(compareStandings(own, best), 0, `not the best offering: ${words}`);
    assert.equal(entry.points, own.points, words);
    checkReasons(entry.must, asked.must, own.must, MUST, own.slot, words, own.stage);
    checkReasons(entry.prefer, asked.prefer, own.prefer, MUST, own.slot, words);
    checkReasons(entry.avoid, asked.avoid, own.avoid, AVOID, own.slot, words);
    assert.equal(entry.must.not_met.length, list === 'near_misses' ? 1 : 0, words);
    assert.equal(entry.must.not_documented.length > 0, list === 'undecided', words);
}

/** A list goes by gap, points and name where no score decides. */
function checkOrder(entries, list, expected, words) {
    const lower = (text) => text.toLowerCase();
    const keys = entries.map(({ slug, name, points }) => {
        const { gap } = expected.get(slug).standings[0];
        return { gap, points: list === 'excluded' ? 0 : points, name: lower(name) };
    });
    const inOrder = [...keys].sort((a, b) => a.gap - b.gap || b.points - a.points || (a.name < b.name ? -1 : 1));
    assert.deepEqual(keys, inOrder, `order of ${list}: ${words}`);
}

test(`${SETS} random sets of requirements (seed ${SEED})`, async () => {
    const chance = random(SEED);
    const filled = Object.fromEntries(LISTS.map((list) => [list, 0]));
    for (let i = 0; i < SETS; i++) {
        const asked = randomRequirements(data, chance);
        const query = queryOf(chance.shuffle(matchPairs(asked)));
        const { status, json, text } = await server.get(`/match?${query}`);
        const words = `set ${i}: ${query}`;
        assert.equal(status, 200, `${words}\n${text}`);
        const expected = new Map(match(asked, data.providers).map((entry) => [entry.provider.slug, entry]));
        const named = LISTS.flatMap((list) => json[list].map(({ slug }) => slug));
        assert.deepEqual(sorted(named), sorted(expected.keys()), `each provider once: ${words}`);
        const all = [...named, ...json.not_considered.map(({ slug }) => slug)];
        assert.deepEqual(sorted(all), sorted(data.providers.map(({ slug }) => slug)), words);
        assert.equal(json.counts.considered, named.length, words);
        for (const list of LISTS) {
            assert.equal(json.counts[list], json[list].length, words);
            json[list].forEach((entry) => checkEntry(entry, list, asked, expected.get(entry.slug), `${entry.slug}, ${words}`));
            checkOrder(json[list], list, expected, words);
            filled[list] += json[list].length > 0 ? 1 : 0;
        }
    }
    for (const list of LISTS) {
        assert.ok(filled[list] > SETS / 10, `${list} was filled in ${filled[list]} of ${SETS} answers`);
    }
});

test('fits and undecided are the matches and undecided of the filter', async () => {
    const chance = random(SEED + 2);
    for (let i = 0; i < 50; i++) {
        const { must, statuses, stages } = randomRequirements(data, chance);
        const asked = { must, prefer: [], avoid: [], statuses, stages };
        const matched = (await server.get(`/match?${queryOf(matchPairs(asked))}`)).json;
        const compared = (await server.get(`/compare?${queryOf(matchPairs(asked).map(([key, value]) => [key.replace('must.', ''), value]))}`)).json;
        const slugs = (list) => sorted(list.map(({ slug }) => slug));
        assert.deepEqual([slugs(matched.fits), slugs(matched.undecided)], [slugs(compared.matches), slugs(compared.undecided)]);
    }
});

test('a set is one answer however it is written', async () => {
    const chance = random(SEED + 1);
    const scramble = (text) => [...text].map((letter) => (chance.below(2) ? letter.toUpperCase() : letter.toLowerCase())).join('');
    for (let i = 0; i < 60; i++) {
        const pairs = matchPairs(randomRequirements(data, chance));
        const first = await server.get(`/match?${queryOf(pairs)}`);
        const written = chance.shuffle(pairs).map(([key, value]) => [scramble(key), scramble(value)]);
        const second = await server.get(`/match?${queryOf([...written, ['utm_source', 'x'], ['prefer.gpu', '']])}`);
        assert.equal(second.text, first.text, queryOf(pairs));
        assert.equal(second.headers.get('etag'), first.headers.get('etag'));
        const canonical = await server.get(`/match?${first.json.query}`);
        assert.equal(canonical.text, first.text);
    }
});

test('the score is of the offering, and decides where points are equal', async () => {
    const { fits } = (await server.get('/match?must.gpu=true&use_case=gpu')).json;
    const scores = fits.map(({ score }) => score?.low ?? -1);
    assert.ok(scores.filter((low) => low >= 0).length > 2);
    assert.deepEqual(scores, [...scores].sort((a, b) => b - a));
    const ranked = (await server.get('/best/gpu/', { headers: { Accept: 'application/json' } })).json.ranked;
    const same = fits.filter(({ slug, offering }) => ranked.some((entry) => entry.slug === slug && entry.offering === offering.slug));
    assert.ok(same.length > 0);
    for (const { slug, score } of same) {
        const entry = ranked.find((other) => other.slug === slug);
        assert.ok(Math.abs(entry.low - score.low) < 1e-9 && Math.abs(entry.high - score.high) < 1e-9, slug);
    }
});

test('what is to be avoided counts against, and leaves nobody out', async () => {
    const plain = (await server.get('/match?must.gpu=true')).json;
    const avoiding = (await server.get('/match?must.gpu=true&avoid.gpu=true')).json;
    assert.equal(avoiding.counts.fits, plain.counts.fits);
    assert.ok(avoiding.fits.every(({ points, avoid }) => points === -1 && avoid.hit.length === 1));
    const hard = (await server.get('/match?must.gpu__not=true')).json;
    assert.ok(hard.fits.every(({ must }) => must.met[0].fact.value === false));
    assert.ok(hard.fits.length > 0);
});

for (const [query, parameter, nearest, allowed] of [
    ['must.isolatoin=microvm', 'must.isolatoin', 'must.isolation', 'must.gpu'],
    ['must.isolation=microwm', 'must.isolation', 'microvm', 'gvisor'],
    ['prefer.gpu__gte=1', 'prefer.gpu__gte', 'prefer.gpu', 'prefer.gpu__not'],
    ['avoid.max_vcpu__gte=many', 'avoid.max_vcpu__gte', null, '12'],
    ['gpu=true', 'gpu', 'must.gpu', 'avoid.gpu'],
    ['musst.gpu=true', 'musst.gpu', 'must.gpu', 'use_case'],
    ['kind=hosted', 'kind', null, 'status'],
    ['statsu=any', 'statsu', 'status', 'stage'],
    ['use_case=gpus', 'use_case', 'gpu', 'gpu'],
    ['providers=e2', 'providers', 'e2b', 'daytona'],
    ['must.max_vcpu__gte=8&must.max_vcpu__lte=2', 'must.max_vcpu__gte', null, null],
    ['must.max_session_seconds__gte=long', 'must.max_session_seconds__gte', null, '24h'],
    ['format=csv', 'format', null, 'md'],
]) {
    test(`refused, and how to mend it: ${query}`, async () => {
        const { status, json, headers } = await server.get(`/match?${query}`);
        assert.equal(status, 400);
        assert.equal(headers.get('content-type'), 'application/problem+json');
        assert.deepEqual([json.parameter, json.nearest ?? null], [parameter, nearest]);
        assert.ok(allowed === null || json.allowed.includes(allowed), JSON.stringify(json.allowed));
        const page = await server.get(`/match/?${query.replace('format=csv', 'format=xml')}`, { headers: { Accept: 'text/html' } });
        assert.deepEqual([page.status, page.text.includes('<h1>')], [400, true]);
    });
}

test('JSON by default, a page and a record where they are named', async () => {
    const typeOf = async (target, accept) => (await server.get(target, { headers: accept ? { Accept: accept } : {} })).headers.get('content-type');
    assert.equal(await typeOf('/match'), 'application/json');
    assert.equal(await typeOf('/match', '*/*'), 'application/json');
    assert.equal(await typeOf('/match', 'text/html,*/*;q=0.8'), 'text/html; charset=utf-8');
    assert.equal(await typeOf('/match', 'text/markdown'), 'text/markdown; charset=utf-8');
    assert.equal(await typeOf('/match?format=md', 'text/html'), 'text/markdown; charset=utf-8');
    assert.equal(await typeOf('/match/', 'text/html'), 'text/html; charset=utf-8');
});

test('the decision record is Markdown and holds every candidate once', async () => {
    const chance = random(SEED + 3);
    const sets = ['must.isolation=microvm&must.gpu=true&prefer.open_source=yes&avoid.egress_control=none&use_case=overall&stage=ga', ''];
    for (let i = 0; i < 15; i++) {
        sets.push(queryOf(matchPairs(randomRequirements(data, chance))));
    }
    for (const query of sets) {
        const record = await server.get(`/match?${query}&format=md`);
        const { json } = await server.get(`/match?${query}`);
        assert.equal(record.status, 200, record.text);
        const html = execFileSync('cmark', { input: record.text, encoding: 'utf8' });
        const headings = [...html.matchAll(/<h3>(.*?)<\/h3>/g)].map((found) => found[1].replaceAll('&amp;', '&'));
        assert.deepEqual(sorted(headings), sorted(LISTS.flatMap((list) => json[list].map(({ name }) => name))), query);
        assert.ok(record.text.includes(json.generation));
        const questions = [...json.fits, ...json.undecided, ...json.near_misses].flatMap(({ must, prefer, avoid }) =>
            [must, prefer, avoid].flatMap((judged) => judged.not_documented.map(({ question }) => question)),
        );
        const plain = html.replaceAll('&amp;', '&').replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>');
        questions.forEach((question) => assert.ok(plain.includes(question), question));
        const sources = html.slice(html.indexOf('<h2>Sources</h2>'));
        const numbers = [...html.slice(0, html.indexOf('<h2>Sources</h2>')).matchAll(/\[(\d+)\]/g)].map((found) => Number(found[1]));
        const listed = (sources.match(/<li>/g) ?? []).length;
        assert.equal(Math.max(0, ...numbers), listed, query);
        assert.doesNotMatch(html, /<h1>.*<h1>/s);
    }
});

test('a question to a vendor names offering, provider and what is asked', async () => {
    const { undecided } = (await server.get('/match?must.isolation=microvm&must.gpu=true')).json;
    const daytona = undecided.find(({ slug }) => slug === 'daytona');
    assert.equal(daytona.must.not_documented[0].question, `Does ${daytona.offering.name} of Daytona have GPU?`);
});
