// 500 random questions, answered by the program and by a plain reading of /data/providers.json: the same three lists, the same
// offerings, the same receipts, the same facets.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { answer, facets, pairsOf, queryOf, random, randomQuestion, slotsOf } from './compare_reference.mjs';
import { startServer } from './harness.mjs';

const QUESTIONS = 500;
const SEED = Number(process.env.COMPARE_SEED ?? 20261130);

let server;
let data;
before(async () => {
    server = await startServer();
    data = (await server.get('/data/providers.json')).json;
});
after(() => server?.stop());

const byOfferings = (list) =>
    Object.fromEntries(list.map(({ slug, offerings }) => [slug, offerings.map((offering) => offering.slug)]));

function checkLists(body, question, words) {
    const expected = answer(question, data.providers);
    const all = ['matches', 'undecided', 'excluded'].flatMap((list) => body[list].map(({ slug }) => slug));
    assert.equal(new Set(all).size, all.length, `a provider is named twice: ${words}`);
    assert.equal(body.counts.considered, all.length, words);
    for (const list of ['matches', 'undecided', 'excluded']) {
        assert.deepEqual(byOfferings(body[list]), expected[list], `${list} of ${words}`);
        assert.equal(body.counts[list], body[list].length, words);
    }
}

function checkReceipts(body, words) {
    for (const entry of [...body.matches, ...body.undecided]) {
        const provider = data.providers.find(({ slug }) => slug === entry.slug);
        for (const offering of entry.offerings) {
            const { facts } = slotsOf(provider).find(({ slug }) => slug === offering.slug);
            for (const [key, fact] of Object.entries(offering.facts)) {
                if (facts[key] === undefined) {
                    assert.deepEqual([fact.state, fact.value, fact.source], ['not_documented', null, null], words);
                } else {
                    assert.deepEqual(fact, facts[key], `${entry.slug}/${offering.slug} ${key} of ${words}`);
                }
            }
        }
    }
}

function checkFacets(body, question, words) {
    const expected = facets(question, data);
    const counted = Object.fromEntries(
        Object.entries(body.facets).map(([key, list]) => [key, Object.fromEntries(list.map(({ value, count }) => [value, count]))]),
    );
    assert.deepEqual(counted, expected, `facets of ${words}`);
}

test(`${QUESTIONS} random questions (seed ${SEED})`, async () => {
    const chance = random(SEED);
    const outcomes = { matches: 0, undecided: 0, excluded: 0 };
    for (let i = 0; i < QUESTIONS; i++) {
        const question = randomQuestion(data, chance);
        const query = queryOf(chance.shuffle(pairsOf(question)));
        const { status, json, text } = await server.get(`/compare?${query}`);
        const words = `question ${i}: ${query}`;
        assert.equal(status, 200, `${words}\n${text}`);
        checkLists(json, question, words);
        checkReceipts(json, words);
        checkFacets(json, question, words);
        for (const list of Object.keys(outcomes)) {
            outcomes[list] += json.counts[list] > 0 ? 1 : 0;
        }
    }
    // The questions are worth asking: each list is filled often.
    for (const [list, times] of Object.entries(outcomes)) {
        assert.ok(times > QUESTIONS / 10, `${list} was filled in ${times} of ${QUESTIONS} answers`);
    }
});

test('however a random question is written, it is one answer', async () => {
    const chance = random(SEED + 1);
    const scramble = (text) => [...text].map((letter) => (chance.below(2) ? letter.toUpperCase() : letter.toLowerCase())).join('');
    for (let i = 0; i < 60; i++) {
        const question = randomQuestion(data, chance);
        const pairs = pairsOf(question);
        const first = await server.get(`/compare?${queryOf(pairs)}`);
        const lists = pairs.filter(([key]) => !/__[gl]te$/.test(key));
        const again = chance.shuffle([...pairs, ...chance.some(lists.length > 0 ? lists : [['utm_source', 'x']], 3)]);
        const written = again.map(([key, value]) => [scramble(key), scramble(value)]);
        const second = await server.get(`/compare?${queryOf([...written, ['utm_campaign', 'x'], ['ref', 'y']])}`);
        assert.equal(second.status, 200, second.text);
        assert.equal(second.text, first.text, queryOf(pairs));
        assert.equal(second.headers.get('etag'), first.headers.get('etag'));
        const canonical = await server.get(`/compare?${first.json.query}`);
        assert.equal(canonical.json.query, first.json.query, 'the canonical query is its own canonical query');
        assert.equal(canonical.text, first.text);
    }
});
