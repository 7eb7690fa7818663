// dump: one catalogue, one text; what is dumped and built again is the same catalogue.
import assert from 'node:assert/strict';
import { cpSync, readFileSync, writeFileSync, appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { TOP, catalogue, expect, path, program, random, sql } from './tools.mjs';

const seed = readFileSync(join(TOP, 'sql/seed.sql'), 'utf8');
const tables = [...readFileSync(join(TOP, 'sql/schema.sql'), 'utf8').matchAll(/^CREATE TABLE (\w+)/gm)].map((match) => match[1]);
const content = (file) => tables.map((table) => sql(file, `SELECT * FROM ${table};`).map((row) => JSON.stringify(row)).sort());

test('the built-in catalogue gives sql/seed.sql back, byte for byte', () => {
    const run = program('dump');
    assert.deepEqual([run.status, run.stderr], [0, '']);
    assert.equal(run.stdout === seed, true);
});

test('a file is written whole', () => {
    const out = path('.sql');
    expect(0, 'dump', '--db', catalogue(), '--out', out);
    assert.equal(readFileSync(out, 'utf8') === seed, true);
});

test('--inline needs no prose files, and loses nothing', () => {
    const out = path('.sql');
    const db = path();
    expect(0, 'dump', '--inline', '--out', out);
    assert.doesNotMatch(readFileSync(out, 'utf8'), /readfile\(/);
    expect(0, 'build', '--seed', out, '--folder', '/nowhere', '--out', db);
    assert.deepEqual(content(db), content(catalogue()));
});

test('a prose file that says something else is not referred to', () => {
    const folder = path('');
    cpSync(join(TOP, 'sql'), join(folder, 'sql'), { recursive: true });
    appendFileSync(join(folder, 'sql/prose/glossary/gvisor.md'), 'One more.\n');
    const run = program('dump', '--folder', folder);
    assert.equal(run.status, 0);
    assert.match(run.stderr, /sql\/prose\/glossary\/gvisor\.md says something else/);
    assert.equal(run.stdout.match(/readfile\(/g).length, seed.match(/readfile\(/g).length - 1);
    assert.match(program('dump', '--folder', '/nowhere').stderr, /is not there/);
});

const pick = (next, list) => list[Math.floor(next() * list.length)];
const texts = ["it's", '', 'é 😀 \u2028', 'a\nb\n', '\\n and \\n1; \n', "''", 'x'.repeat(5000), '%s -- ; /* */', "');DROP TABLE fact;--", '\t'];
const reals = [0, 0.1, 1e-7, 1234567.25, 1e15, 0.30000000000000004, 3, 1e21];
const quote = (text) => `CAST(x'${Buffer.from(text).toString('hex')}' AS TEXT)`;

function edit(next) {
    const one = (table, key, column) => `${key} = (SELECT ${key} FROM ${table} ORDER BY ${key} LIMIT 1 OFFSET ${Math.floor(next() * 20)})`;
    return pick(next, [
        () => `UPDATE provider SET summary = ${quote(pick(next, texts))} WHERE ${one('provider', 'slug')};`,
        () => `UPDATE guide SET body = ${quote(pick(next, texts) + pick(next, texts))} WHERE ${one('guide', 'position')};`,
        () => `UPDATE glossary_term SET description = ${quote(pick(next, texts))} WHERE ${one('glossary_term', 'slug')};`,
        () => `UPDATE criterion SET weight = ${pick(next, reals.slice(1))} WHERE use_case = 'overall' AND position = ${1 + Math.floor(next() * 9)};`,
        () => `UPDATE measurement SET median_ms = ${pick(next, [...reals, 'NULL'])}, p99_ms = ${pick(next, reals)} WHERE ${one('measurement', 'day')};`,
        () => `DELETE FROM fact WHERE rowid = ${1 + Math.floor(next() * 2000)};`,
        () => `UPDATE fact SET valid_to = '2027-01-01' WHERE rowid = ${1 + Math.floor(next() * 2000)};`,
        () => `UPDATE fact SET detail = ${quote(pick(next, texts))}, note = NULL WHERE rowid = ${1 + Math.floor(next() * 2000)};`,
        () => `DELETE FROM pair WHERE position = ${1 + Math.floor(next() * 27)};`,
        () => `UPDATE source SET quote = ${quote(pick(next, texts))} WHERE ${one('source', 'id')};`,
        () => `INSERT OR REPLACE INTO setting VALUES (${quote(pick(next, texts))}, ${quote(pick(next, texts))});`,
    ])();
}

test('random edits: dump, build and dump give the same text and the same rows', () => {
    for (let round = 1; round <= 12; round++) {
        const next = random(round);
        const edits = Array.from({ length: 25 }, () => edit(next)).join('\n');
        const db = catalogue(edits);
        const once = path('.sql');
        expect(0, 'dump', '--db', db, '--out', once);
        const again = path();
        sql(again, `${readFileSync(join(TOP, 'sql/schema.sql'), 'utf8')}\n.cd ${TOP}\n${readFileSync(once, 'utf8')}`);
        assert.deepEqual(content(again), content(db), `round ${round}\n${edits}`);
        assert.equal(expect(0, 'dump', '--db', again) === readFileSync(once, 'utf8'), true, `round ${round}`);
    }
});

test('what is no catalogue is refused', () => {
    const file = path();
    writeFileSync(file, 'no database');
    for (const db of [file, '/nowhere.db']) {
        const run = program('dump', '--db', db);
        assert.deepEqual([run.status, run.stdout], [1, '']);
        assert.match(run.stderr, /^agent-sandboxes: .*\n$/);
    }
});
