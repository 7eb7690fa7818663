// check: each rule fires on a catalogue that breaks it, names row and line, and stops a server where it is an error.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { TOP, answer, catalogue, expect, path, program, sql } from './tools.mjs';

const unchecked = 'PRAGMA ignore_check_constraints = ON; PRAGMA foreign_keys = OFF;\n';
// A file of someone else's may lack the CHECKs of schema.sql; the rules hold all the same.
const lax = "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = substr(sql, 1, instr(sql, 'CHECK ((state') - 1) || 'CHECK (1)) STRICT' WHERE name = 'fact'; PRAGMA writable_schema = RESET;\n";
const fact = (set, attribute, more = '') => `UPDATE fact SET ${set} WHERE provider = 'e2b' AND offering IS NULL AND attribute = '${attribute}' ${more};`;
const put = (attribute, value) => fact(`state = 'documented', value = '${value}', source = (SELECT source FROM fact WHERE provider = 'e2b' AND source IS NOT NULL LIMIT 1), basis = 'vendor-stated'`, attribute);
const source = (set) => `UPDATE source SET ${set} WHERE id = (SELECT source FROM fact WHERE provider = 'e2b' AND attribute = 'isolation');`;
const claim = (set) => `UPDATE claim SET ${set} WHERE provider = 'e2b' AND kind = 'strength' AND position = 1;`;
const prose = (text, more = '') => `UPDATE guide SET body = body || char(10) || char(10) || '${text}' ${more} WHERE position = 1;`;

// rule: what breaks it, and the row that is named
const fixtures = {
    'reference': ["UPDATE pair SET a = 'nobody' WHERE position = 1;", /^pair nobody /],
    'json': [fact("value = '[1'", 'isolation'), /^fact e2b isolation$/],
    'value-type': [fact("value = '\"yes\"'", 'fork'), /^fact e2b fork$/],
    'value-range': [put('max_vcpu', '-1'), /^fact e2b max_vcpu$/],
    'vocabulary': [fact("value = '[\"magic\"]'", 'isolation'), /^fact e2b isolation$/],
    'one-source': [lax + fact('source = NULL', 'isolation'), /^fact e2b isolation$/],
    'state': [lax + fact("state = 'not_documented'", 'isolation'), /^fact e2b isolation$/],
    'day': [fact("checked_on = '2026-11-31'", 'isolation'), /^fact e2b isolation$/],
    'source-dates': [source("verified_on = '2001-01-01'"), /^source /],
    'verified-passage': ["UPDATE source SET verified_on = accessed_on WHERE id = (SELECT min(id) FROM source WHERE quote_sha256 IS NULL);", /^source /],
    'exemption-reason': ["INSERT INTO source_exemption SELECT min(id), ' ', date('now') FROM source;", /^source_exemption /],
    'exemption-past': ["INSERT INTO source_exemption SELECT min(id), 'Slow.', date('now', '-1 day') FROM source;", /^source_exemption /],
    'source-failed': ["INSERT INTO source_failure SELECT source, 'gone', 'HTTP 404', date(checked_on, '+1 day') FROM fact WHERE provider = 'e2b' AND attribute = 'isolation';" + fact("checked_on = '2026-11-01', valid_from = '2026-11-01'", 'isolation') + "UPDATE source_failure SET checked_on = '2026-11-02';", /^fact e2b isolation$/],
    'fact-older': [source("copy_date = '2026-11-29'") + fact("checked_on = '2026-11-28', valid_from = '2026-11-28'", 'isolation'), /^fact e2b isolation$/],
    'fact-dates': [fact("checked_on = '2026-01-01'", 'isolation'), /^fact e2b isolation$/],
    'fact-history': ["INSERT INTO fact SELECT provider, offering, attribute, state, value, detail, note, source, basis, checked_on, '2026-01-01', '2026-12-24' FROM fact WHERE provider = 'e2b' AND offering IS NULL AND attribute = 'isolation';", /^fact e2b isolation$/],
    'future': [claim("reviewed_on = '9999-01-01'"), /^claim e2b strength 1$/],
    'catalogue-date': ["UPDATE setting SET value = 'yesterday' WHERE key = 'catalogue_date';", /^setting catalogue_date$/],
    'catalogue-future': ["UPDATE setting SET value = '9999-01-01' WHERE key = 'catalogue_date';", /^setting catalogue_date$/],
    'event-date': ["UPDATE event SET date = '2026-13' WHERE provider = 'e2b' AND position = 1;", /^event e2b 1$/],
    'gpu-types': [put('gpu', 'false') + put('gpu_types', '["H100"]'), /^fact e2b gpu_types$/],
    'gpu-prices': ["UPDATE fact SET value = '{\"X9\":1}' WHERE provider = 'modal' AND offering IS NULL AND attribute = 'price_gpu_hour_usd';", /^fact modal price_gpu_hour_usd$/],
    'gpu-listed': [put('gpu', 'true') + put('gpu_types', '[]'), /^fact e2b gpu$/],
    'default-offering': ["UPDATE offering SET is_default = 0 WHERE provider = 'modal';", /^provider modal$/],
    'offering-agrees': ["UPDATE fact SET value = 'false', state = 'documented' WHERE provider = 'modal' AND offering IS NULL AND attribute = 'gpu';", /^fact modal\/gvisor-gpu gpu$/],
    'memory-snapshot': [put('snapshots', '["memory"]') + put('pause_resume', 'false') + put('fork', 'false'), /^fact e2b snapshots$/],
    'timeout': [put('max_session_seconds', '60') + put('default_timeout_seconds', '61'), /^fact e2b default_timeout_seconds$/],
    'price-zero': [put('price_vcpu_hour_usd', '0'), /^fact e2b price_vcpu_hour_usd$/],
    'cost-number': ["UPDATE billing_plan SET fee_usd = '0.0001' WHERE provider = 'e2b' AND position = 1;", /^billing_plan e2b 1$/],
    'rate-agrees': ["UPDATE rate SET usd = '0.00003' WHERE provider = 'modal' AND resource = 'vcpu';", /^rate modal vcpu$/],
    'folder': ["UPDATE setting SET value = 'about' WHERE key = 'folder';" + "INSERT OR IGNORE INTO setting VALUES ('folder', 'about');", /^setting folder$/],
    'limits': ["UPDATE setting SET value = '[1]' WHERE key = 'measurements_limits';", /^setting measurements_limits$/],
    'plan-agrees': [put('base_plan_usd_month', '151'), /^fact e2b base_plan_usd_month$/],
    'vendor-speed': [put('cold_start_ms', '1'), /^fact e2b cold_start_ms$/],
    'measured-basis': [put('measured_tti_ms', '1'), /^fact e2b measured_tti_ms$/],
    'measured-newest': [fact("value = '1'", 'measured_tti_ms'), /^fact e2b measured_tti_ms$/],
    'measurement-order': ["UPDATE measurement SET p99_ms = 0 WHERE provider = 'e2b' AND mode = 'burst' AND day = (SELECT max(day) FROM measurement WHERE provider = 'e2b' AND mode = 'burst');", /^measurement e2b burst /],
    'unanswered': ["DELETE FROM fact WHERE provider = 'e2b' AND attribute = 'gpu';", /^provider e2b$/],
    'claim-facts': [claim("facts = '[\"nothing\"]'"), /^claim e2b strength 1$/],
    'conflict-explained': ["UPDATE conflict SET text = ' ' WHERE provider = 'e2b' AND position = 1;", /^conflict e2b 1$/],
    'claim-contradicts': [claim("facts = '[\"gpu\"]'") + put('gpu', 'false'), /^claim e2b strength 1$/],
    'claim-documented': [claim("facts = '[\"gpu\"]'") + fact("state = 'not_documented', value = NULL, source = NULL, basis = NULL", 'gpu'), /^claim e2b strength 1$/],
    'claim-stale': [claim("facts = '[\"isolation\"]'") + fact("checked_on = '2020-01-01', valid_from = '2020-01-01'", 'isolation'), /^claim e2b strength 1$/],
    'claim-older': [claim("facts = '[\"isolation\"]', reviewed_on = '2026-01-01'"), /^claim e2b strength 1$/],
    'related-terms': ["UPDATE glossary_term SET related = '[\"nothing\"]' WHERE slug = 'gvisor';", /^glossary_term gvisor$/],
    'require': ["UPDATE use_case SET require = '{\"os\":[\"beos\"]}' WHERE slug = 'overall';", /^use_case overall$/],
    'criterion-rule': ["UPDATE criterion SET rule = '{\"best_of\":{\"magic\":1}}' WHERE use_case = 'overall' AND attribute = 'isolation';", /^criterion overall isolation$/],
    'private': ["UPDATE source SET kind = 'private' WHERE id = (SELECT min(id) FROM source);", /^source /],
    'pair-twice': ['INSERT INTO pair SELECT b, a, 999 FROM pair WHERE position = 1;', /^pair /],
    'duplicate-source': ["INSERT INTO source SELECT 'zzz', url, title, publisher, kind, copy_date, accessed_on, verified_on, via, quote_words, quote_sha256, quote FROM source WHERE quote_sha256 IS NOT NULL LIMIT 1;", /^source zzz$/],
    'same-page': ["INSERT INTO source SELECT 'zzz', url, title, publisher, kind, copy_date, accessed_on, verified_on, via, NULL, NULL, quote FROM source WHERE quote_sha256 IS NULL LIMIT 1;", /^source zzz$/],
    'unused-source': ["INSERT INTO source SELECT 'zzz', 'https://example.com/zzz', title, publisher, kind, copy_date, accessed_on, verified_on, via, NULL, NULL, quote FROM source LIMIT 1;", /^source zzz$/],
    'address': [source("url = 'http://169.254.169.254/latest'"), /^source /],
    'example': ["UPDATE setting SET value = 'isolation=a b' WHERE key = 'example_question';", /^setting example_question$/],
    'control-characters': [fact('note = char(27)', 'isolation'), /^fact e2b isolation$/],
    'journal': ["INSERT INTO journal VALUES (7, '2026-11-30', 'added', 'nothing', '{}', NULL);", /^journal 7$/],
    'prose-mark': [prose('See [[nonsense]].'), /^guide what-is-an-agent-sandbox$/],
    'prose-link': [prose('See [this](javascript:alert(1)).'), /^guide what-is-an-agent-sandbox$/],
    'prose-fact': [prose('See [[e2b:nothing]].'), /^guide what-is-an-agent-sandbox$/],
    'prose-source': [prose('It is so.[^nothing]'), /^guide what-is-an-agent-sandbox$/],
    'prose-drawing': [prose('[[table isolation=magic | Nothing]]'), /^guide what-is-an-agent-sandbox$/],
    'prose-older': [prose('See [[e2b:isolation]].', ", reviewed_on = '2026-01-01'"), /^guide what-is-an-agent-sandbox$/],
};

const today = sql(catalogue(), "SELECT value FROM setting WHERE key = 'catalogue_date';")[0].value;
const rowKey = (db, table) => sql(db, `SELECT coalesce((SELECT group_concat(name, ', ') FROM pragma_table_info('${table}') WHERE pk > 0), 'rowid') AS key;`)[0].key;
const rules = JSON.parse(expect(0, 'check', '--rules', '--json'));

test('every rule has a fixture', () => {
    assert.deepEqual(Object.keys(fixtures).sort(), rules.map((rule) => rule.rule).sort());
});

for (const [rule, [changes, row]] of Object.entries(fixtures)) {
    test(`${rule} fires`, () => {
        const db = catalogue(unchecked + changes);
        const report = JSON.parse(program('check', '--db', db, '--json').stdout);
        const finding = report.findings.find((one) => one.rule === rule && row.test(one.row));
        assert.ok(finding, JSON.stringify(report.findings.filter((one) => one.severity === 'error' || one.rule === rule).slice(0, 5), null, 1));
        assert.ok(finding.message.length > 0 && finding.mend.length > 0);
        assert.ok(finding.line > 0 || rule === 'state' || rule === 'one-source', `${finding.file}: ${finding.row}`);
        for (const [severity, count] of [['error', report.errors], ['review', report.reviews], ['warning', report.warnings]])
            assert.equal(count, report.findings.filter((one) => one.severity === severity).length);
        const known = rules.find((one) => one.rule === rule);
        assert.equal(finding.severity, known.severity);
        if (known.severity === 'error') {
            const run = program('serve', '--db', db, '--listen', '127.0.0.1:0');
            assert.equal(run.status, 1);
            assert.match(run.stderr, /breaks the rule/);
        }
    });
}

test('what prose draws can be drawn', () => {
    const faults = {
        '[[table nothing=1 | Nothing]]': /no filter|nothing/,
        [`[[table q=${'a'.repeat(5000)} | Long]]`]: /longer than/,
        '[[diagram nothing | Nothing]]': /there is no such diagram/,
        [`[[diagram ${'a'.repeat(200)} | Long]]`]: /too long/,
        [`[[diagram threat-map | Once]]' || char(10) || char(10) || '[[diagram threat-map | Twice]]`]: /twice on a page/,
    };
    for (const [text, words] of Object.entries(faults)) {
        const report = JSON.parse(program('check', '--db', catalogue(prose(text)), '--json').stdout);
        const found = report.findings.filter((one) => one.severity === 'error');
        assert.deepEqual(found.map((one) => one.rule), ['prose-drawing'], text);
        assert.match(found[0].message, words);
    }
});

test('the built-in catalogue has no error', () => {
    const report = answer(0, 'check', '--on', today);
    assert.deepEqual([report.errors, report.reviews], [0, 0]);
    assert.match(expect(0, 'check', '--on', today), /^0 errors, 0 to read again, \d+ warnings?\n/m);
});

test('every reference of the schema is checked, and names row and line', () => {
    // The catalogue has no rows of these two.
    const rows = "INSERT INTO source_failure SELECT min(id), 'gone', NULL, '2026-11-30' FROM source; INSERT INTO source_exemption SELECT min(id), 'x', date('now') FROM source;\n";
    const db = catalogue(rows);
    const tables = sql(db, "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'search%' AND name NOT LIKE 'sqlite%';").map((row) => row.name);
    const references = tables.flatMap((child) => sql(db, `PRAGMA foreign_key_list(${child});`).map(({ from, table }) => ({ child, from, parent: table })))
        .filter(({ from, parent }) => parent !== 'offering' || from === 'offering');
    assert.ok(references.length > 30);
    for (const { child, from, parent } of references) {
        const key = rowKey(db, child);
        // Only facts are of an offering in each catalogue; any other row will do for the rest.
        const which = `SELECT ${key} FROM ${child} ORDER BY ${from} IS NULL LIMIT 1`;
        const changed = catalogue(`${rows}${unchecked}UPDATE ${child} SET ${from} = 'zz-missing' WHERE (${key}) = (${which});`);
        const found = JSON.parse(program('check', '--db', changed, '--json').stdout).findings.filter((one) => one.rule === 'reference');
        const [first] = found.filter((one) => one.message.startsWith(`names a missing ${parent}: `) && one.message.endsWith('zz-missing'));
        assert.ok(first?.line > 0 && first.row.startsWith(`${child} `), `${child}.${from}: ${JSON.stringify(found)}`);
    }
});

test('a seed that does not load names the line and its statement', () => {
    const text = readFileSync(join(TOP, 'sql/seed.sql'), 'utf8');
    const start = "INSERT INTO fact VALUES ('e2b', NULL, 'gpu', ";
    const line = text.slice(0, text.indexOf(start)).split('\n').length;
    for (const [from, to, words] of [["'gpu', ", "'gpx', ", /FOREIGN KEY/], ['VALUES', 'VALUE', /syntax error/], ["'gpu', ", "'gpu, ", /syntax error|unrecognized/], ["'documented'", "'perhaps'", /CHECK constraint failed: state IN/]]) {
        const seed = path('.sql');
        const at = text.indexOf(start);
        writeFileSync(seed, text.slice(0, at) + text.slice(at).replace(from, to));
        const run = program('check', '--seed', seed);
        assert.deepEqual([run.status, run.stdout], [1, '']);
        assert.match(run.stderr, words);
        assert.ok(run.stderr.includes(`, in line ${line}: INSERT INTO fact VALUE`), run.stderr);
        assert.equal(run.stderr.split('\n').length, 2);
    }
});

test('a verdict to read again is exit code 3, and --on judges by another day', () => {
    const later = program('check', '--on', '2028-01-01');
    assert.equal(later.status, 3);
    assert.match(later.stdout, /review \[claim-stale\]/);
    assert.equal(program('check', '--on', '2026-02-30').status, 2);
});

test('with --seed a finding names its line', () => {
    const lines = readFileSync(join(TOP, 'sql/seed.sql'), 'utf8').split('\n');
    const number = lines.findIndex((line) => line.startsWith("INSERT INTO fact VALUES ('e2b', NULL, 'isolation', "));
    lines[number] = lines[number].replace('["', '["magic","');
    const seed = path('.sql');
    writeFileSync(seed, lines.join('\n'));
    const [finding] = answer(1, 'check', '--seed', seed).findings.filter((one) => one.rule === 'vocabulary');
    assert.equal(finding.line, number + 1);
    assert.ok(expect(1, 'check', '--seed', seed).includes(`${seed}:${number + 1}: error [vocabulary] fact e2b isolation has the unknown value magic\n    mend: `));
});

test('addresses: public names pass, everything else does not', () => {
    const good = ['https://example.com/a?b#c', 'http://a.example.org:8080/', 'https://192-168.example.net/'];
    const bad = ['ftp://example.com/', 'https://user:pass@example.com/', 'http://localhost/', 'http://127.0.0.1/', 'http://0x7f.1/', 'http://[::1]/', 'http://printer/',
        'http://a.internal/x', 'http://10.0.0.1:80/', 'http://example.com/a b', 'http://2130706433/', 'javascript:alert(1)', 'http:///x', 'http://x.local'];
    for (const [list, count] of [[good, 0], [bad, 1]])
        for (const url of list) {
            const db = catalogue(`${unchecked}UPDATE provider SET homepage = '${url}' WHERE slug = 'e2b';`);
            const found = JSON.parse(program('check', '--db', db, '--json').stdout).findings.filter((one) => one.rule === 'address');
            assert.equal(found.length, count, url);
        }
});

test('wrong command lines', () => {
    for (const args of [['--db', 'a', '--seed', 'b'], ['--nope'], ['more'], ['--db']]) {
        const run = program('check', ...args);
        assert.equal(run.status, 2);
        assert.match(run.stderr, /see agent-sandboxes check --help/);
    }
    assert.equal(program('check', '--seed', '/nowhere.sql').status, 1);
});

const findings = (db) => JSON.parse(program('check', '--db', db, '--json').stdout).findings;

test('numbers that costs cannot be counted from are refused before anyone asks', () => {
    for (const [change, row] of [
        ["UPDATE rate SET usd = '0.00001400001' WHERE provider = 'beam' AND resource = 'vcpu'", 'rate beam vcpu'],
        ["UPDATE rate SET usd = '1' WHERE provider = 'beam' AND resource = 'vcpu'", 'rate beam vcpu'],
        ["UPDATE rate_size SET usd = '1.2.3' WHERE provider = 'koyeb' AND position = 1", 'rate_size koyeb/cpu 1'],
        ["UPDATE rate_size SET vcpu = 0.0625 WHERE provider = 'koyeb' AND position = 1", 'rate_size koyeb/cpu 1'],
        ["UPDATE billing_rule SET step_seconds = 1e-9 WHERE provider = 'e2b'", 'billing_rule e2b'],
        ["UPDATE billing_plan SET vcpu_hours = 0.0001 WHERE provider = 'e2b' AND position = 1", 'billing_plan e2b 1'],
        [put('price_vcpu_hour_usd', '0.012345678901'), 'fact e2b price_vcpu_hour_usd'],
        [put('price_memory_gib_hour_usd', '1000'), 'fact e2b price_memory_gib_hour_usd'],
    ]) {
        const found = findings(catalogue(`${change};`)).filter(({ rule }) => rule === 'cost-number');
        assert.deepEqual(found.map((finding) => [finding.row, finding.severity]), [[row, 'error']], change);
    }
});

test('an exemption lasts a year at most, and one that holds keeps its source from being told as failed', () => {
    const id = "(SELECT source FROM fact WHERE provider = 'e2b' AND attribute = 'isolation')";
    const failed = `INSERT INTO source_failure VALUES (${id}, 'changed', NULL, '2026-11-30'); ${fact("checked_on = '2026-11-29', valid_from = '2026-11-29'", 'isolation')}`;
    const rules = (more) => findings(catalogue(failed + more)).map(({ rule }) => rule).filter((rule) => /^(source-failed|exemption)/.test(rule));
    assert.ok(rules('').includes('source-failed'));
    assert.deepEqual(rules(`INSERT INTO source_exemption VALUES (${id}, 'A page behind a log-in.', date('now', '+30 days'));`), []);
    assert.ok(rules(`INSERT INTO source_exemption VALUES (${id}, 'A page behind a log-in.', date('now', '-1 day'));`).includes('source-failed'));
    assert.deepEqual(rules(`INSERT INTO source_exemption VALUES (${id}, 'For ever.', '9999-12-31');`), ['exemption-reason']);
});
