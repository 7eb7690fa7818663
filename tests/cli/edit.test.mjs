// set, unset, review, add, diff, history, stale: one transaction each, with history, held to the rules.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { PROGRAM, TOP, answer, catalogue, expect, path, program, sql } from './tools.mjs';

const today = new Date().toISOString().slice(0, 10);
const day = (offset) => new Date(Date.now() + offset * 86400e3).toISOString().slice(0, 10);
const facts = (db, attribute, offering = 'IS NULL') =>
    sql(db, `SELECT state, value, detail, source, basis, checked_on, valid_from, valid_to FROM fact WHERE provider = 'e2b' AND offering ${offering} AND attribute = '${attribute}' ORDER BY valid_from;`);
const aged = (days = 40) => catalogue(`UPDATE fact SET checked_on = '${day(-days)}', valid_from = '${day(-days)}';`);
const someSource = (db) => sql(db, "SELECT id FROM source WHERE id LIKE 'e2b%' LIMIT 1;")[0].id;

/** The command must be refused, and the file stay as it was. */
function refused(db, words, ...args) {
    const before = readFileSync(db);
    const run = program(...args);
    assert.equal(run.status, 1, run.stdout + run.stderr);
    assert.match(run.stderr, words);
    assert.equal(run.stdout, '');
    assert.deepEqual(readFileSync(db), before);
}

test('set keeps the value before as history; a second change that day replaces', () => {
    const db = aged();
    const source = someSource(db);
    const [before] = facts(db, 'max_session_seconds');
    const { changes } = answer(0, 'set', '--db', db, 'e2b', 'max_session_seconds', '36h', '--source', source, '--basis', 'vendor-stated', '--detail', 'It\'s new');
    const change = changes.find((one) => one.row === 'fact e2b max_session_seconds');
    assert.deepEqual(change.columns.value, [before.value, '129600']);
    expect(0, 'set', '--db', db, 'e2b', 'max_session_seconds', 'unlimited', '--source', source);
    assert.deepEqual(facts(db, 'max_session_seconds'), [
        { ...before, valid_to: today },
        { state: 'documented', value: '"unlimited"', detail: null, source, basis: 'vendor-stated', checked_on: today, valid_from: today, valid_to: null },
    ]);
    const rows = answer(0, 'history', 'e2b', 'max_session_seconds', '--db', db);
    assert.deepEqual(rows.map((row) => [row.valid_from, row.valid_to]), [[day(-40), today], [today, null]]);
    assert.match(expect(0, 'history', 'e2b', 'max_session_seconds', '--db', db), /to now +max_session_seconds  "unlimited"/);
    assert.equal(JSON.parse(program('check', '--db', db, '--json').stdout).errors, 0);
});

test('set of the same value moves its receipt and makes no history', () => {
    const db = aged();
    const [{ value, source, basis }] = facts(db, 'fork');
    expect(0, 'set', '--db', db, 'e2b', 'fork', value === 'true' ? 'yes' : 'no', '--source', source, '--detail', 'again');
    assert.deepEqual(facts(db, 'fork'), [{ state: 'documented', value, detail: 'again', source, basis, checked_on: today, valid_from: day(-40), valid_to: null }]);
});

test('every type is typed as people do', () => {
    const db = aged();
    const source = someSource(db);
    const put = (attribute, value) => expect(0, 'set', '--db', db, 'e2b', attribute, value, '--source', source, '--basis', 'repo');
    const now = (attribute) => facts(db, attribute).at(-1).value;
    const wanted = {
        price_vcpu_hour_usd: ['0.05040', '0.0504'], max_vcpu: ['64', '64'], egress_control: ['none', '"none"'], isolation: ['microvm, gvisor', '["microvm","gvisor"]'],
        gpu: ['yes', 'true'], gpu_types: ['T4,RTX "6000"', '["T4","RTX \\"6000\\""]'], price_gpu_hour_usd: ['T4=0.5, RTX "6000"=3', '{"T4":0.5,"RTX \\"6000\\"":3}'], compliance: ['none', '[]'],
        licence: ['MIT', '"MIT"'], default_timeout_seconds: ['5m', '300'],
    };
    for (const [attribute, [typed, stored]] of Object.entries(wanted)) {
        put(attribute, typed);
        assert.equal(now(attribute), stored);
    }
});

test('what breaks a rule or is no value is refused, and nothing changes', () => {
    const db = aged();
    const source = someSource(db);
    const set = (...args) => ['set', '--db', db, ...args, '--source', source, '--basis', 'repo'];
    refused(db, /no value of type bool/, ...set('e2b', 'fork', 'maybe'));
    refused(db, /vocabulary.*magic/, ...set('e2b', 'isolation', 'magic'));
    refused(db, /gpu-prices/, ...set('modal', 'price_gpu_hour_usd', 'X9=1'));
    refused(db, /no attribute "nothing"/, ...set('e2b', 'nothing', '1'));
    refused(db, /FOREIGN KEY/, ...set('nobody', 'fork', 'yes'));
    refused(db, /FOREIGN KEY/, 'set', '--db', db, 'e2b', 'fork', 'no', '--source', 'nothing', '--basis', 'repo');
    refused(db, /needs --basis/, 'set', '--db', db, 'e2b', 'fork', 'no', '--source', sql(db, "SELECT id FROM source WHERE id LIKE 'modal%' LIMIT 1;")[0].id);
    refused(db, /future/, ...set('e2b', 'fork', 'no', '--on', '9999-01-01'));
    refused(db, /is before that/, ...set('e2b', 'fork', 'no', '--on', '2001-01-01'));
    refused(db, /value-range.*below zero/, 'set', '--db', db, '--source', source, '--basis', 'repo', '--', 'e2b', 'max_vcpu', '-3');
});

test('set with the same value keeps detail and note, and takes them away when told', () => {
    const db = aged();
    const source = someSource(db);
    const now = () => sql(db, "SELECT value, detail, note, valid_from FROM fact WHERE provider = 'e2b' AND offering IS NULL AND attribute = 'max_vcpu' AND valid_to IS NULL;")[0];
    const before = now();
    assert.ok(before.detail !== null);
    expect(0, 'set', '--db', db, 'e2b', 'max_vcpu', before.value, '--source', source, '--basis', 'repo', '--note', 'Äß “😀”');
    assert.deepEqual(now(), { ...before, note: 'Äß “😀”' });
    expect(0, 'set', '--db', db, 'e2b', 'max_vcpu', before.value, '--source', source, '--detail', '');
    assert.deepEqual(now(), { ...before, detail: null, note: 'Äß “😀”' });
});

test('a locked file, one that may not be written, and what is no catalogue are refused in one line', async (t) => {
    const db = aged();
    const source = someSource(db);
    const set = (file) => ['set', '--db', file, 'e2b', 'fork', 'no', '--source', source, '--basis', 'repo'];
    const holder = spawn('sqlite3', [db], { stdio: ['pipe', 'pipe', 'inherit'] });
    holder.stdin.write("BEGIN IMMEDIATE;\nSELECT 'held';\n");
    await once(holder.stdout, 'data');
    refused(db, /locked/, ...set(db));
    holder.stdin.end('ROLLBACK;\n');
    await once(holder, 'close');
    expect(0, ...set(db));
    const other = path();
    writeFileSync(other, 'x'.repeat(5000));
    for (const [file, words] of [[other, /not a database/], ['/nowhere/x.db', /unable to open/], ['/tmp', /unable to open|directory/]]) {
        const run = program(...set(file));
        assert.deepEqual([run.status, run.stdout], [1, '']);
        assert.match(run.stderr, words);
        assert.equal(run.stderr.split('\n').length, 2);
    }
    if (process.getuid() !== 0) return t.diagnostic('SKIPPED: another user needs root');
    chmodSync(db, 0o444);
    const run = spawnSync(PROGRAM, set(db).map((word) => (word === 'no' ? 'yes' : word)), { uid: 65534, gid: 65534, encoding: 'utf8' });
    assert.deepEqual([run.status, run.stdout], [1, ''], run.stderr);
    assert.match(run.stderr, /^[^\n]*(readonly|unable to open|permission)[^\n]*\n$/i);
});

test('a command that is killed leaves the file as before or as after', async () => {
    const db = aged();
    const source = someSource(db);
    const states = new Set([expect(0, 'dump', '--db', db)]);
    for (let round = 0; round < 8; round++) {
        const value = round % 2 === 0 ? 'no' : 'yes';
        const child = spawn(PROGRAM, ['set', '--db', db, 'e2b', 'fork', value, '--source', source, '--basis', 'repo', '--detail', `Round ${round}`]);
        setTimeout(() => child.kill('SIGKILL'), 20 + 40 * round);
        await once(child, 'close');
        const [{ detail, n }] = sql(db, "SELECT max(iif(attribute = 'fork' AND valid_to IS NULL, detail, NULL)) AS detail, count(*) AS n FROM fact WHERE provider = 'e2b' AND offering IS NULL AND valid_to IS NULL;");
        assert.equal(n, 49);
        assert.equal(sql(db, 'PRAGMA integrity_check;')[0].integrity_check, 'ok');
        states.add(detail);
        expect(0, 'dump', '--db', db);
    }
    expect(0, 'set', '--db', db, 'e2b', 'fork', 'no', '--source', source, '--basis', 'repo');
});

test('--dry-run shows the diff and writes nothing', () => {
    const db = aged();
    const before = readFileSync(db);
    assert.match(expect(0, 'unset', '--db', db, 'e2b', 'isolation', '--dry-run'), /^fact e2b isolation changed\n/m);
    assert.deepEqual(readFileSync(db), before);
});

test('unset leaves not documented, or what the provider says', () => {
    const db = aged();
    expect(0, 'unset', '--db', db, 'e2b', 'github_stars', '--note', 'gone');
    assert.deepEqual(facts(db, 'github_stars').map((row) => [row.state, row.valid_to]), [['documented', today], ['not_documented', null]]);
    const [{ offering }] = sql(db, "SELECT offering FROM fact WHERE provider = 'modal' AND attribute = 'gpu' AND offering IS NOT NULL LIMIT 1;");
    const run = program('unset', '--db', db, `modal/${offering}`, 'gpu', '--inherit');
    // Either it holds, or a rule says why not.
    assert.ok(run.status === 0 ? !/"current"/.test(run.stdout) : /breaks the rule/.test(run.stderr), run.stderr);
    assert.equal(program('unset', '--db', db, 'e2b', 'gpu', '--inherit').status, 2);
});

test('search follows a change', () => {
    const db = aged();
    expect(0, 'set', '--db', db, 'e2b', 'licence', 'Xyzzy-1.0', '--source', someSource(db), '--basis', 'repo');
    assert.deepEqual(sql(db, "SELECT slug FROM search WHERE search MATCH 'xyzzy';"), [{ slug: 'e2b' }]);
});

test('review moves the day of checking and writes a review', () => {
    const db = aged();
    expect(0, 'review', '--db', db, 'e2b', '--note', 'by hand');
    assert.deepEqual(sql(db, "SELECT DISTINCT checked_on FROM fact WHERE provider = 'e2b' AND valid_to IS NULL;"), [{ checked_on: today }]);
    assert.deepEqual(sql(db, `SELECT note FROM review WHERE provider = 'e2b' AND reviewed_on = '${today}' AND scope = 'all facts';`), [{ note: 'by hand' }]);
    assert.deepEqual(sql(db, "SELECT DISTINCT checked_on FROM fact WHERE provider = 'modal' AND valid_to IS NULL;"), [{ checked_on: day(-40) }]);
    expect(0, 'review', '--db', db, 'modal', 'gpu');
    assert.equal(sql(db, `SELECT count(DISTINCT attribute) AS n FROM fact WHERE provider = 'modal' AND checked_on = '${today}';`)[0].n, 1);
    refused(db, /no fact of nobody/, 'review', '--db', db, 'nobody');
});

test('add: source with its fingerprint, provider, offering, measurement', () => {
    const db = catalogue();
    const passage = 'One  page, two words: 24 Hours!';
    expect(0, 'add', 'source', '--db', db, 'zz-docs', '--url', 'https://example.com/docs', '--title', 'Docs', '--publisher', 'Zz', '--kind', 'docs', '--accessed-on', today, '--passage', passage);
    const [source] = sql(db, "SELECT quote_words, quote_sha256, quote FROM source WHERE id = 'zz-docs';");
    assert.deepEqual(source, { quote_words: 6, quote_sha256: createHash('sha256').update('one page two words 24 hours').digest('hex'), quote: null });
    expect(0, 'add', 'provider', '--db', db, 'zz', '--name', 'Zz', '--vendor', 'Zz', '--kind', 'hosted', '--status', 'active', '--homepage', 'https://example.com/', '--summary', 'Made up.');
    expect(0, 'add', 'offering', '--db', db, 'zz', 'small', '--name', 'Small', '--default', '1');
    expect(0, 'add', 'measurement', '--db', db, 'zz', 'burst', today, '--runs', '10', '--median-ms', '5.5', '--success-rate', '1', '--source', 'zz-docs');
    expect(0, 'set', '--db', db, 'zz/small', 'gpu', 'no', '--source', 'zz-docs', '--basis', 'vendor-stated');
    assert.equal(JSON.parse(program('check', '--db', db, '--json').stdout).errors, 0);
    const words = expect(0, 'diff', 'built-in', db, '--markdown');
    for (const row of ['provider zz', 'source zz-docs', 'fact zz/small gpu', `measurement zz burst ${today}`]) assert.ok(words.includes(`- **${row}** added`), row);
    assert.equal(answer(0, 'diff', db, 'built-in').changes.filter((one) => one.change === 'removed' && one.table === 'provider').length, 1);
    refused(db, /address/, 'add', 'source', '--db', db, 'zz-2', '--url', 'http://10.0.0.1/', '--title', 'T', '--publisher', 'Zz', '--kind', 'docs', '--accessed-on', today);
    refused(db, /UNIQUE|PRIMARY/, 'add', 'provider', '--db', db, 'zz', '--name', 'Zz2', '--vendor', 'Zz', '--kind', 'hosted', '--status', 'active', '--homepage', 'https://example.com/', '--summary', 'x');
    refused(db, /CHECK/, 'add', 'measurement', '--db', db, 'zz', 'never', today, '--runs', '1', '--success-rate', '1', '--source', 'zz-docs');
});

test('diff of a catalogue with itself is empty, also as text', () => {
    const file = path('.sql');
    expect(0, 'dump', '--out', file);
    assert.equal(expect(0, 'diff', file, 'built-in'), 'nothing changed\n');
    assert.deepEqual(answer(0, 'diff', file, catalogue()), { changes: [] });
});

test('stale: by volatility, latest first, and as a calendar', () => {
    const db = aged(40);
    const late = answer(3, 'stale', '--db', db);
    assert.deepEqual([...new Set(late.map((row) => row.volatility))].sort(), ['adoption', 'price']);
    assert.ok(late.every((row) => row.overdue_days === 10 && row.review_by === day(-10)));
    const soon = answer(3, 'stale', '--db', db, '--days', '20');
    assert.ok(soon.some((row) => row.volatility === 'limits' && row.overdue_days === -20));
    assert.ok(!soon.some((row) => row.volatility === 'speed'));
    assert.equal(expect(0, 'stale', '--db', aged(30)), '0 past review, 0 due\n'); // the review-by day itself is not late
    const calendar = expect(3, 'stale', '--db', db, '--ics', '--days', '0');
    assert.match(calendar, /^BEGIN:VCALENDAR\r\n/);
    assert.equal(calendar.match(/BEGIN:VEVENT\r\n/g).length, new Set(late.map((row) => row.provider)).size);
    assert.ok(calendar.split('\r\n').every((line) => Buffer.byteLength(line) <= 75));
    const unfolded = calendar.replaceAll('\r\n ', '');
    assert.ok(late.every((row) => unfolded.includes(row.fact)));
    assert.ok(calendar.includes(`DTSTART;VALUE=DATE:${day(-10).replaceAll('-', '')}\r\n`));
    assert.ok(expect(3, 'stale', '--db', db, '--ics').length > calendar.length);
});

test('stale: what every table shows comes first, and by a log what is read most', () => {
    const db = aged(40);
    const headline = answer(3, 'stale', '--db', db).map((row) => row.headline);
    assert.deepEqual(headline, [...headline].sort((a, b) => b - a));
    const log = path('.log');
    writeFileSync(log, 'GET /sandboxes/modal/ 200\nGET /compare/e2b-vs-modal/ 200\n{"path":"/data/providers/modal.json"}\nGET /sandboxes/e2b/ 200\nGET /modality 200\n');
    const rows = answer(3, 'stale', '--db', db, '--log', log);
    assert.deepEqual([...new Set(rows.map((row) => row.provider))].slice(0, 2), ['modal', 'e2b']);
    assert.deepEqual([rows[0].reads, rows.find((row) => row.provider === 'e2b').reads, rows.at(-1).reads], [3, 2, 0]);
    assert.equal(program('stale', '--log', '/nowhere').status, 1);
});

test('writing needs --db, and wrong command lines are told apart', () => {
    const wrong = [['set', 'e2b', 'fork', 'yes', '--source', 's'], ['unset', 'e2b', 'fork'], ['review', 'e2b'], ['add'], ['add', 'nothing'], ['add', 'source', 'x', '--db', 'x'],
        ['set', '--db', 'x', 'e2b', 'fork'], ['set', '--db', 'x', 'e2b', 'fork', 'yes'], ['diff', 'x'], ['history'], ['stale', '--days', 'x'], ['stale', '--on', 'x'], ['review', 'e2b', '--db', 'x', '--on', 'x'], ['unset', 'e2b', 'fork', '--db', 'x', '--on', '2026-02-30'], ['stale', '--ics', '--json'], ['history', 'a', 'b', 'c']];
    for (const args of wrong) {
        const run = program(...args);
        assert.deepEqual([run.status, run.stdout], [2, ''], args.join(' '));
    }
    assert.equal(program('history', 'nobody').status, 1);
    assert.equal(program('review', '--db', '/nowhere.db', 'e2b').status, 1);
});

test('the published rate of a price that changed goes with the price, so that no cost is computed from it', () => {
    const db = catalogue();
    const rates = () => sql(db, "SELECT resource FROM rate WHERE provider = 'modal'");
    assert.equal(rates().length, 1);
    const source = sql(db, "SELECT source FROM fact WHERE provider = 'modal' AND attribute = 'price_vcpu_hour_usd' AND valid_to IS NULL")[0].source;
    const said = expect(0, 'set', '--db', db, 'modal', 'price_vcpu_hour_usd', '0.05', '--source', source, '--basis', 'vendor-stated');
    assert.match(said, /rate modal vcpu removed/);
    assert.deepEqual(rates(), []);
    assert.equal(answer(0, 'check', '--db', db).findings.filter(({ rule }) => rule === 'rate-agrees').length, 0);
});

test('what cannot be printed is no success', () => {
    const db = catalogue();
    for (const args of [['check'], ['check', '--json'], ['check', '--rules'], ['check', '--help'], ['stale', '--db', db], ['stale', '--ics'], ['history', 'e2b', 'gpu'], ['diff', 'sql/seed.sql', db], ['dump'], ['--help'], ['--version'], ['review', '--dry-run', '--db', db, 'e2b']]) {
        const run = spawnSync('sh', ['-c', 'exec "$0" "$@" >/dev/full', PROGRAM, ...args], { cwd: TOP, encoding: 'utf8' });
        assert.equal(run.status, 1, args.join(' '));
        assert.match(run.stderr, /^agent-sandboxes: cannot write/m, args.join(' '));
    }
});

test('a seed that is empty, cut off, binary or a folder is refused, with words for a terminal', () => {
    const file = (content) => {
        const name = path('.sql');
        writeFileSync(name, content);
        return name;
    };
    const text = readFileSync(join(TOP, 'sql/seed.sql'), 'utf8');
    for (const [name, words] of [
        [file(''), /is no seed: it inserts nothing/],
        [file('-- nothing\n'), /is no seed: it inserts nothing/],
        [file(text.slice(0, text.indexOf('\n', 200000) + 1)), /it is cut off, for nothing ends its transaction/],
        [file('INSERT \u001b[2J\u0007'), /the seed does not load: .*INSERT \?\[2J\?$/m],
        [join(TOP, 'sql'), /cannot read .*: Is a directory/],
    ]) {
        for (const args of [['check', '--seed', name], ['build', '--seed', name, '--out', path()]]) {
            const run = program(...args);
            assert.equal(run.status, 1, `${name}: ${run.stdout}`);
            assert.match(run.stderr, words);
        }
    }
});
