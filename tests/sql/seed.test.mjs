// Loads sql/schema.sql and sql/seed.sql with the plain sqlite3 shell and checks what came in.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, test } from 'node:test';

const top = resolve(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'seed-'));
const database = join(folder, 'catalogue.db');
after(() => rmSync(folder, { recursive: true }));

function shell(input, ...options) {
  const run = spawnSync('sqlite3', [...options, database], { cwd: top, input, encoding: 'utf8', maxBuffer: 1 << 26 });
  assert.ifError(run.error);
  return run;
}

const loads = ['sql/schema.sql', 'sql/seed.sql'].map((file) => shell(readFileSync(join(top, file)), '-batch'));

function rows(sql) {
  const run = shell(sql, '-batch', '-json');
  assert.equal(run.stderr, '');
  return run.stdout === '' ? [] : JSON.parse(run.stdout);
}

const one = (sql) => Object.values(rows(sql)[0])[0];

test('both files load from the top folder without a word', () => {
  for (const run of loads) assert.deepEqual([run.status, run.stdout, run.stderr], [0, '', '']);
});

test('the database is sound', () => {
  assert.deepEqual(rows('PRAGMA foreign_key_check'), []);
  assert.equal(one('PRAGMA integrity_check'), 'ok');
  assert.equal(one('PRAGMA application_id'), 0x41534258);
  assert.equal(one('PRAGMA user_version'), 1);
});

const counts = {
  'provider': 23,
  'provider WHERE status = \'active\'': 21,
  'provider WHERE status = \'winding-down\'': 1,
  'provider WHERE status = \'discontinued\'': 1,
  'attribute_group': 8,
  'attribute': 49,
  'fact WHERE offering IS NULL': 1127,
  'fact WHERE offering IS NULL AND state = \'documented\'': 837,
  'fact WHERE offering IS NULL AND state = \'not_applicable\'': 48,
  'fact WHERE offering IS NULL AND state = \'not_documented\'': 242,
  'offering': 55,
  '(SELECT DISTINCT provider FROM offering)': 17,
  'fact WHERE offering IS NOT NULL': 991,
  'fact WHERE offering IS NOT NULL AND state = \'not_documented\'': 335,
  // 456 of providers and 181 of the background, with one in both
  'source': 636,
  'source WHERE quote_sha256 IS NOT NULL': 414,
  'source WHERE id IN (SELECT source FROM glossary_fact UNION SELECT source FROM guide_fact)': 181,
  'conflict': 145,
  'claim WHERE kind = \'strength\'': 114,
  'claim WHERE kind = \'limitation\'': 115,
  'claim WHERE kind = \'best_for\'': 79,
  'claim WHERE kind = \'not_for\'': 85,
  'event': 46,
  'measurement': 1423,
  '(SELECT DISTINCT provider FROM measurement)': 8,
  'gpu_model': 14,
  'rate': 7,
  'rate_size': 8,
  'billing_rule': 35,
  'billing_plan': 22,
  'cost_preset': 5,
  'use_case': 9,
  'criterion': 117,
  'pair': 27,
  'glossary_term': 25,
  'glossary_fact': 143,
  'guide': 6,
  'guide_fact': 145,
  'review': 23,
  'search': 54,
};

for (const [what, expected] of Object.entries(counts))
  test(`${expected} rows in ${what}`, () => assert.equal(one(`SELECT count(*) FROM ${what}`), expected));

test('every provider answers every question, once', () => {
  assert.deepEqual(rows(`SELECT p.slug, a.key FROM provider p, attribute a
    WHERE 1 <> (SELECT count(*) FROM fact f WHERE f.provider = p.slug AND f.offering IS NULL AND f.attribute = a.key AND f.valid_to IS NULL)`), []);
});

test('every provider with offerings has one default', () => {
  assert.deepEqual(rows('SELECT provider FROM offering GROUP BY provider HAVING sum(is_default) <> 1'), []);
});

const isNumber = (value) => typeof value === 'number' && value >= 0;
const isText = (value) => typeof value === 'string' && value !== '' && value.trim() === value;
const isSet = (value) => Array.isArray(value) && value.every(isText) && new Set(value).size === value.length;
const isObject = (value) => value !== null && typeof value === 'object' && !Array.isArray(value);
const types = {
  'bool': (value) => typeof value === 'boolean',
  'number': isNumber,
  'money': isNumber,
  'duration': (value) => isNumber(value) || value === 'unlimited',
  'enum': isText,
  'set': isSet,
  'text': isText,
  'money-map': (value) => isObject(value) && Object.values(value).every(isNumber),
};

test('every value is of the type and the vocabulary of its attribute', () => {
  const vocabulary = {};
  for (const { attribute, value } of rows('SELECT attribute, value FROM attribute_value')) (vocabulary[attribute] ??= []).push(value);
  const facts = rows('SELECT f.provider, f.offering, f.attribute, a.type, f.value FROM fact f JOIN attribute a ON a.key = f.attribute WHERE f.value IS NOT NULL');
  assert.ok(facts.length > 837);
  for (const fact of facts) {
    const value = JSON.parse(fact.value);
    const name = JSON.stringify(fact);
    assert.ok(types[fact.type](value), name);
    assert.notEqual(value, 'n/a', name);
    const allowed = vocabulary[fact.attribute];
    if (fact.type === 'enum') assert.ok(allowed, name);
    if (allowed) for (const member of [value].flat()) assert.ok(allowed.includes(member), name);
  }
});

const jsonColumns = [
  ['fact', 'value', (value) => value !== null],
  ['claim', 'facts', (value) => isSet(value) && value.length > 0],
  ['conflict', 'facts', (value) => isSet(value) && value.length > 0],
  ['glossary_term', 'also', isSet],
  ['glossary_term', 'related', isSet],
  ['guide', 'takeaways', (value) => isSet(value) && value.length > 0],
  ['guide', 'outline', (value) => isSet(value) && value.length > 0],
  ['gpu_model', 'also', (value) => isSet(value) && value.length > 0],
  ['billing_rule', 'assumptions', isSet],
  ['cost_preset', 'parameters', (value) => isObject(value) && Object.keys(value).length > 0],
  ['use_case', 'require', (value) => isObject(value)],
  ['criterion', 'rule', (value) => isObject(value) && Object.keys(value).length > 0],
];

for (const [table, column, right] of jsonColumns)
  test(`${table}.${column} is compact JSON of the right kind`, () => {
    for (const { text } of rows(`SELECT ${column} AS text FROM ${table} WHERE ${column} IS NOT NULL`)) {
      assert.ok(right(JSON.parse(text)), text);
      assert.equal(JSON.stringify(JSON.parse(text)), text);
    }
  });

const ruleForms = {
  is: isObject, best_of: isObject, each: isSet, any: isSet, count: isNumber, documented: (value) => value === 1, contains: isText,
  log: (value) => isNumber(value.best) && isNumber(value.worst),
  key_log: (value) => isText(value.key) && isNumber(value.best) && isNumber(value.worst),
};

test('every criterion has one known rule', () => {
  for (const { rule } of rows('SELECT rule FROM criterion')) {
    const entries = Object.entries(JSON.parse(rule));
    assert.equal(entries.length, 1, rule);
    assert.ok(ruleForms[entries[0][0]]?.(entries[0][1]), rule);
  }
});

test('require names attributes and allowed values', () => {
  const known = new Set(rows('SELECT attribute || \'=\' || value AS pair FROM attribute_value').map((row) => row.pair));
  const bools = new Set(rows('SELECT key FROM attribute WHERE type = \'bool\'').map((row) => row.key));
  for (const { require } of rows('SELECT require FROM use_case'))
    for (const [key, wanted] of Object.entries(JSON.parse(require))) {
      if (bools.has(key)) assert.equal(typeof wanted, 'boolean');
      else for (const value of wanted) assert.ok(known.has(`${key}=${value}`), `${key}=${value}`);
    }
});

const seconds = { second: 1, hour: 3600, month: 730 * 3600 };
const priceOf = { vcpu: ['price_vcpu_hour_usd', 3600], memory: ['price_memory_gib_hour_usd', 3600], storage: ['price_storage_gib_month_usd', 730 * 3600] };

test('a published rate is what its price fact was converted from', () => {
  for (const { provider, resource, usd, per } of rows('SELECT provider, resource, usd, per FROM rate')) {
    const [attribute, length] = priceOf[resource];
    const fact = JSON.parse(one(`SELECT value FROM fact WHERE provider = '${provider}' AND offering IS NULL AND attribute = '${attribute}' AND valid_to IS NULL`));
    const converted = (Number(usd) / seconds[per]) * length;
    assert.ok(Math.abs(converted - fact) <= 0.01 * fact, `${provider} ${resource}: ${converted} against ${fact}`);
  }
});

test('the fee of a plan and the monthly price of its provider agree', () => {
  assert.deepEqual(rows(`SELECT f.provider, f.value FROM fact f WHERE f.attribute = 'base_plan_usd_month' AND f.offering IS NULL AND f.state = 'documented'
      AND f.provider IN (SELECT provider FROM billing_plan)
      AND NOT EXISTS (SELECT 1 FROM billing_plan p WHERE p.provider = f.provider AND CAST(p.fee_usd AS REAL) = CAST(f.value AS REAL))`), []);
});

test('every GPU of a price list is one known model', () => {
  const models = rows('SELECT slug, also FROM gpu_model').flatMap(({ slug, also }) => JSON.parse(also).map((name) => [name, slug]));
  assert.equal(new Set(models.map(([name]) => name)).size, models.length);
  const known = new Set(models.map(([name]) => name));
  for (const { value } of rows('SELECT value FROM fact WHERE attribute = \'price_gpu_hour_usd\' AND value IS NOT NULL AND valid_to IS NULL'))
    for (const name of Object.keys(JSON.parse(value))) assert.ok(known.has(name), name);
});

test('every active provider has a billing rule, and what is metered has a plan', () => {
  assert.deepEqual(rows('SELECT slug FROM provider WHERE status = \'active\' AND slug NOT IN (SELECT provider FROM billing_rule)'), []);
  assert.deepEqual(rows('SELECT DISTINCT provider FROM billing_rule WHERE charge = \'metered\' AND provider NOT IN (SELECT provider FROM billing_plan)'), []);
});

test('claims and conflicts rest on facts that are there', () => {
  for (const table of ['claim', 'conflict'])
    assert.deepEqual(rows(`SELECT c.provider, r.value AS fact FROM ${table} c, json_each(c.facts) r
      WHERE NOT EXISTS (SELECT 1 FROM fact f WHERE f.provider = c.provider AND coalesce(f.offering || '/', '') || f.attribute = r.value)`), []);
});

test('related terms are terms', () => {
  assert.deepEqual(rows('SELECT t.slug, r.value FROM glossary_term t, json_each(t.related) r WHERE r.value NOT IN (SELECT slug FROM glossary_term)'), []);
});

test('the measured start time is the newest sequential median', () => {
  assert.deepEqual(rows(`SELECT m.provider, m.median_ms, f.value FROM measurement m
      LEFT JOIN fact f ON f.provider = m.provider AND f.offering IS NULL AND f.attribute = 'measured_tti_ms'
    WHERE m.mode = 'sequential' AND m.day = (SELECT max(day) FROM measurement n WHERE n.provider = m.provider AND n.mode = m.mode)
      AND CAST(f.value AS REAL) IS NOT m.median_ms`), []);
});

test('every file of prose is the body of one row, and says something', () => {
  for (const [kind, table] of [['glossary', 'glossary_term'], ['guides', 'guide']]) {
    const files = readdirSync(join(top, 'sql/prose', kind)).sort();
    const bodies = rows(`SELECT slug, body, typeof(body) AS type, length(description) AS described FROM ${table} ORDER BY slug`);
    assert.deepEqual(files, bodies.map(({ slug }) => `${slug}.md`));
    for (const { slug, body, type, described } of bodies) {
      assert.equal(type, 'text');
      assert.equal(body, readFileSync(join(top, 'sql/prose', kind, `${slug}.md`), 'utf8'));
      assert.ok(body.split(/\s+/).length > (kind === 'guides' ? 1200 : 100), slug);
      assert.ok(described >= 50, slug);
    }
  }
});

function proseFiles() {
  return ['glossary', 'guides'].flatMap((kind) => readdirSync(join(top, 'sql/prose', kind)).map((file) => {
    const name = `${kind}/${file}`;
    return { name, text: readFileSync(join(top, 'sql/prose', name), 'utf8') };
  }));
}

test('every source mark in prose is a source', () => {
  const known = new Set(rows('SELECT id FROM source').map((row) => row.id));
  const missing = proseFiles().flatMap(({ name, text }) => [...text.matchAll(/\[\^([^\]]*)\]/g)].filter((mark) => !known.has(mark[1])).map((mark) => `${name}: ${mark[0]}`));
  assert.deepEqual(missing, []);
});

test('every fact that prose refers to is there, and its diagrams and tables are known', () => {
  const attributes = new Set(rows('SELECT key FROM attribute').map((row) => row.key));
  const owners = new Set(rows('SELECT slug AS owner FROM provider UNION ALL SELECT provider || \'/\' || slug FROM offering').map((row) => row.owner));
  const diagrams = new Set(['isolation-ladder', 'sandbox-life', 'egress-path', 'billing-clock', 'deployment-map', 'threat-map']);
  const others = new Set(['columns', 'sort', 'limit', 'offset', 'providers', 'status', 'stage', 'kind', 'q', 'use_case']);
  const isFact = (target) => {
    const [owner, attribute, ...rest] = target.split(':');
    return rest.length === 0 && owners.has(owner) && attributes.has(attribute);
  };
  const isTable = (query) => query.split('&').every((part) => {
    const [key, value] = part.split('=');
    const names = key === 'columns' ? value.split(',') : key === 'sort' && value.replace(/^-/, '') !== 'name' ? [value.replace(/^-/, '')] : [];
    return value && names.every((name) => attributes.has(name)) && (others.has(key) || attributes.has(key.replace(/__(all|not|gte|lte)$/, '')));
  });
  const wrong = proseFiles().flatMap(({ name, text }) => [...text.matchAll(/\[\[(.*?)\]\]/gs)].filter(([, inner]) => {
    const target = inner.split('|')[0].trim();
    if (target.startsWith('table ')) return !isTable(target.slice(6).trim());
    if (target.startsWith('diagram ')) return !diagrams.has(target.slice(8).trim());
    return !isFact(target);
  }).map((mark) => `${name}: ${mark[0]}`));
  assert.deepEqual(wrong, []);
});

test('links of prose to providers, terms and guides lead somewhere', () => {
  const pages = new Set(rows(`SELECT '/sandboxes/' || slug || '/' AS path FROM provider UNION ALL SELECT '/glossary/' || slug || '/' FROM glossary_term
    UNION ALL SELECT '/guides/' || slug || '/' FROM guide UNION ALL SELECT path FROM use_case`).map((row) => row.path));
  const dead = proseFiles().flatMap(({ name, text }) => [...text.matchAll(/\]\((\/(?:sandboxes|glossary|guides|best)\/[^)#?]+)/g)].filter((link) => !pages.has(link[1])).map((link) => `${name}: ${link[1]}`));
  assert.deepEqual(dead, []);
});

test('search finds providers, terms and guides', () => {
  const kinds = rows('SELECT DISTINCT kind FROM search WHERE search MATCH \'firecracker\' ORDER BY kind').map((row) => row.kind);
  assert.deepEqual(kinds, ['guide', 'provider', 'term']);
});

// The canonical form, written by SQL: what the shell loaded must give back every line in its place.
const byAttribute = '(SELECT position FROM attribute WHERE key = t.attribute)';
const byOffering = '(SELECT position FROM offering o WHERE o.provider = t.provider AND o.slug = t.offering)';
const tables = {
  setting: 'key', volatility: 'key', attribute_group: 'position', glossary_term: 'slug', attribute: 'position',
  attribute_value: `${byAttribute}, position`, source: 'id', source_failure: 'source', source_exemption: 'source', provider: 'slug', offering: 'provider, position',
  fact: `provider, (SELECT position FROM offering o WHERE o.provider = t.provider AND o.slug = t.offering), ${byAttribute}, valid_from`,
  claim: 'provider, kind, position', conflict: 'provider, position', event: 'provider, position', review: 'provider, reviewed_on, scope',
  measurement: 'provider, mode, day', gpu_model: 'position', rate: 'provider, resource',
  rate_size: `provider, ${byOffering}, position`, billing_rule: `provider, ${byOffering}`, billing_plan: 'provider, position', cost_preset: 'position', use_case: 'position', criterion: '(SELECT position FROM use_case WHERE slug = t.use_case), position',
  pair: 'position', glossary_fact: 'term, position', guide: 'position', guide_fact: '(SELECT position FROM guide WHERE slug = t.guide), position',
  journal: 'number',
};
const prose = { glossary_term: 'glossary', guide: 'guides' };

function canonical(table, order) {
  const columns = rows(`SELECT name FROM pragma_table_info('${table}') ORDER BY cid`).map((row) => row.name);
  const literals = columns.map((name) => name === 'body' ? `'CAST(readfile(''sql/prose/${prose[table]}/' || slug || '.md'') AS TEXT)'` : `quote(${name})`);
  const lines = rows(`SELECT 'INSERT INTO ${table} VALUES (' || ${literals.join(' || \', \' || ')} || ');' AS line FROM ${table} t ORDER BY ${order}`);
  return ['', `-- ${table}: ${columns.join(', ')}`, ...lines.map((row) => row.line)];
}

test('seed.sql is in canonical form, byte for byte', () => {
  const declared = [...readFileSync(join(top, 'sql/schema.sql'), 'utf8').matchAll(/^CREATE TABLE (\w+)/gm)].map((match) => match[1]);
  assert.deepEqual(Object.keys(tables), declared);
  const lines = [
    '-- The catalogue of Agent Sandboxes, one row a line, in the canonical form of docs/catalogue.md, which the dump command writes.',
    '-- Load it after sql/schema.sql, from the top folder of the project.',
    'PRAGMA foreign_keys=ON;',
    'BEGIN;',
    ...Object.entries(tables).flatMap(([table, order]) => canonical(table, order)),
    '',
    'INSERT INTO search SELECT kind, slug, title, body FROM search_source;',
    'COMMIT;',
    '',
  ];
  const seed = readFileSync(join(top, 'sql/seed.sql'), 'utf8').split('\n');
  for (let i = 0; i < Math.max(seed.length, lines.length); i++) assert.equal(seed[i], lines[i], `line ${i + 1}`);
});
