// import: what is exported comes back without loss, and what is wrong is refused whole.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { startServer } from '../http/harness.mjs';
import { answer, catalogue, expect, path, program, sql } from './tools.mjs';

const today = new Date().toISOString().slice(0, 10);
// Every provider and what hangs on it, but not the questions, and not what prose cites.
const cleared = ['PRAGMA foreign_keys = OFF;', ...['fact', 'claim', 'conflict', 'event', 'review', 'measurement', 'rate', 'rate_size', 'billing_rule', 'billing_plan', 'pair', 'offering', 'provider', 'glossary_fact', 'guide_fact']
    .map((table) => `DELETE FROM ${table};`), "UPDATE guide SET body = 'x'; UPDATE glossary_term SET body = 'x'; DELETE FROM source;"].join('\n');

async function ask(db, ...targets) {
    const server = await startServer({ args: ['--db', db] });
    try {
        const bodies = [];
        for (const target of targets) bodies.push(await (await fetch(`${server.origin}${target}`)).text());
        return bodies;
    } finally {
        await server.stop();
    }
}

const file = (text, ending) => {
    const name = path(ending);
    writeFileSync(name, typeof text === 'string' ? text : JSON.stringify(text));
    return name;
};

const db = catalogue();
const [exported, one, csv] = await ask(db, '/data/providers.json', '/data/providers/e2b.json', '/data/measurements.csv');
const whole = file(exported, '.json');

test('an export changes nothing in the catalogue that it came from', () => {
    const before = readFileSync(db);
    assert.equal(expect(0, 'import', 'providers', '--db', db, whole), 'nothing changed\n');
    assert.equal(expect(0, 'import', 'measurements', '--db', db, file(csv, '.csv')), 'nothing changed\n');
    assert.equal(expect(0, 'diff', 'built-in', db), 'nothing changed\n');
    assert.equal(readFileSync(db).equals(before), true);
});

test('an export fills an empty catalogue, and is the same when exported again', async () => {
    const empty = catalogue(cleared);
    const dry = answer(0, 'import', 'providers', '--db', empty, whole, '--dry-run');
    assert.equal(sql(empty, 'SELECT count(*) AS n FROM provider;')[0].n, 0);
    assert.deepEqual(answer(0, 'import', 'providers', '--db', empty, whole), dry);
    assert.equal(dry.changes.filter((change) => change.table === 'provider').length, JSON.parse(exported).providers.length);
    expect(0, 'import', 'measurements', '--db', empty, file(csv, '.csv'));
    const [again, measurements] = await ask(empty, '/data/providers.json', '/data/measurements.csv');
    assert.equal(JSON.stringify(JSON.parse(again).providers) === JSON.stringify(JSON.parse(exported).providers), true);
    assert.equal(measurements === csv, true);
    assert.equal(JSON.parse(program('check', '--db', empty, '--json').stdout).errors, 0);
});

test('one provider: a new value makes the old one history; lists are replaced', () => {
    const changed = catalogue("UPDATE fact SET checked_on = '2026-01-02', valid_from = '2026-01-01';");
    const provider = JSON.parse(one);
    const object = provider.provider ?? provider;
    object.facts.max_vcpu.value = 9.5;
    object.facts.max_session_seconds = { ...object.facts.max_session_seconds, value: null, unlimited: true };
    object.strengths = object.strengths.slice(0, 1);
    object.events.push({ ...object.events[0], text: 'Zweitausend “Ereignisse” 😀' });
    expect(0, 'import', 'providers', '--db', changed, file(provider, '.json'));
    const rows = (attribute) => sql(changed, `SELECT value, valid_from, valid_to FROM fact WHERE provider = 'e2b' AND offering IS NULL AND attribute = '${attribute}' ORDER BY valid_from;`);
    assert.deepEqual(rows('max_vcpu').map((row) => row.value), ['8', '9.5']);
    assert.equal(rows('max_vcpu')[0].valid_to, object.facts.max_vcpu.valid_from);
    assert.equal(rows('max_session_seconds')[1].value, '"unlimited"');
    assert.equal(sql(changed, "SELECT count(*) AS n FROM claim WHERE provider = 'e2b' AND kind = 'strength';")[0].n, 1);
    assert.equal(sql(changed, "SELECT text FROM event WHERE provider = 'e2b' ORDER BY position DESC LIMIT 1;")[0].text, 'Zweitausend “Ereignisse” 😀');
});

test('measurements: any order of columns, quoted fields, a source for all, a row replaced', () => {
    const own = catalogue();
    const text = '\ufeffday,"mode",provider,success_rate,runs,p99_ms,p95_ms,median_ms,"remark, mine"\r\n'
        + `${today},burst,e2b,"0.5",10,3,2.5,2,"a ""word"",\nand a line"\r\n${today},"sequential",e2b,1,10,,,,\r\n`;
    const name = file(text, '.csv');
    expect(0, 'import', 'measurements', '--db', own, name, '--source', 'e2b-computesdk-daily');
    assert.deepEqual(sql(own, `SELECT mode, runs, median_ms, p99_ms, success_rate FROM measurement WHERE provider = 'e2b' AND day = '${today}' ORDER BY mode;`),
        [{ mode: 'burst', runs: 10, median_ms: 2, p99_ms: 3, success_rate: 0.5 }, { mode: 'sequential', runs: 10, median_ms: null, p99_ms: null, success_rate: 1 }]);
    const { changes } = answer(0, 'import', 'measurements', '--db', own, file(text.replace(',2,"a', ',1.5,"a'), '.csv'), '--source', 'e2b-computesdk-daily');
    assert.deepEqual(changes.filter((one) => one.table === 'measurement').map((change) => change.columns), [{ median_ms: [2, 1.5] }]);
});

test('what is wrong is refused in one line, and nothing is kept', () => {
    const own = catalogue();
    const before = expect(0, 'dump', '--db', own);
    const head = 'provider,mode,day,runs,median_ms,p95_ms,p99_ms,success_rate,source\n';
    const good = `e2b,burst,${today},10,1,2,3,1,e2b-computesdk-daily\n`;
    const provider = (change) => {
        const object = JSON.parse(one);
        change(object.provider ?? object);
        return object;
    };
    const wrong = [
        ['measurements', '', /names no column "provider"/],
        ['measurements', 'provider,mode\n', /names no column "day"/],
        ['measurements', `${head}${good}e2b,burst\n`, /line 3 has 2 fields, and the head 9/],
        ['measurements', `${head}${good}e2b,"burst,1\n`, /line 3 is not CSV/],
        ['measurements', `${head}${good}${good.replace('burst', 'never')}`, /line 3: .*CHECK constraint failed: mode IN/],
        ['measurements', `${head}${good.replace(today, '2026-02-31')}`, /rule day/],
        ['measurements', `${head}${good.replace(today, '9999-01-01')}`, /rule future/],
        ['measurements', `${head}${good.replace(',10,', ',many,')}`, /line 2: .*cannot store TEXT/],
        ['measurements', `${head}${good.replace('e2b,', 'nobody,')}`, /line 2: .*FOREIGN KEY/],
        ['measurements', `${head}${good.replace(',3,', ',1,')}`, /measurement-order/],
        ['providers', '[', /line 1 is not JSON/],
        ['providers', '[]', /no list "providers"/],
        ['providers', '{}', /no slug/],
        ['providers', provider((object) => { object.facts.nothing = object.facts.gpu; }), /e2b, fact nothing: .*FOREIGN KEY/],
        ['providers', provider((object) => { object.facts.gpu.checked_on = '2026-01-01'; object.facts.gpu.value = true; }), /the catalogue later/],
        ['providers', provider((object) => { object.facts.gpu = 7; }), /state, checked_on or valid_from is missing/],
        ['providers', provider((object) => { object.facts.gpu.value = 'x'; }), /rule value-type/],
        ['providers', provider((object) => { delete object.facts.gpu.value; }), /e2b, fact gpu: value is missing/],
        ['providers', provider((object) => { object.facts.isolation.value = ['magic']; }), /rule vocabulary/],
        ['providers', provider((object) => { object.strengths[0].facts = 'isolation'; }), /CHECK constraint failed|rule json/],
        ['providers', provider((object) => { object.homepage = 'http://10.0.0.1/'; }), /rule address/],
        ['providers', provider((object) => { object.kind = null; }), /NOT NULL/],
    ];
    for (const [kind, content, words] of wrong) {
        const run = program('import', kind, '--db', own, file(content, '.txt'));
        assert.deepEqual([run.status, run.stdout], [1, ''], `${words}`);
        assert.match(run.stderr, words);
        assert.equal(run.stderr.split('\n').length, 2, run.stderr);
    }
    assert.equal(expect(0, 'dump', '--db', own) === before, true);
    for (const args of [['import'], ['import', 'x'], ['import', 'providers', '--db', own], ['import', 'providers', 'x'], ['import', 'providers', '--source', 'x', '--db', own, 'x']]) assert.equal(program(...args).status, 2, args.join(' '));
    assert.equal(program('import', 'providers', '--db', own, '/nowhere').status, 1);
    assert.equal(program('import', 'providers', '--db', own, '/tmp').status, 1);
});
