// /compare: the grammar form by form, the shape of the answer, canonical addresses, orders, CSV, and every error.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { numberOf, slotsOf } from './compare_reference.mjs';
import { startServer } from './harness.mjs';

let server;
let data;
before(async () => {
    server = await startServer();
    data = (await server.get('/data/providers.json')).json;
});
after(() => server?.stop());

async function ask(query, options) {
    const answer = await server.get(`/compare?${query}`, options);
    assert.equal(answer.status, 200, `${query}: ${answer.text.slice(0, 300)}`);
    return answer.json;
}

const named = (list) => list.flatMap(({ slug, offerings }) => offerings.map((offering) => `${slug}/${offering.slug}`));
const slugs = (list) => list.map(({ slug }) => slug);
const count = async (query) => (await ask(query)).counts.matches;
const canonical = async (query) => (await ask(query)).query;
const entryOf = (list, slug) => list.find((entry) => entry.slug === slug);

describe('the worked example', () => {
    const matches = ['docker-sandboxes/local-gpu', 'koyeb/gpu', 'northflank/own-cloud-microvm'];
    const undecided = [
        'aws-agentcore/browser',
        'beam/vm-backed-sandbox',
        'daytona/v2-linux',
        'gke-agent-sandbox/gke-microvm',
        'gke-agent-sandbox/kata',
    ];

    test('only what can be bought at once matches', async () => {
        const answer = await ask('isolation=microvm&gpu=true');
        assert.deepEqual(named(answer.matches).sort(), matches);
        assert.deepEqual(named(answer.undecided).sort(), undecided);
        assert.deepEqual(answer.counts, { considered: 21, matches: 3, undecided: 4, excluded: 14 });
        assert.ok(slugs(answer.excluded).includes('modal'));
        for (const { offerings } of answer.undecided) {
            offerings.forEach(({ not_documented }) => assert.ok(not_documented.includes('gpu')));
        }
    });

    test('status=any lets Runloop in', async () => {
        const answer = await ask('isolation=microvm&gpu=true&status=any');
        assert.deepEqual(named(answer.matches).sort(), [...matches, 'runloop/gpu-devbox']);
        assert.deepEqual(named(answer.undecided).sort(), undecided);
        assert.equal(answer.counts.considered, data.providers.length);
    });

    test('each value has its receipt', async () => {
        const answer = await ask('isolation=microvm&gpu=true');
        const { facts } = entryOf(answer.matches, 'koyeb').offerings[0];
        assert.deepEqual(Object.keys(facts), ['isolation', 'gpu']);
        assert.deepEqual(facts.gpu.value, true);
        assert.match(facts.gpu.source.url, /^https:\/\//);
        assert.match(facts.gpu.checked_on, /^\d{4}-\d\d-\d\d$/);
        assert.ok(facts.gpu.basis);
    });

    test('each excluded offering says which condition did it', async () => {
        const answer = await ask('isolation=microvm&gpu=true');
        const modal = entryOf(answer.excluded, 'modal');
        assert.deepEqual(modal.because.map(({ offering }) => offering), modal.offerings.map(({ slug }) => slug));
        for (const { attribute, condition, fact } of modal.because) {
            assert.ok(['isolation=microvm', 'gpu=true'].includes(condition));
            assert.equal(fact.attribute, attribute);
            assert.notEqual(fact.state, 'not_documented');
        }
    });
});

test('the answer has its keys in order', async () => {
    const answer = await ask('gpu=true');
    assert.deepEqual(Object.keys(answer), [
        'query', 'generation', 'last_reviewed', 'counts', 'columns', 'matches', 'undecided', 'excluded', 'facets', 'limit', 'offset',
    ]);
    assert.equal(answer.generation, data.generation);
    assert.deepEqual(answer.columns, [{ key: 'gpu', label: answer.columns[0].label, type: 'bool', unit: null }]);
    assert.deepEqual(Object.keys(answer.matches[0]), ['slug', 'name', 'status', 'kind', 'offerings']);
});

describe('conditions', () => {
    const slotFacts = (entry, key, lists) =>
        lists.flatMap((list) => entry[list].flatMap(({ offerings }) => offerings.map(({ facts }) => facts[key])));

    test('commas and repetition mean any', async () => {
        const both = await count('isolation=microvm,gvisor');
        assert.equal(await count('isolation=microvm&isolation=gvisor'), both);
        assert.ok(both > (await count('isolation=microvm')) && both > (await count('isolation=gvisor')));
    });

    test('__all means every one', async () => {
        const facts = slotFacts(await ask('sdks__all=python,go'), 'sdks', ['matches']);
        assert.ok(facts.length > 0);
        facts.forEach(({ value }) => assert.ok(value.includes('python') && value.includes('go')));
        assert.ok((await count('sdks__all=python,go')) < (await count('sdks=python,go')));
    });

    test('__not wants a documented value that is none of them', async () => {
        const answer = await ask('egress_control__not=none&stage=any');
        const facts = slotFacts(answer, 'egress_control', ['matches']);
        assert.ok(facts.length > 0);
        facts.forEach(({ state, value }) => assert.ok(state === 'documented' && value !== 'none'));
        slotFacts(answer, 'egress_control', ['undecided']).forEach(({ state }) => assert.equal(state, 'not_documented'));
    });

    test('unknown wants what is not documented, alone or beside values', async () => {
        const facts = slotFacts(await ask('cold_start_ms=unknown'), 'cold_start_ms', ['matches']);
        assert.ok(facts.length > 0);
        facts.forEach(({ state }) => assert.equal(state, 'not_documented'));
        const either = await ask('gpu=true,unknown');
        assert.equal(either.counts.undecided, 0);
        assert.equal(either.query, 'gpu=true,unknown');
    });

    test('what does not apply matches nothing', async () => {
        for (const { key, type } of data.attributes.filter(({ filterable }) => filterable)) {
            const slots = data.providers.flatMap((provider) => slotsOf(provider).map((slot) => [provider, slot]));
            const found = slots.find(([, slot]) => slot.facts[key]?.state === 'not_applicable');
            if (!found) {
                continue;
            }
            const [provider, slot] = found;
            const value = { bool: 'true', number: 1, money: 1, duration: 1 }[type] ?? data.attributes.find((a) => a.key === key).values[0]?.value;
            const forms = [`${key}=unknown`, ...(value === undefined ? [] : [`${key}=${value}`, `${key}__not=${value}`])];
            for (const form of forms) {
                const answer = await ask(`${form}&status=any&stage=any&providers=${provider.slug}`);
                const named = ['matches', 'undecided'].flatMap((list) => slugs(answer[list]).length ? answer[list][0].offerings.map((o) => o.slug) : []);
                assert.ok(!named.includes(slot.slug), `${form} and ${provider.slug}/${slot.slug}`);
            }
        }
    });

    test('bounds on numbers, durations and money', async () => {
        for (const [query, key, holds] of [
            ['max_vcpu__gte=16', 'max_vcpu', (n) => n >= 16],
            ['cold_start_ms__lte=200', 'cold_start_ms', (n) => n <= 200],
            ['max_session_seconds__gte=24h', 'max_session_seconds', (n) => n >= 86400],
            ['price_vcpu_hour_usd__lte=0.06', 'price_vcpu_hour_usd', (n) => n <= 0.06],
            ['price_gpu_hour_usd__lte=1', 'price_gpu_hour_usd', (n) => n <= 1],
        ]) {
            const facts = slotFacts(await ask(query), key, ['matches']);
            assert.ok(facts.length > 0, query);
            facts.forEach((fact) => assert.ok(fact.state === 'documented' && holds(numberOf(fact)), `${query}: ${fact.text}`));
        }
    });

    test('unlimited is the longest duration', async () => {
        const facts = slotFacts(await ask('max_session_seconds__gte=unlimited'), 'max_session_seconds', ['matches']);
        assert.ok(facts.length > 0);
        facts.forEach(({ unlimited, value }) => assert.deepEqual([unlimited, value], [true, null]));
    });

    test('a money map has names', async () => {
        const facts = slotFacts(await ask('price_gpu_hour_usd=H100'), 'price_gpu_hour_usd', ['matches']);
        assert.ok(facts.length > 0);
        facts.forEach(({ value }) => assert.ok('H100' in value));
    });

    test('texts match by their whole value', async () => {
        const facts = slotFacts(await ask('licence=apache-2.0'), 'licence', ['matches']);
        assert.ok(facts.length > 0);
        facts.forEach(({ value }) => assert.equal(value, 'Apache-2.0'));
    });

    test('a value with a comma is one value', async () => {
        const { key, value } = data.attributes
            .filter(({ filterable, values, type }) => filterable && values.length === 0 && ['text', 'set'].includes(type))
            .flatMap(({ key }) =>
                data.providers.flatMap((provider) => slotsOf(provider).flatMap((slot) => [slot.facts[key]?.value ?? []].flat()))
                    .filter((value) => value.includes(','))
                    .map((value) => ({ key, value })),
            )[0];
        const answer = await ask(`${key}=${encodeURIComponent(value)}&stage=any&status=any`);
        assert.ok(answer.counts.matches > 0, `${key}=${value}`);
        assert.equal(await canonical(answer.query), answer.query);
    });
});

describe('filters of providers', () => {
    test('status', async () => {
        const statuses = async (query) => {
            const answer = await ask(query);
            return [...new Set(['matches', 'undecided', 'excluded'].flatMap((list) => answer[list].map(({ status }) => status)))].sort();
        };
        assert.deepEqual(await statuses(''), ['active']);
        assert.deepEqual(await statuses('status=winding-down'), ['winding-down']);
        assert.deepEqual(await statuses('status=any'), ['active', 'discontinued', 'winding-down']);
        assert.deepEqual(await statuses('status=active,discontinued'), ['active', 'discontinued']);
    });

    test('stage: deprecated offerings are left out unless asked for', async () => {
        const stages = async (query) =>
            new Set((await ask(`${query}&limit=500`)).matches.flatMap(({ offerings }) => offerings.map(({ stage }) => stage)));
        assert.ok(!(await stages('status=any')).has('deprecated'));
        assert.ok((await stages('status=any&stage=any')).has('deprecated'));
        assert.deepEqual(await stages('stage=deprecated&status=any'), new Set(['deprecated']));
        assert.deepEqual(await stages('stage=ga,beta'), new Set(['ga', 'beta']));
    });

    test('stage: an offering whose stage is not documented is undecided, one of another stage is excluded', async () => {
        const answer = await ask('stage=ga');
        const stageless = data.providers.find(({ offerings, status }) => offerings.length === 0 && status === 'active').slug;
        assert.deepEqual(entryOf(answer.undecided, stageless).offerings[0].not_documented, ['stage']);
        const out = await ask('stage=deprecated');
        const reasons = out.excluded.flatMap(({ because }) => because);
        assert.ok(reasons.length > 0);
        reasons.forEach(({ attribute, condition, fact }) => assert.deepEqual([attribute, condition, fact], ['stage', 'stage=deprecated', null]));
    });

    test('a default that excluded has a name, and the name is a question', async () => {
        const slotStages = (provider) => slotsOf(provider).map(({ stage }) => stage);
        const answer = await ask('isolation=wasm&status=any');
        const reasons = answer.excluded.flatMap(({ because }) => because).filter(({ attribute }) => attribute === 'stage');
        assert.ok(data.providers.some((provider) => slotStages(provider).includes('deprecated')));
        assert.ok(reasons.length > 0);
        reasons.forEach(({ condition }) => assert.equal(condition, 'stage__not=deprecated'));
        assert.equal(await canonical('stage__not=deprecated'), '');
    });

    test('kind, providers and q exclude with a reason of their own', async () => {
        for (const [query, attribute] of [['kind=local-tool', 'kind'], ['providers=e2b,modal', 'providers'], ['q=firecracker', 'q']]) {
            const answer = await ask(query);
            assert.ok(answer.counts.matches > 0 && answer.counts.excluded > 0, query);
            for (const { because } of answer.excluded) {
                assert.deepEqual(because, [{ attribute, condition: query, offering: null, fact: null }]);
            }
        }
        assert.deepEqual(slugs((await ask('providers=modal,e2b')).matches), ['e2b', 'modal']);
        assert.ok((await ask('kind=local-tool')).matches.every(({ kind }) => kind === 'local-tool'));
    });

    test('q is words: every one of them, each a beginning, nothing of it syntax', async () => {
        assert.ok((await count('q=firecr')) >= (await count('q=firecracker')));
        assert.equal(await count('q=firecracker zzzz'), 0);
        for (const text of ['"', 'a OR b', 'NOT e2b', 'title:e2b', 'e2b*', '(', 'a AND', '^e2b', 'NEAR(a b)', '{title}: x', "o'brien", '-- ; drop', 'é—ü', '…a']) {
            const answer = await server.get(`/compare?q=${encodeURIComponent(text)}`);
            assert.ok(answer.status === 200 || (answer.status === 400 && !/\w/.test(text)), `${text}: ${answer.status}`);
        }
        const either = await ask(`q=${encodeURIComponent('firecracker OR zzzz')}`);
        assert.equal(either.counts.matches, 0, 'OR is a word like any other');
    });
});

describe('orders', () => {
    const order = async (query) => (await ask(`${query}&limit=500`)).matches;
    const best = (entry, key, direction) => {
        const numbers = entry.offerings.map(({ facts }) => facts[key]).filter(({ state }) => state === 'documented').map(numberOf);
        return numbers.length === 0 ? undefined : direction > 0 ? Math.min(...numbers) : Math.max(...numbers);
    };
    const compareNames = (a, b) => {
        const [x, y] = [a.toLowerCase(), b.toLowerCase()];
        return x < y ? -1 : x > y ? 1 : 0;
    };

    test('by name unless asked otherwise', async () => {
        const names = (await order('')).map(({ name }) => name);
        assert.deepEqual(names, [...names].sort(compareNames));
        assert.deepEqual((await order('sort=-name')).map(({ name }) => name), [...names].reverse());
    });

    for (const key of ['cold_start_ms', 'max_session_seconds', 'price_vcpu_hour_usd', 'price_gpu_hour_usd', 'max_vcpu']) {
        for (const [direction, sort] of [[1, key], [-1, `-${key}`]]) {
            test(`sort=${sort}: documented first, ties by name`, async () => {
                const entries = await order(`sort=${sort}&stage=any&status=any`);
                const expected = [...entries].sort((a, b) => {
                    const [x, y] = [best(a, key, direction), best(b, key, direction)];
                    if ((x === undefined) !== (y === undefined)) {
                        return x === undefined ? 1 : -1;
                    }
                    return x === y ? compareNames(a.name, b.name) : x < y ? -direction : direction;
                });
                assert.deepEqual(slugs(entries), slugs(expected));
                assert.notEqual(best(entries[0], key, direction), undefined);
                assert.equal(best(entries.at(-1), key, direction), undefined, 'the last has no value');
            });
        }
    }

    test('the undocumented is last in both directions for other types too', async () => {
        for (const key of ['gpu', 'persistence', 'sdks', 'licence']) {
            for (const sort of [key, `-${key}`]) {
                const known = (await order(`sort=${sort}`)).map(({ offerings }) => offerings.some(({ facts }) => facts[key].state === 'documented'));
                assert.deepEqual(known, [...known].sort((a, b) => b - a), sort);
            }
        }
        assert.equal((await order('sort=-gpu'))[0].offerings.some(({ facts }) => facts.gpu.value === true), true);
    });

    test('use_case ranks by its score', async () => {
        const matches = await order('use_case=coding-agents');
        const low = matches.map(({ score }) => score?.low ?? -1);
        assert.deepEqual(low, [...low].sort((a, b) => b - a));
        assert.ok(low[0] > 0);
        assert.deepEqual(Object.keys(matches[0].score), ['low', 'high', 'offering']);
        assert.notDeepEqual(slugs(await order('use_case=coding-agents&sort=name')), slugs(matches));
    });

    test('limit and offset cut the matches, the counts stay', async () => {
        const all = slugs(await order(''));
        const page = await ask('limit=3&offset=2');
        assert.deepEqual(slugs(page.matches), all.slice(2, 5));
        assert.equal(page.counts.matches, all.length);
        assert.deepEqual([page.limit, page.offset], [3, 2]);
        assert.deepEqual((await ask('offset=100000')).matches, []);
    });
});

describe('columns', () => {
    const keys = (answer) => answer.columns.map(({ key }) => key);

    test('what is asked about, else the headline attributes, else what columns= names', async () => {
        assert.deepEqual(keys(await ask('')), data.attributes.filter(({ headline }) => headline).map(({ key }) => key));
        assert.deepEqual(keys(await ask('gpu=true&isolation=microvm&sort=max_vcpu')), ['isolation', 'gpu', 'max_vcpu']);
        const answer = await ask('gpu=true&columns=secrets,fork');
        assert.deepEqual(keys(answer), ['secrets', 'fork']);
        assert.deepEqual(Object.keys(answer.matches[0].offerings[0].facts), ['secrets', 'fork']);
        assert.equal(await canonical('gpu=true&columns=gpu'), 'gpu=true');
    });
});

describe('one question, one address', () => {
    for (const [one, other, expected] of [
        ['max_session_seconds__gte=24h', 'max_session_seconds__gte=86400', 'max_session_seconds__gte=86400'],
        ['max_session_seconds__gte=1440m', 'max_session_seconds__gte=1d', 'max_session_seconds__gte=86400'],
        ['cold_start_ms__lte=200', 'cold_start_ms__lte=2e2', 'cold_start_ms__lte=200'],
        ['max_vcpu=4,2,4.0', 'max_vcpu=2&max_vcpu=4', 'max_vcpu=2,4'],
        ['gpu=TRUE', 'GPU=true&gpu=true', 'gpu=true'],
        ['isolation=gvisor,microvm', 'isolation=microvm&isolation=GVISOR,', 'isolation=microvm,gvisor'],
        ['providers=modal,e2b', 'providers=E2B&providers=modal', 'providers=e2b,modal'],
        ['status=active', 'limit=50&offset=0&sort=name&utm_source=x&ref=y&gclid=z&fbclid=1', ''],
        ['status=active,winding-down,discontinued', 'status=any', 'status=any'],
        ['kind=hosted,cloud-service,local-tool,self-hostable', 'gpu=&q=&status=&limit=', ''],
        ['q=GPU  Sandbox', 'q=sandbox, gpu sandbox', 'q=gpu%20sandbox'],
        ['columns=gpu,fork', 'columns=fork&columns=gpu', 'columns=fork,gpu'],
        ['gpu=true&format=json', 'gpu=true', 'gpu=true'],
    ]) {
        test(`${one} is ${other}`, async () => {
            const [first, second] = [await server.get(`/compare?${one}`), await server.get(`/compare?${other}`)];
            assert.equal(first.status, 200, first.text);
            assert.equal(second.status, 200, second.text);
            assert.equal(first.json.query, expected);
            assert.equal(second.text, first.text);
            assert.ok(first.headers.get('etag'));
            assert.equal(second.headers.get('etag'), first.headers.get('etag'));
        });
    }
});

describe('errors name the parameter, what is allowed and the nearest name', () => {
    const cases = [
        ['isolatoin=microvm', 'isolatoin', 'isolation', 'isolation'],
        ['colunms=gpu', 'colunms', 'columns', 'columns'],
        ['isolation=microvn', 'isolation', 'microvm', 'microvm'],
        ['isolation__all=microvm,kate', 'isolation__all', 'kata', 'kata'],
        ['isolation__not=unknown', 'isolation__not', null, 'microvm'],
        ['isolation__foo=microvm', 'isolation__foo', 'isolation__not', 'isolation__all'],
        ['isolation__=microvm', 'isolation__', 'isolation', 'isolation'],
        ['isolation_technology=x', 'isolation_technology', null, 'isolation'],
        ['gpu=yes', 'gpu', 'true', 'false'],
        ['gpu__gte=1', 'gpu__gte', 'gpu', 'gpu__not'],
        ['licence=Apache-3.0', 'licence', 'Apache-2.0', 'MIT'],
        ['gpu_types=H10', 'gpu_types', 'H100', 'H100'],
        ['cold_start_ms__lte=fast', 'cold_start_ms__lte', null, '0.05'],
        ['cold_start_ms__lte=1,2', 'cold_start_ms__lte', null, '0.05'],
        ['cold_start_ms__lte=unlimited', 'cold_start_ms__lte', null, '0.05'],
        ['cold_start_ms=0x10', 'cold_start_ms', null, '0.05'],
        ['max_session_seconds__gte=2w', 'max_session_seconds__gte', null, '24h'],
        ['status=actve', 'status', 'active', 'any'],
        ['stage=betta', 'stage', 'beta', 'deprecated'],
        ['kind=hostd', 'kind', 'hosted', 'local-tool'],
        ['providers=e2c', 'providers', 'e2b', 'modal'],
        ['use_case=overal', 'use_case', 'overall', 'gpu'],
        ['sort=cold_strat_ms', 'sort', 'cold_start_ms', 'name'],
        ['columns=gpuu', 'columns', 'gpu', 'secrets'],
        ['limit=0', 'limit', null, 500],
        ['limit=501', 'limit', null, 1],
        ['limit=ten', 'limit', null, 500],
        ['offset=-1', 'offset', null, 0],
        ['format=xml', 'format', null, 'csv'],
    ];
    for (const [query, parameter, nearest, allowed] of cases) {
        test(query, async () => {
            const { status, headers, json } = await server.get(`/compare?${query}`);
            assert.equal(status, 400);
            assert.equal(headers.get('content-type'), 'application/problem+json');
            assert.equal(json.status, 400);
            assert.equal(json.parameter, parameter);
            assert.equal(json.nearest, nearest);
            assert.ok(json.allowed.includes(allowed), JSON.stringify(json.allowed));
            assert.ok(json.detail.length > 10);
        });
    }

    for (const [query, parameter] of [
        ['cold_start_ms__gte=5&cold_start_ms__lte=4', 'cold_start_ms__gte'],
        ['max_session_seconds__gte=unlimited&max_session_seconds__lte=24h', 'max_session_seconds__gte'],
        ['cold_start_ms__gte=5&cold_start_ms__gte=5', 'cold_start_ms__gte'],
        ['q=a&q=b', 'q'],
        ['sort=gpu&sort=gpu', 'sort'],
        ['use_case=gpu&use_case=gpu', 'use_case'],
        ['limit=5&limit=5', 'limit'],
        ['offset=5&offset=6', 'offset'],
        ['q=!!!', 'q'],
        [`q=${Array.from({ length: 17 }, (_, i) => `w${i}`).join('+')}`, 'q'],
    ]) {
        test(query.slice(0, 60), async () => {
            const { status, json } = await server.get(`/compare?${query}`);
            assert.equal(status, 400);
            assert.equal(json.parameter, parameter);
        });
    }

    test('an error is not kept for the next question', async () => {
        assert.equal((await server.get('/compare?gpu=maybe')).headers.get('cache-control'), 'no-store');
    });
});

describe('CSV', () => {
    const parse = (text) => text.trimEnd().split('\r\n').map((line) => line.match(/("([^"]|"")*"|[^,]*)(,|$)/g).map((cell) => cell.replace(/,$/, '').replace(/^"|"$/g, '').replaceAll('""', '"')));
    const columns = ['gpu', 'gpu_state', 'gpu_source', 'gpu_checked_on'];

    test('by Accept and by format, matches and undecided, with state and receipt', async () => {
        const answer = await server.get('/compare?gpu=true', { headers: { accept: 'text/csv' } });
        assert.match(answer.headers.get('content-type'), /^text\/csv/);
        assert.equal((await server.get('/compare?gpu=true&format=csv')).text, answer.text);
        const [head, ...rows] = parse(answer.text);
        assert.deepEqual(head.slice(0, 10), ['result', 'provider', 'provider_name', 'offering', 'offering_name', 'stage', ...columns]);
        const json = await ask('gpu=true');
        const expected = [['match', json.matches], ['undecided', json.undecided]].flatMap(([result, list]) =>
            list.flatMap(({ slug, offerings }) =>
                offerings.map((offering) => {
                    const { value, state, source, checked_on } = offering.facts.gpu;
                    return [result, slug, offering.slug ?? '', value === null ? '' : String(value), state, source?.url ?? '', checked_on ?? ''];
                }),
            ),
        );
        assert.deepEqual(rows.map((row) => [row[0], row[1], row[3], ...row.slice(6, 10)]), expected);
        assert.ok(expected.some(([result]) => result === 'match') && expected.some(([result]) => result === 'undecided'));
    });

    test('every type of value is data', async () => {
        const { text } = await server.get('/compare?providers=e2b,modal,docker-sandboxes&columns=sdks,max_session_seconds,price_gpu_hour_usd,snapshots&stage=any&format=csv');
        assert.match(text, /unlimited/);
        assert.match(text, /python; /);
        assert.match(text, /H100=[\d.]+/);
        assert.match(text, /,none,documented,/);
    });

    test('scripts and browsers that name neither get JSON', async () => {
        for (const accept of ['*/*', 'application/json']) {
            assert.match((await server.get('/compare', { headers: { accept } })).headers.get('content-type'), /^application\/json/);
        }
        assert.match((await server.get('/compare')).headers.get('vary'), /accept/i);
    });
});

test('HEAD, 304 and a second question from the cache', async () => {
    const first = await server.get('/compare?gpu=true');
    const etag = first.headers.get('etag');
    const head = await server.fetch('/compare?gpu=true', { method: 'HEAD' });
    assert.equal(head.headers.get('etag'), etag);
    const again = await server.fetch('/compare?GPU=TRUE', { headers: { 'if-none-match': etag } });
    assert.equal(again.status, 304);
});
