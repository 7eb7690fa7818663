// The catalogue as it was known on a day: what commands changed is undone, what was changed by hand is judged by its dates.
import assert from 'node:assert/strict';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { catalogue, expect, path, program, random, sql } from './tools.mjs';

const day = (offset) => new Date(Date.now() + offset * 86400e3).toISOString().slice(0, 10);
const OLD = day(-40);
const today = day(0);

/** A catalogue of 40 days ago: nothing in it is younger. */
const aged = () => catalogue(`
    UPDATE source SET copy_date = NULL, accessed_on = '${OLD}', verified_on = NULL;
    UPDATE fact SET checked_on = '${OLD}', valid_from = '${OLD}';
    UPDATE claim SET reviewed_on = '${OLD}'; UPDATE review SET reviewed_on = '${OLD}';
    UPDATE glossary_term SET reviewed_on = '${OLD}'; UPDATE guide SET reviewed_on = '${OLD}';
    UPDATE rate SET checked_on = '${OLD}'; UPDATE rate_size SET checked_on = '${OLD}';
    UPDATE billing_rule SET checked_on = '${OLD}'; UPDATE billing_plan SET checked_on = '${OLD}';
    UPDATE setting SET value = '${OLD}' WHERE key = 'catalogue_date';`);
const dump = (db, ...more) => expect(0, 'dump', '--db', db, ...more);
const dumpOf = (db, on) => dump(db, '--as-of', on);

/** What build makes of a catalogue's text. */
function rebuilt(db) {
    const seed = path('.sql');
    const out = path();
    writeFileSync(seed, dump(db, '--inline'));
    expect(0, 'build', '--seed', seed, '--out', out);
    return out;
}

test('every command is undone, to the byte, in the file itself and in one built from its text', () => {
    const db = aged();
    const before = dump(db);
    const source = sql(db, "SELECT id FROM source WHERE id LIKE 'e2b%' LIMIT 1;")[0].id;
    const change = (...args) => expect(0, args[0], ...args.slice(1, args[0] === 'add' ? 2 : 1), '--db', db, ...args.slice(args[0] === 'add' ? 2 : 1));
    change('set', 'e2b', 'max_session_seconds', '36h', '--source', source, '--basis', 'vendor-stated', '--on', day(-20));
    change('set', 'e2b', 'fork', 'yes', '--source', source, '--basis', 'repo', '--detail', 'Checked again.', '--on', day(-20));
    change('unset', 'modal', 'gpu', '--on', day(-19));
    change('review', 'e2b', '--on', day(-10));
    const middle = dump(db);
    change('add', 'source', 'zz-docs', '--url', 'https://example.com/docs', '--title', 'Docs', '--publisher', 'Zz', '--kind', 'docs', '--accessed-on', today);
    change('add', 'provider', 'zz', '--name', 'Zz', '--vendor', 'Zz', '--kind', 'hosted', '--status', 'active', '--homepage', 'https://example.com/', '--summary', 'Made up.');
    change('add', 'offering', 'zz', 'small', '--name', 'Small', '--default', '1');
    change('add', 'measurement', 'zz', 'burst', day(-30), '--runs', '10', '--median-ms', '5.5', '--success-rate', '1', '--source', 'zz-docs');
    change('set', 'zz/small', 'gpu', 'no', '--source', 'zz-docs', '--basis', 'vendor-stated');
    change('set', 'e2b', 'max_session_seconds', 'unlimited', '--source', source);
    assert.equal(JSON.parse(program('check', '--db', db, '--json').stdout).errors, 0);
    const settings = (text) => text.replace(/'catalogue_date', '.*'/, "'catalogue_date', 'X'"); // the command ran today, whatever --on says
    for (const file of [db, rebuilt(db)]) {
        assert.equal(dumpOf(file, OLD), before);
        assert.equal(dumpOf(file, day(-21)), before);
        assert.notEqual(dumpOf(file, day(-20)), before);
        assert.equal(settings(dumpOf(file, day(-10))), settings(middle));
        assert.equal(settings(dumpOf(file, day(-1))), settings(middle));
        assert.equal(dumpOf(file, today), dump(db));
    }
});

test('the image of a day has the bytes that build made then', () => {
    const db = aged();
    const old = rebuilt(db);
    expect(0, 'unset', '--db', db, 'e2b', 'fork');
    expect(0, 'review', '--db', db, 'modal');
    const seed = path('.sql');
    const out = path();
    writeFileSync(seed, dump(db, '--as-of', OLD, '--inline'));
    expect(0, 'build', '--seed', seed, '--out', out);
    assert.deepEqual(readFileSync(out), readFileSync(old));
});

test('any sequence of changes is undone', () => {
    const next = random(20261130);
    const pick = (list) => list[Math.floor(next() * list.length)];
    const db = aged();
    const providers = sql(db, 'SELECT slug FROM provider;').map((row) => row.slug);
    const attributes = sql(db, 'SELECT key FROM attribute;').map((row) => row.key);
    const states = new Map([[OLD, dump(db)]]);
    for (const on of [-30, -20, -10].map(day)) {
        for (let i = 0; i < 4; i += 1) {
            const provider = pick(providers);
            const run = next() < 0.5 ? ['unset', '--db', db, provider, pick(attributes), '--note', `n${i}`] : ['review', '--db', db, provider];
            program(...run, '--on', on); // refusals leave the file as it was
        }
        states.set(on, dump(db));
    }
    const bare = (text) => text.replace(/'catalogue_date', '.*'/, '').replace(/^INSERT INTO journal .*"catalogue_date".*\n/gm, '');
    const rows = (text) => bare(text).replace(/^INSERT INTO journal VALUES \(\d+/gm, 'INSERT INTO journal VALUES (');
    for (const [on, text] of states) assert.equal(rows(dumpOf(db, on)), rows(text), on);
    assert.equal(new Set(states.values()).size, 4);
});

test('without a journal the dates decide', () => {
    const db = aged();
    const middle = day(-20);
    sql(db, `
        UPDATE fact SET valid_to = '${middle}' WHERE provider = 'e2b' AND offering IS NULL AND attribute = 'fork';
        INSERT INTO fact SELECT provider, offering, attribute, 'not_documented', NULL, NULL, NULL, NULL, NULL, '${middle}', '${middle}', NULL FROM fact WHERE provider = 'e2b' AND offering IS NULL AND attribute = 'fork';
        UPDATE fact SET checked_on = '${today}' WHERE provider = 'e2b' AND attribute = 'isolation';
        UPDATE fact SET checked_on = '${middle}', valid_from = '${middle}' WHERE provider = 'modal';
        UPDATE review SET reviewed_on = '${middle}' WHERE provider = 'modal';
        UPDATE claim SET reviewed_on = '${today}' WHERE provider = 'e2b' AND kind = 'strength' AND position = 1;
        UPDATE source SET accessed_on = '${today}', verified_on = '${today}' WHERE id IN (SELECT source FROM fact WHERE provider = 'e2b');
        UPDATE guide SET body = 'Today''s prose may cite what was not known then.';
        UPDATE glossary_term SET body = 'The same.';
        INSERT INTO event SELECT 'e2b', 90, '${today}', 'Happened later.', id FROM source WHERE id LIKE 'e2b%' LIMIT 1;`);
    const past = path();
    const seed = path('.sql');
    writeFileSync(seed, dump(db, '--as-of', day(-21), '--inline'));
    expect(0, 'build', '--seed', seed, '--out', past);
    const one = (text) => sql(past, text)[0];
    assert.deepEqual(sql(past, "SELECT state, valid_to FROM fact WHERE provider = 'e2b' AND offering IS NULL AND attribute = 'fork';"), [{ state: 'documented', valid_to: null }]);
    assert.deepEqual(one("SELECT checked_on FROM fact WHERE provider = 'e2b' AND offering IS NULL AND attribute = 'isolation';"), { checked_on: OLD });
    for (const table of ['provider', 'offering', 'fact', 'claim', 'review', 'measurement', 'billing_rule']) {
        assert.equal(one(`SELECT count(*) AS n FROM ${table} WHERE ${table === 'provider' ? 'slug' : 'provider'} = 'modal';`).n, 0, table);
    }
    assert.equal(one("SELECT count(*) AS n FROM claim WHERE provider = 'e2b' AND kind = 'strength' AND position = 1;").n, 0);
    assert.equal(one("SELECT count(*) AS n FROM event WHERE provider = 'e2b' AND position = 90;").n, 0);
    assert.equal(one("SELECT count(*) AS n FROM pair WHERE a = 'modal' OR b = 'modal';").n, 0);
    const later = "SELECT (SELECT max(accessed_on) FROM source) AS accessed, (SELECT max(verified_on) FROM source) AS verified, (SELECT max(checked_on) FROM fact) AS checked, (SELECT value FROM setting WHERE key = 'catalogue_date') AS day;";
    assert.deepEqual(one(later), { accessed: OLD, verified: null, checked: OLD, day: OLD });
    assert.ok(one("SELECT count(*) AS n FROM provider;").n > 20);
});

test('what is no day is refused, and a journal that cannot be undone says so', () => {
    for (const wrong of ['yesterday', '2026-02-30', '']) assert.match(program('dump', '--as-of', wrong).stderr, /--as-of takes a day/);
    const db = aged();
    expect(0, 'unset', '--db', db, 'e2b', 'fork');
    const spoilt = path();
    copyFileSync(db, spoilt);
    sql(spoilt, "UPDATE journal SET before = '{\"valid_to\":7}' WHERE change = 'changed' AND table_name = 'fact';");
    const run = program('dump', '--db', spoilt, '--as-of', OLD);
    assert.equal(run.status, 1);
    assert.match(run.stderr, /cannot go back to an earlier day/);
});
