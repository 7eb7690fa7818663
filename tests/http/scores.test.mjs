// Recomputes every ranking from /data/providers.json and the criteria of the seed, by code that shares nothing with the program.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { TOP, startServer } from './harness.mjs';

const PRECISION = 1e-9;
const TIE = 1e-6;

let server;
let providers;
let useCases;

/** The use cases and their criteria, as the plain sqlite3 shell reads them from the seed. */
function readUseCases() {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'scores-'));
    const database = path.join(folder, 'catalogue.db');
    const shell = (args, input) => {
        const done = spawnSync('sqlite3', ['-bail', ...args], { cwd: TOP, input, encoding: 'utf8', maxBuffer: 1 << 26 });
        assert.equal(done.status, 0, done.stderr);
        return done.stdout;
    };
    try {
        shell([database], fs.readFileSync(path.join(TOP, 'sql/schema.sql')));
        shell([database], fs.readFileSync(path.join(TOP, 'sql/seed.sql')));
        const rows = (sql) => JSON.parse(shell(['-json', database, sql]));
        const criteria = rows('SELECT * FROM criterion ORDER BY use_case, position').map((row) => ({ ...row, rule: JSON.parse(row.rule) }));
        return rows('SELECT * FROM use_case ORDER BY position').map((row) => ({
            ...row,
            require: JSON.parse(row.require),
            criteria: criteria.filter((criterion) => criterion.use_case === row.slug),
        }));
    } finally {
        fs.rmSync(folder, { recursive: true });
    }
}

before(async () => {
    useCases = readUseCases();
    server = await startServer();
    providers = (await server.get('/data/providers.json')).json.providers;
});
after(() => server?.stop());

/** The members of a value: of a set its members, of one name just that. */
const members = (value) => (Array.isArray(value) ? value : [String(value)]);

const onScale = (value, { best, worst }) =>
    Math.min(1, Math.max(0, (Math.log(value) - Math.log(worst)) / (Math.log(best) - Math.log(worst))));

const rules = {
    is: (scores, { value }) => scores[String(value)] ?? 0,
    best_of: (scores, { value }) => Math.max(0, ...members(value).map((member) => scores[member] ?? 0)),
    each: (names, { value }) => names.filter((name) => members(value).includes(name)).length / names.length,
    any: (names, { value }) => (names.some((name) => members(value).includes(name)) ? 1 : 0),
    count: (n, { value }) => Math.min(1, members(value).length / n),
    documented: (_, { value }) => (value === '' || (Array.isArray(value) && value.length === 0) ? 0 : 1),
    contains: (word, { value }) => (String(value).toLowerCase().includes(word.toLowerCase()) ? 1 : 0),
    log: (scale, { value, unlimited }) => (unlimited ? 1 : onScale(value, scale)),
    key_log: (scale, { value }) => {
        const prices = Object.entries(value).filter(([name]) => name.toLowerCase().includes(scale.key.toLowerCase()));
        return prices.length === 0 ? null : onScale(Math.min(...prices.map(([, price]) => price)), scale);
    },
};

/** [low, high] of a criterion for a fact object. */
function share(rule, fact) {
    if (fact === undefined || fact.state === 'not_documented') {
        return [0, 1];
    }
    if (fact.state === 'not_applicable') {
        return [0, 0];
    }
    const [[name, argument]] = Object.entries(rule);
    const earned = rules[name](argument, fact);
    return earned === null ? [0, 1] : [fact.stale ? earned / 2 : earned, earned];
}

const meets = (fact, wanted) => fact?.state === 'documented' && members(fact.value).some((member) => [wanted].flat().map(String).includes(member));

/** The offerings of a provider, with the facts that they inherit; a provider without offerings is its own. */
function offeringsOf(provider) {
    if (provider.offerings.length === 0) {
        return [{ slug: null, facts: provider.facts, counts: true }];
    }
    return provider.offerings.map((offering) => ({
        slug: offering.slug,
        facts: { ...provider.facts, ...offering.facts },
        counts: offering.is_default || !['alpha', 'experimental', 'deprecated'].includes(offering.release_stage),
    }));
}

const compare = (one, other) => {
    if (Math.abs(one.low - other.low) > TIE) return other.low - one.low;
    if (Math.abs(one.high - other.high) > TIE) return other.high - one.high;
    return one.name < other.name ? -1 : one.name > other.name ? 1 : 0;
};

function rank(useCase, weights = {}) {
    const weightOf = (criterion) => weights[criterion.attribute] ?? criterion.weight;
    const sum = useCase.criteria.reduce((total, criterion) => total + weightOf(criterion), 0);
    const ranked = [];
    for (const provider of providers.filter(({ status }) => status === 'active')) {
        const scored = offeringsOf(provider)
            .filter(({ counts, facts }) => counts && Object.entries(useCase.require).every(([key, wanted]) => meets(facts[key], wanted)))
            .map(({ slug, facts }) => {
                let low = 0;
                let high = 0;
                for (const criterion of useCase.criteria) {
                    const [least, most] = share(criterion.rule, facts[criterion.attribute]);
                    low += (100 * weightOf(criterion) * least) / sum;
                    high += (100 * weightOf(criterion) * most) / sum;
                }
                return { slug: provider.slug, name: provider.name, offering: slug, low, high };
            })
            .sort(compare); // stable: of equal offerings the first stays
        ranked.push(...scored.slice(0, 1));
    }
    return ranked.sort(compare);
}

/** The address that answers with the ranking as JSON. */
const addressOf = (useCase, query = '') => `${useCase.path}?format=json${query}`;

function agree(model, expected) {
    assert.deepEqual(
        model.ranked.map(({ slug, offering }) => ({ slug, offering })),
        expected.map(({ slug, offering }) => ({ slug, offering })),
    );
    for (const [i, entry] of model.ranked.entries()) {
        assert.equal(entry.place, i + 1);
        assert.ok(Math.abs(entry.low - expected[i].low) < PRECISION, `${entry.slug}: low ${entry.low}, expected ${expected[i].low}`);
        assert.ok(Math.abs(entry.high - expected[i].high) < PRECISION, `${entry.slug}: high ${entry.high}, expected ${expected[i].high}`);
        for (const side of ['low', 'high']) {
            const points = entry.criteria.reduce((total, criterion) => total + criterion[`points_${side}`], 0);
            assert.ok(Math.abs(points - entry[side]) < PRECISION, `${entry.slug}: the points add up to ${points}, not ${entry[side]}`);
        }
    }
}

const ranking = async (useCase, query) => {
    const answer = await server.get(addressOf(useCase, query));
    assert.equal(answer.status, 200, answer.text);
    return answer.json;
};

test('every ranking can be recomputed from the published data', async () => {
    assert.equal(useCases.length, 9);
    for (const useCase of useCases) {
        agree(await ranking(useCase), rank(useCase));
    }
});

test('own weights are taken from the address', async () => {
    const useCase = useCases.find(({ slug }) => slug === 'coding-agents');
    const model = await ranking(useCase, '&w.fork=9&w.ssh=0&w.isolation=&w.mcp=0.75&ref=x');
    agree(model, rank(useCase, { fork: 9, ssh: 0 }));
    assert.equal(model.own_weights, true);
    const usual = rank(useCase).map(({ slug }) => slug);
    for (const entry of model.ranked) {
        assert.equal(entry.default_place, usual.indexOf(entry.slug) + 1);
    }
});

test('a changed place is changed where sensitivity says so', async () => {
    for (const useCase of useCases) {
        const { sensitivity } = await ranking(useCase);
        for (const { attribute, weight, changes_at: changes } of sensitivity) {
            const { slug: first } = rank(useCase)[0];
            let before = first;
            for (const change of (changes ?? []).filter((entry) => entry.weight >= weight)) {
                const leader = (at) => rank(useCase, { [attribute]: at })[0].slug;
                assert.equal(leader(change.weight - 1e-3 < weight ? weight : change.weight - 1e-3), before, `${useCase.slug}, ${attribute}`);
                assert.equal(leader(change.weight + 1e-3), change.to, `${useCase.slug}, ${attribute}`);
                before = change.to;
            }
        }
    }
});

test('the weights that matter are one address: order, defaults and blanks do not', async () => {
    const tag = async (query) => (await server.get(`/best/gpu/${query}`, { headers: { accept: 'text/html' } })).headers.get('etag');
    const plain = await tag('');
    assert.ok(plain);
    assert.equal(await tag('?w.volumes=&w.gpu=5&format=html'), plain);
    assert.equal(await tag('?w.volumes=2.0&w.sdks=0'), await tag('?w.sdks=0&w.volumes=2'));
    assert.notEqual(await tag('?w.volumes=2'), plain);
});

test('a bad weight is refused with the name of its field', async () => {
    const all = useCases.find(({ slug }) => slug === 'gpu').criteria.map(({ attribute }) => `w.${attribute}=0`);
    const cases = [
        ['w.gpu=-1', 'w.gpu'],
        ['w.gpu=1000.1', 'w.gpu'],
        ['w.gpu=inf', 'w.gpu'],
        ['w.gpu=nan', 'w.gpu'],
        ['w.gpu=1e999', 'w.gpu'],
        ['w.gpu=1&w.gpu=2', 'w.gpu'],
        ['w.gpus=1', 'w.gpus'],
        ['w.=1', 'w.'],
        [all.join('&'), all.at(-1).replace('=0', '')],
    ];
    for (const [query, parameter] of cases) {
        const answer = await server.get(`/best/gpu/?${query}`);
        assert.equal(answer.status, 400, query);
        assert.equal(answer.headers.get('content-type'), 'application/problem+json');
        assert.equal(answer.json.parameter, parameter, query);
    }
    const typo = await server.get('/best/gpu/?w.volume=1');
    assert.equal(typo.json.nearest, 'w.volumes');
    assert.ok(typo.json.allowed.includes('w.volumes'));
});

test('a page and its JSON are one model', async () => {
    const html = await server.get('/best/coding-agents/', { headers: { accept: 'text/html' } });
    const { json } = await server.get('/best/coding-agents/', { headers: { accept: 'application/json' } });
    assert.equal(html.status, 200);
    for (const entry of json.ranked) {
        assert.ok(html.text.includes(`href="/sandboxes/${entry.slug}/"`), entry.slug);
        assert.ok(html.text.includes(`<b>${entry.low.toFixed(1)}</b>`), entry.slug);
    }
    const ids = [...html.text.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id);
    assert.equal(new Set(ids).size, ids.length, 'an id is given twice');
    assert.equal((await server.get('/best/nothing/?w.gpu=1')).status, 404);
});

test('the home page has the digest of the overall ranking, and the whole one its arithmetic', async () => {
    const home = (await server.get('/?w.gpu=9', { headers: { accept: 'text/html' } })).text;
    const whole = await server.get('/best/overall/?w.gpu=9', { headers: { accept: 'text/html' } });
    const model = await ranking(useCases.find(({ slug }) => slug === 'overall'), '&w.gpu=9');
    assert.deepEqual((await server.get('/best/overall/?w.gpu=9&format=json')).json.ranked, model.ranked);
    assert.ok(home.includes('href="/best/overall/?w.gpu=9"'));
    assert.ok(!home.includes('id="arithmetic"') && whole.text.includes('id="arithmetic"'));
    assert.match(whole.text, /<form [^>]*action="\/best\/overall\/"/);
    assert.match(whole.text, /<link rel="canonical" href="[^"]*\/best\/overall\/">/);
    for (const entry of model.ranked) {
        const [table] = new RegExp(`id="sum-${entry.slug}".*?</table>`, 's').exec(whole.text);
        const rows = [...table.matchAll(/<tr><th scope="row">.*?<\/tr>/gs)];
        assert.equal(rows.length, entry.criteria.length + 1, entry.slug);
        assert.ok(table.includes(`<b>${entry.low.toFixed(2)}`), entry.slug);
    }
});

test('the list of rankings names their first places', async () => {
    const { json } = await server.get('/best/?format=json');
    assert.deepEqual(
        json.use_cases.map(({ slug, leaders }) => [slug, leaders.map((leader) => leader.slug)]),
        useCases.map((useCase) => [useCase.slug, rank(useCase).slice(0, 3).map(({ slug }) => slug)]),
    );
});
