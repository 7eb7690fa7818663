// Costs: the hand-worked examples of docs/cost-examples.md, properties that every sum must have, and what is refused.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { TOP, startServer } from './harness.mjs';

let server;
before(async () => {
    server = await startServer();
});
after(() => server.stop());

const LISTS = ['results', 'free_software', 'does_not_fit', 'no_published_rate', 'not_on_sale'];

async function ask(parameters = {}) {
    const response = await fetch(`${server.origin}/cost?${new URLSearchParams(parameters)}`);
    const body = await response.json();
    assert.equal(response.status, 200, JSON.stringify(body).slice(0, 400));
    return body;
}

const entries = (answer) => LISTS.flatMap((list) => answer[list]);
const everyQuote = (answer) => entries(answer).flatMap((entry) => [entry, ...entry.others]);
const mills = (usd) => Math.round(usd * 1000);

/** Half up to the cent, from tenths of a cent. */
function moneyText(amount) {
    const cents = Math.floor((amount + 5) / 10);
    return `$${Math.floor(cents / 100).toLocaleString('en-US')}.${String(cents % 100).padStart(2, '0')}`;
}

/** A product of decimals ("600 × 3600 ÷ 730 × 0.09") in tenths of a cent, half up, by whole numbers only. */
function product(expression) {
    let top = 1000n;
    let bottom = 1n;
    let operator = '×';
    for (const token of expression.trim().split(/\s+/)) {
        if (token === '×' || token === '÷') {
            operator = token;
            continue;
        }
        assert.match(token, /^\d+(\.\d+)?$/, expression);
        const [whole, fraction = ''] = token.split('.');
        const digits = 10n ** BigInt(fraction.length);
        const number = BigInt(whole + fraction);
        top *= operator === '×' ? number : digits;
        bottom *= operator === '×' ? digits : number;
    }
    return Number((2n * top + bottom) / (2n * bottom));
}

function readExamples() {
    const text = fs.readFileSync(path.join(TOP, 'docs/cost-examples.md'), 'utf8');
    return text.split(/^## /m).slice(1).flatMap((section) => {
        const [preset] = section.split('\n');
        return [...section.matchAll(/^\| ([a-z0-9-]+) \| (.*?=.*?) \| (at least )?(\$[\d,.]+) \|/gm)].map((row) => ({
            preset,
            provider: row[1],
            terms: row[2].split('; ').map((term) => {
                const [, minus, expression, value] = /^(− )?[A-Za-z]+ (.*) = ([\d.]+)$/.exec(term);
                return { sign: minus ? -1 : 1, expression, value: mills(Number(value)) };
            }),
            atLeast: row[3] !== undefined,
            total: row[4],
        }));
    });
}

test('the hand-worked examples hold their own arithmetic', () => {
    const examples = readExamples();
    assert.ok(examples.length >= 40, `${examples.length} examples`);
    assert.ok(new Set(examples.map(({ provider }) => provider)).size >= 8);
    for (const { preset, provider, terms, total } of examples) {
        for (const { expression, value } of terms) {
            assert.equal(product(expression), value, `${preset}, ${provider}: ${expression}`);
        }
        assert.equal(moneyText(terms.reduce((sum, { sign, value }) => sum + sign * value, 0)), total, `${preset}, ${provider}`);
    }
});

test('the program agrees with the hand-worked examples to the cent', async () => {
    const { presets } = await ask();
    assert.equal(presets.length, 5);
    const answers = new Map();
    for (const { slug, parameters } of presets) {
        answers.set(slug, await ask(parameters));
    }
    assert.deepEqual([...new Set(readExamples().map(({ preset }) => preset))], presets.map(({ slug }) => slug));
    for (const { preset, provider, atLeast, total } of readExamples()) {
        const entry = answers.get(preset).results.find(({ slug }) => slug === provider);
        assert.deepEqual([entry?.total.text, entry?.at_least], [total, atLeast], `${preset}, ${provider}: ${entry?.formula}`);
    }
});

test('every provider stands in one list, every sum has its receipts, and nothing unknown is zero', async () => {
    const providers = (await (await fetch(`${server.origin}/data/providers.json`)).json()).providers.map(({ slug }) => slug);
    for (const question of [{}, { vcpu: 64, memory_gib: 256 }, { gpu: 'h100' }, { storage_gib: 10, paused: 0.5 }]) {
        const answer = await ask(question);
        assert.deepEqual(entries(answer).map(({ slug }) => slug).sort(), [...providers].sort());
        for (const entry of everyQuote(answer)) {
            const name = `${entry.slug}/${entry.offering}`;
            if (entry.outcome !== 'total') {
                assert.equal(entry.total, null, name);
                assert.ok(entry.reason, name);
                continue;
            }
            assert.equal(entry.at_least, entry.open.length > 0, name);
            assert.equal(entry.parts.reduce((sum, { usd }) => sum + mills(usd), 0), mills(entry.total.usd), name);
            assert.equal(entry.total.text, moneyText(mills(entry.total.usd)), name);
            for (const part of entry.parts) {
                assert.match(part.receipt.source.url, /^https?:/, `${name} ${part.part}`);
                assert.match(part.receipt.checked_on, /^\d{4}-\d\d-\d\d$/);
            }
        }
        for (const entry of answer.does_not_fit) {
            assert.equal(entry.fact.state, 'documented', entry.slug);
        }
    }
});

test('results are sorted by total', async () => {
    const totals = (await ask({ sandboxes: 7, hours: 300, active: 0.3 })).results.map(({ total }) => total.usd);
    assert.deepEqual(totals, [...totals].sort((a, b) => a - b));
});

test('zero usage costs the plan fee and nothing else', async () => {
    for (const entry of everyQuote(await ask({ hours: 0, storage_gib: 50, vcpu: 1, memory_gib: 1 }))) {
        if (entry.outcome === 'total') {
            assert.equal(mills(entry.total.usd), Math.max(0, mills(entry.plan.fee_usd)) - creditOf(entry), entry.slug);
            assert.deepEqual(entry.parts.filter(({ part }) => part !== 'plan' && part !== 'credit'), [], entry.slug);
        }
    }
});

const creditOf = (entry) => entry.parts.filter(({ part }) => part === 'credit').reduce((sum, { usd }) => sum - mills(usd), 0);

/** A small generator with a seed, so that a failure can be had again. */
function generator(seed) {
    let state = seed;
    return (least, most, digits) => {
        state = (state * 1103515245 + 12345) % 2147483648;
        return Number((least + (state / 2147483648) * (most - least)).toFixed(digits));
    };
}

function totals(answer) {
    return new Map(everyQuote(answer).filter(({ outcome }) => outcome === 'total').map((entry) => [`${entry.slug}/${entry.offering}`, entry]));
}

test('more hours, more time active, more starts, more memory: never cheaper', async () => {
    const random = generator(20261130);
    for (let round = 0; round < 25; round++) {
        const active = random(0, 0.6, 2);
        const question = {
            sandboxes: random(1, 60, 0), hours: random(1, 300, 1), active, paused: random(0, 0.4, 2), runs: random(60, 5000, 0),
            vcpu: random(1, 4, 0), memory_gib: random(1, 8, 0), storage_gib: random(0, 10, 0),
        };
        const base = totals(await ask(question));
        const more = {
            hours: Number((question.hours + random(0, 200, 1)).toFixed(1)),
            active: Number(random(active, 1 - question.paused, 2).toFixed(2)),
            runs: question.runs * 3,
            memory_gib: question.memory_gib + 1,
        };
        for (const [name, value] of Object.entries(more)) {
            for (const [key, entry] of totals(await ask({ ...question, [name]: value }))) {
                const before = base.get(key);
                if (before && !entry.at_least === !before.at_least) {
                    assert.ok(mills(entry.total.usd) >= mills(before.total.usd), `${key}: ${name} from ${question[name]} to ${value} in ${JSON.stringify(question)}`);
                }
            }
        }
    }
});

test('idle time costs CPU by the wall clock, and none where active CPU is billed', async () => {
    const busy = totals(await ask({ hours: 200, active: 1 }));
    const idle = totals(await ask({ hours: 200, active: 0.1 }));
    const cpu = (entry) => mills(entry.parts.find(({ part }) => part === 'cpu').usd);
    for (const key of ['daytona/container', 'e2b/null', 'modal/gvisor', 'northflank/cloud', 'beam/sandbox']) {
        assert.equal(cpu(idle.get(key)), cpu(busy.get(key)), key);
    }
    for (const key of ['cloudflare-sandbox/container', 'aws-agentcore/code-interpreter', 'vercel-sandbox/null']) {
        assert.ok(Math.abs(cpu(idle.get(key)) * 10 - cpu(busy.get(key))) <= 10, key);
    }
});

test('a pause is free of compute', async () => {
    for (const entry of everyQuote(await ask({ hours: 100, paused: 1 }))) {
        assert.deepEqual(entry.parts.filter(({ part }) => ['cpu', 'memory', 'size'].includes(part)), [], entry.slug);
    }
});

test('short runs are charged by step and minimum', async () => {
    // 60 runs of one minute: five minutes each at OpenAI, as they are where seconds count.
    const answer = totals(await ask({ sandboxes: 1, hours: 1, runs: 60, vcpu: 1, memory_gib: 1 }));
    assert.equal(answer.get('openai-code-interpreter/null').total.text, '$0.45'); // 300 min ÷ 20 × 0.03
    assert.equal(answer.get('daytona/container').total.text, '$0.07'); // 1 × 0.0504 + 1 × 0.0162
    // 120 runs of half a minute: Vercel charges memory for whole minutes, 2 hours of 2 GB; 2 GB comes with each vCPU.
    const short = totals(await ask({ sandboxes: 1, hours: 1, runs: 120, vcpu: 1, memory_gib: 1 }));
    const memory = short.get('vercel-sandbox/null').parts.find(({ part }) => part === 'memory');
    assert.equal(mills(memory.usd), 85); // 2 × 2 × 0.0212 = 0.0848
});

test('a plan that stops at its allowance is left when the use passes it', async () => {
    const plan = async (hours) => totals(await ask({ hours, runs: hours * 2, vcpu: 1, memory_gib: 2 })).get('vercel-sandbox/null').plan.name;
    assert.equal(await plan(5), 'Hobby'); // five active-CPU hours are free
    assert.equal(await plan(6), 'Pro');
});

test('sizes above the largest documented one do not fit, with the fact', async () => {
    const answer = await ask({ vcpu: 16, memory_gib: 16 });
    const entry = answer.does_not_fit.find(({ slug }) => slug === 'e2b');
    assert.deepEqual([entry.fact.attribute, entry.fact.value], ['max_vcpu', 8]);
    assert.ok(!answer.results.some(({ slug }) => slug === 'e2b'));
});

test('GPUs are found by any spelling, and only where a price is published', async () => {
    const answer = await ask({ gpu: 'NVIDIA H100', vcpu: 8, memory_gib: 32 });
    assert.equal(answer.question.gpu, 'h100');
    assert.equal(answer.question.gpu_hours, 100);
    assert.deepEqual(answer.results.map(({ slug }) => slug).sort(), ['beam', 'daytona', 'koyeb', 'modal', 'northflank']);
    assert.ok(answer.does_not_fit.some(({ slug }) => slug === 'cloudflare-sandbox'));
});

test('one-time credits are shown and never taken off', async () => {
    for (const entry of (await ask({ hours: 10 })).results) {
        assert.ok(entry.one_time, entry.slug);
        if (['daytona', 'e2b', 'blaxel', 'aws-agentcore'].includes(entry.slug)) {
            assert.deepEqual(entry.parts.filter(({ part }) => part === 'credit'), [], entry.slug);
        }
    }
});

const refused = [
    ['hours=-1', 'hours', '0'], ['hours=745', 'hours', '744'], ['hours=1e3', 'hours'], ['hours=abc', 'hours', null], ['hours=1.23456', 'hours'],
    ['hours=NaN', 'hours', null], ['hours=0x10', 'hours', null], ['sandboxes=0', 'sandboxes', '1'], ['sandboxes=1.5', 'sandboxes'],
    ['sandboxes=99999999999999999999999', 'sandboxes', '100000'], ['active=1.01', 'active', '1'], ['active=-0.1', 'active', '0'],
    ['active=0.7&paused=0.4', 'paused', '0.3'], ['vcpu=0', 'vcpu', '0.1'], ['vcpu=513', 'vcpu', '512'], ['memory_gib=-4', 'memory_gib', '0.1'],
    ['storage_gib=1000000', 'storage_gib', '16384'], ['gpu=h10', 'gpu', 'a10'], ['gpu=abacus', 'gpu', null], ['gpu_hours=1', 'gpu_hours', '0'],
    ['gpu=h100&hours=10&gpu_hours=11', 'gpu_hours', '10'], ['sandboxes=5&runs=4', 'runs', '5'], ['vcpus=2', 'vcpus', 'vcpu'], ['nothing=1', 'nothing', null],
    ['hours=1&hours=2', 'hours', null], ['format=xml', 'format', null],
];
for (const [query, parameter, nearest] of refused) {
    test(`${query} is refused by name`, async () => {
        for (const address of ['/cost', '/pricing/']) {
            const response = await fetch(`${server.origin}${address}?${query}`, { headers: { accept: 'application/json' } });
            assert.equal(response.status, 400);
            const problem = await response.json();
            assert.equal(problem.parameter, parameter);
            assert.ok(Array.isArray(problem.allowed) && problem.detail.length > 10);
            if (nearest !== undefined) {
                assert.equal(problem.nearest, nearest);
            }
        }
    });
}

test('JSON by default, HTML where it is named, CSV by format', async () => {
    const type = async (address, headers = {}) => (await fetch(server.origin + address, { headers })).headers.get('content-type').split(';')[0];
    assert.equal(await type('/cost', { accept: '*/*' }), 'application/json');
    assert.equal(await type('/cost', { accept: 'text/html' }), 'text/html');
    assert.equal(await type('/cost?format=csv'), 'text/csv');
    assert.equal(await type('/pricing/', { accept: '*/*' }), 'text/html');
    const rows = (await (await fetch(`${server.origin}/cost?format=csv`)).text()).trimEnd().split('\r\n');
    assert.equal(rows.length - 1, everyQuote(await ask()).length);
    assert.match(rows[0], /^outcome,provider,provider_name,offering,total_usd,at_least,plan,cpu_usd/);
});

test('empty fields of a form ask for the defaults', async () => {
    const { question } = await ask({ sandboxes: '', hours: '', gpu: '', gpu_hours: '' });
    assert.deepEqual(question, (await ask()).question);
});
