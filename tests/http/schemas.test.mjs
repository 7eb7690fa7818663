// The JSON Schemas are served, are schemas, hold for the live answers, and refuse what is not one.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import Ajv2020 from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { startServer } from './harness.mjs';

let server;
let providers;
let compare;
let matched;
before(async () => {
    server = await startServer();
    const ajv = new Ajv2020({ allErrors: false, strict: true, allowUnionTypes: true, strictRequired: false, strictTypes: false });
    addFormats(ajv);
    for (const name of ['providers', 'compare', 'match']) {
        const answer = await server.get(`/data/${name}.schema.json`);
        assert.equal(answer.status, 200, name);
        assert.equal(answer.headers.get('content-type'), 'application/schema+json');
        assert.equal(answer.json.$schema, 'https://json-schema.org/draft/2020-12/schema');
        assert.ok(ajv.validateSchema(answer.json), ajv.errorsText());
        ajv.addSchema(answer.json);
    }
    providers = ajv.getSchema('/data/providers.schema.json');
    compare = ajv.getSchema('/data/compare.schema.json');
    matched = ajv.getSchema('/data/match.schema.json');
});
after(() => server?.stop());

function holds(validate, value, words) {
    assert.ok(validate(value), `${words}: ${JSON.stringify(validate.errors?.slice(0, 3), null, 1)}`);
}

test('/data/providers.json and every provider of it', async () => {
    const { json } = await server.get('/data/providers.json');
    assert.equal((await server.get(json.schema)).status, 200);
    holds(providers, json, 'providers.json');
    assert.equal(json.licence.id, 'CC-BY-4.0');
    assert.equal(json.counts.providers, json.providers.length);
    for (const { slug } of json.providers) {
        const one = (await server.get(`/data/providers/${slug}.json`)).json;
        holds(providers, one, slug);
        assert.deepEqual(one.provider, json.providers.find((provider) => provider.slug === slug));
    }
});

test('a type is one type everywhere', async () => {
    const { json } = await server.get('/data/providers.json');
    const types = { bool: 'boolean', number: 'number', money: 'number', duration: 'number', enum: 'string', text: 'string', set: 'array', 'money-map': 'object' };
    for (const provider of json.providers) {
        for (const facts of [provider.facts, ...provider.offerings.map((offering) => offering.facts)]) {
            for (const [key, { value, unlimited, state }] of Object.entries(facts)) {
                const { type } = json.attributes.find((attribute) => attribute.key === key);
                assert.equal(unlimited !== undefined, type === 'duration', key);
                if (state === 'documented' && unlimited !== true) {
                    assert.equal(Array.isArray(value) ? 'array' : typeof value, types[type], `${provider.slug} ${key}`);
                }
            }
        }
    }
});

test('answers of /compare', async () => {
    for (const query of ['', 'isolation=microvm&gpu=true', 'use_case=gpu&status=any', 'stage=ga&cold_start_ms__lte=500', 'stage=any&status=any&columns=price_gpu_hour_usd,max_session_seconds', 'q=gpu&kind=hosted&providers=e2b']) {
        holds(compare, (await server.get(`/compare?${query}`)).json, query);
    }
});

test('answers of /match', async () => {
    for (const query of ['', 'must.isolation=microvm&must.gpu=true', 'must.gpu=true&use_case=gpu&status=any&stage=any', 'stage=ga&must.cold_start_ms__lte=500&prefer.fork=true&avoid.egress_control=none', 'providers=e2b,modal&must.fork=true&must.gpu=true&must.ssh=true']) {
        const { json } = await server.get(`/match?${query}`);
        holds(matched, json, query);
        for (const change of [(copy) => delete copy.asked, (copy) => (copy.counts.fits = -1), (copy) => copy.fits.push(...copy.near_misses, {})]) {
            const copy = structuredClone(json);
            change(copy);
            assert.ok(!matched(copy), String(change));
        }
    }
});

test('what is not an answer is refused', async () => {
    const { json } = await server.get('/data/providers.json');
    const changed = (change) => {
        const copy = structuredClone(json);
        change(copy);
        return copy;
    };
    const first = (copy) => Object.values(copy.providers[0].facts).find(({ state, unlimited }) => state === 'documented' && !unlimited);
    for (const change of [
        (copy) => delete copy.licence,
        (copy) => (copy.extra = 1),
        (copy) => (copy.last_reviewed = 'yesterday'),
        (copy) => (first(copy).state = 'no'),
        (copy) => (first(copy).source = null),
        (copy) => (first(copy).value = null),
        (copy) => (first(copy).state = 'not_documented'),
        (copy) => delete first(copy).checked_on,
        (copy) => (copy.providers[0].status = 'gone'),
        (copy) => (copy.attributes[0].type = 'colour'),
    ]) {
        assert.ok(!providers(changed(change)), String(change));
    }
    const answer = (await server.get('/compare?gpu=true')).json;
    for (const change of [(copy) => delete copy.excluded, (copy) => (copy.matches[0].offerings = []), (copy) => (copy.facets.gpu[0].count = -1), (copy) => (copy.undecided[0].offerings[0].not_documented = [])]) {
        const copy = structuredClone(answer);
        change(copy);
        assert.ok(!compare(copy), String(change));
    }
});
