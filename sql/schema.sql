-- The catalogue of Agent Sandboxes: providers, what is known of them, and how it is known.
-- Loads with the plain sqlite3 shell, from the top folder of the project:
--     sqlite3 catalogue.db <sql/schema.sql && sqlite3 catalogue.db <sql/seed.sql
-- Days are ISO 8601 dates in UTC. Money is USD, durations are seconds. A JSON column holds one JSON value as text;
-- that it is JSON is a rule of `check` and not a CHECK here, because the server reads catalogues with an untrusted schema, in which SQLite
-- allows no JSON functions.
PRAGMA encoding = 'UTF-8';
PRAGMA application_id = 0x41534258; -- "ASBX"
PRAGMA user_version = 1;
PRAGMA foreign_keys = ON;

BEGIN;

-- What the catalogue says of itself: title, licence, and so on.
CREATE TABLE setting (
    key   TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- How fast a kind of fact ages: a fact is stale once review_days have passed since the day it was checked.
CREATE TABLE volatility (
    key         TEXT PRIMARY KEY,
    label       TEXT    NOT NULL,
    review_days INTEGER NOT NULL CHECK (review_days > 0)
) STRICT, WITHOUT ROWID;

CREATE TABLE attribute_group (
    key      TEXT PRIMARY KEY,
    position INTEGER NOT NULL UNIQUE,
    label    TEXT    NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE glossary_term (
    slug        TEXT PRIMARY KEY CHECK (slug GLOB '[a-z0-9]*' AND slug NOT GLOB '*[^a-z0-9-]*'),
    term        TEXT NOT NULL UNIQUE,
    also        TEXT NOT NULL CHECK (also GLOB '[[]*]'),    -- other names
    related     TEXT NOT NULL CHECK (related GLOB '[[]*]'), -- slugs of terms
    description TEXT NOT NULL,
    body        TEXT NOT NULL,                                      -- Markdown
    reviewed_on TEXT NOT NULL CHECK (reviewed_on IS date(reviewed_on))
) STRICT, WITHOUT ROWID;

-- An attribute is a question asked of every provider.
CREATE TABLE attribute (
    key         TEXT PRIMARY KEY CHECK (key GLOB '[a-z]*' AND key NOT GLOB '*[^a-z0-9_]*' AND key NOT GLOB '*__*'),
    position    INTEGER NOT NULL UNIQUE,
    group_key   TEXT    NOT NULL REFERENCES attribute_group (key),
    label       TEXT    NOT NULL,
    type        TEXT    NOT NULL CHECK (type IN ('bool', 'number', 'money', 'duration', 'enum', 'set', 'text', 'money-map')),
    unit        TEXT,
    better      TEXT    CHECK (better IN ('higher', 'lower')),
    glossary    TEXT    REFERENCES glossary_term (slug),
    headline    INTEGER NOT NULL CHECK (headline IN (0, 1)),
    filterable  INTEGER NOT NULL CHECK (filterable IN (0, 1)),
    volatility  TEXT    NOT NULL REFERENCES volatility (key),
    description TEXT    NOT NULL
) STRICT, WITHOUT ROWID;

-- The allowed values of an enum or a closed set; an open set has no rows here.
CREATE TABLE attribute_value (
    attribute TEXT    NOT NULL REFERENCES attribute (key),
    position  INTEGER NOT NULL,
    value     TEXT    NOT NULL,
    label     TEXT    NOT NULL,
    PRIMARY KEY (attribute, value),
    UNIQUE (attribute, position)
) STRICT, WITHOUT ROWID;

-- Where something was read. The fingerprint is the SHA-256 of quote_words consecutive words (see docs/catalogue.md).
CREATE TABLE source (
    id           TEXT PRIMARY KEY CHECK (id GLOB '[a-z0-9]*' AND id NOT GLOB '*[^a-z0-9.-]*'),
    url          TEXT NOT NULL CHECK (url GLOB 'https://?*' OR url GLOB 'http://?*'),
    title        TEXT NOT NULL,
    publisher    TEXT NOT NULL,
    kind         TEXT NOT NULL CHECK (kind IN ('docs', 'repo', 'third-party', 'blog', 'changelog', 'pricing', 'advisory', 'spec', 'paper', 'private')), -- private: of an overlay
    copy_date    TEXT CHECK (copy_date IS date(copy_date) OR copy_date || '-01' IS date(copy_date || '-01')), -- a day, or a month where the copy shows no more
    accessed_on  TEXT NOT NULL CHECK (accessed_on IS date(accessed_on)),
    verified_on  TEXT CHECK (verified_on IS date(verified_on)),  -- the day on which the passage was last found on the page
    via          TEXT,                                           -- how it was read, where not directly
    quote_words  INTEGER CHECK (quote_words > 0),
    quote_sha256 TEXT CHECK (length(quote_sha256) = 64 AND quote_sha256 NOT GLOB '*[^0-9a-f]*'),
    quote        TEXT,                                           -- the words themselves: only in a private overlay
    CHECK ((quote_words IS NULL) = (quote_sha256 IS NULL))
) STRICT, WITHOUT ROWID;

-- What the last check of a source found, where that is not the passage. A source without a row here was found, or was not looked for.
CREATE TABLE source_failure (
    source     TEXT PRIMARY KEY REFERENCES source (id),
    state      TEXT NOT NULL CHECK (state IN ('changed', 'redirected', 'blocked', 'gone', 'unreachable')),
    reason     TEXT,
    checked_on TEXT NOT NULL CHECK (checked_on IS date(checked_on))
) STRICT, WITHOUT ROWID;

-- A source that is not checked, why, and the last day of that.
CREATE TABLE source_exemption (
    source TEXT PRIMARY KEY REFERENCES source (id),
    reason TEXT NOT NULL,
    until  TEXT NOT NULL CHECK (until IS date(until))
) STRICT, WITHOUT ROWID;

CREATE TABLE provider (
    slug          TEXT PRIMARY KEY CHECK (slug GLOB '[a-z0-9]*' AND slug NOT GLOB '*[^a-z0-9-]*' AND slug NOT GLOB '*-vs-*'),
    name          TEXT NOT NULL UNIQUE,
    vendor        TEXT NOT NULL,
    kind          TEXT NOT NULL CHECK (kind IN ('hosted', 'cloud-service', 'local-tool', 'self-hostable')),
    status        TEXT NOT NULL CHECK (status IN ('active', 'winding-down', 'discontinued')),
    status_note   TEXT,
    status_source TEXT REFERENCES source (id),
    homepage      TEXT NOT NULL,
    docs_url      TEXT,
    pricing_url   TEXT,
    repo_url      TEXT,
    summary       TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- A distinct class of sandbox that a provider sells. It inherits every fact of its provider that it does not state itself.
CREATE TABLE offering (
    provider      TEXT    NOT NULL REFERENCES provider (slug),
    position      INTEGER NOT NULL,
    slug          TEXT    NOT NULL CHECK (slug GLOB '[a-z0-9]*' AND slug NOT GLOB '*[^a-z0-9-]*'),
    name          TEXT    NOT NULL,
    release_stage TEXT    CHECK (release_stage IN ('ga', 'beta', 'preview', 'alpha', 'experimental', 'deprecated')),
    is_default    INTEGER NOT NULL CHECK (is_default IN (0, 1)),
    PRIMARY KEY (provider, slug),
    UNIQUE (provider, position)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX offering_default ON offering (provider) WHERE is_default;

-- One answer to one question, of a provider (offering is null) or of one of its offerings, as known from valid_from until
-- before valid_to. The row without valid_to is the current one.
CREATE TABLE fact (
    provider   TEXT NOT NULL REFERENCES provider (slug),
    offering   TEXT,
    attribute  TEXT NOT NULL REFERENCES attribute (key),
    state      TEXT NOT NULL CHECK (state IN ('documented', 'not_applicable', 'not_documented')),
    value      TEXT,
    detail     TEXT,
    note       TEXT,
    source     TEXT REFERENCES source (id),
    basis      TEXT CHECK (basis IN ('vendor-stated', 'vendor-claim', 'repo', 'third-party', 'inferred', 'private')), -- private: of an overlay
    checked_on TEXT NOT NULL CHECK (checked_on IS date(checked_on)),
    valid_from TEXT NOT NULL CHECK (valid_from IS date(valid_from)),
    valid_to   TEXT CHECK (valid_to IS date(valid_to)),
    FOREIGN KEY (provider, offering) REFERENCES offering (provider, slug),
    CHECK ((state = 'documented') = (value IS NOT NULL)),
    CHECK (state <> 'documented' OR (source IS NOT NULL AND basis IS NOT NULL)),
    CHECK ((source IS NULL) = (basis IS NULL)),
    CHECK (valid_to IS NULL OR valid_to > valid_from)
) STRICT;

CREATE UNIQUE INDEX fact_key ON fact (provider, coalesce(offering, ''), attribute, valid_from);
CREATE UNIQUE INDEX fact_current ON fact (provider, coalesce(offering, ''), attribute) WHERE valid_to IS NULL;
CREATE INDEX fact_source ON fact (source);

-- A judgement about a provider, with the facts that it rests on: "attribute" or "offering/attribute".
CREATE TABLE claim (
    provider    TEXT    NOT NULL REFERENCES provider (slug),
    kind        TEXT    NOT NULL CHECK (kind IN ('strength', 'limitation', 'best_for', 'not_for')),
    position    INTEGER NOT NULL,
    text        TEXT    NOT NULL,
    facts       TEXT    NOT NULL CHECK (facts GLOB '[[]*]'),
    reviewed_on TEXT    NOT NULL CHECK (reviewed_on IS date(reviewed_on)),
    PRIMARY KEY (provider, kind, position)
) STRICT, WITHOUT ROWID;

-- Two sources disagree; the text says how, and which one was taken.
CREATE TABLE conflict (
    provider TEXT    NOT NULL REFERENCES provider (slug),
    position INTEGER NOT NULL,
    text     TEXT    NOT NULL,
    facts    TEXT    NOT NULL CHECK (facts GLOB '[[]*]'),
    PRIMARY KEY (provider, position)
) STRICT, WITHOUT ROWID;

-- Something that happened; date is a day, a month or a year.
CREATE TABLE event (
    provider TEXT    NOT NULL REFERENCES provider (slug),
    position INTEGER NOT NULL,
    date     TEXT    NOT NULL CHECK (date GLOB '[12][0-9][0-9][0-9]*'),
    text     TEXT    NOT NULL,
    source   TEXT    NOT NULL REFERENCES source (id),
    PRIMARY KEY (provider, position)
) STRICT, WITHOUT ROWID;

-- A pass over a provider's facts on one day.
CREATE TABLE review (
    provider    TEXT NOT NULL REFERENCES provider (slug),
    reviewed_on TEXT NOT NULL CHECK (reviewed_on IS date(reviewed_on)),
    scope       TEXT NOT NULL,
    note        TEXT,
    PRIMARY KEY (provider, reviewed_on, scope)
) STRICT, WITHOUT ROWID;

-- Start-up times of one day, measured by the publisher of the source, in milliseconds; success_rate is 0 to 1.
CREATE TABLE measurement (
    provider     TEXT    NOT NULL REFERENCES provider (slug),
    mode         TEXT    NOT NULL CHECK (mode IN ('sequential', 'staggered', 'burst')),
    day          TEXT    NOT NULL CHECK (day IS date(day)),
    runs         INTEGER NOT NULL CHECK (runs > 0),
    median_ms    REAL    CHECK (median_ms >= 0),
    p95_ms       REAL    CHECK (p95_ms >= 0),
    p99_ms       REAL    CHECK (p99_ms >= 0),
    success_rate REAL    NOT NULL CHECK (success_rate BETWEEN 0 AND 1),
    source       TEXT    NOT NULL REFERENCES source (id),
    PRIMARY KEY (provider, mode, day)
) STRICT, WITHOUT ROWID;

-- A GPU model, and the other names by which price lists call it.
CREATE TABLE gpu_model (
    slug     TEXT    PRIMARY KEY CHECK (slug GLOB '[a-z0-9]*' AND slug NOT GLOB '*[^a-z0-9-]*'),
    position INTEGER NOT NULL UNIQUE,
    name     TEXT    NOT NULL UNIQUE,
    also     TEXT    NOT NULL CHECK (also GLOB '[[]*]')
) STRICT, WITHOUT ROWID;

-- A rate as it was published, where the price fact of the provider holds a conversion of it. Money in the tables of costs is decimal text, so
-- that it stays exact.
CREATE TABLE rate (
    provider   TEXT NOT NULL REFERENCES provider (slug),
    resource   TEXT NOT NULL CHECK (resource IN ('vcpu', 'memory', 'storage')),
    usd        TEXT NOT NULL CHECK (usd GLOB '[0-9]*' AND usd NOT GLOB '*[^0-9.]*'), -- for one vCPU or one GiB
    per        TEXT NOT NULL CHECK (per IN ('second', 'hour', 'month')),
    source     TEXT NOT NULL REFERENCES source (id),
    basis      TEXT NOT NULL CHECK (basis IN ('vendor-stated', 'vendor-claim', 'repo', 'third-party', 'inferred')),
    checked_on TEXT NOT NULL CHECK (checked_on IS date(checked_on)),
    note       TEXT,
    PRIMARY KEY (provider, resource)
) STRICT, WITHOUT ROWID;

-- A size that is sold whole: usd buys it for seconds. A size may leave its vCPU or memory unstated.
CREATE TABLE rate_size (
    provider   TEXT    NOT NULL REFERENCES provider (slug),
    offering   TEXT,
    position   INTEGER NOT NULL,
    name       TEXT    NOT NULL,
    vcpu       REAL    CHECK (vcpu > 0),
    memory_gib REAL    CHECK (memory_gib > 0),
    usd        TEXT    NOT NULL CHECK (usd GLOB '[0-9]*' AND usd NOT GLOB '*[^0-9.]*'),
    seconds    INTEGER NOT NULL CHECK (seconds > 0),
    source     TEXT    NOT NULL REFERENCES source (id),
    basis      TEXT    NOT NULL CHECK (basis IN ('vendor-stated', 'vendor-claim', 'repo', 'third-party', 'inferred', 'private')),
    checked_on TEXT    NOT NULL CHECK (checked_on IS date(checked_on)),
    note       TEXT,
    FOREIGN KEY (provider, offering) REFERENCES offering (provider, slug)
) STRICT;

CREATE UNIQUE INDEX rate_size_key ON rate_size (provider, coalesce(offering, ''), position);

-- How a provider (offering is null), or one of its offerings instead, charges for what runs: by metered rates, by whole sizes, not at all
-- (software for one's own machines), or by rates that are not published. For each resource in each state of a sandbox: full (what is
-- allocated), used (what is measured), none; null is not documented.
CREATE TABLE billing_rule (
    provider              TEXT    NOT NULL REFERENCES provider (slug),
    offering              TEXT,
    charge                TEXT    NOT NULL CHECK (charge IN ('metered', 'sizes', 'free', 'unpublished')),
    reason                TEXT,    -- of free and unpublished, in words
    cpu_active            TEXT    CHECK (cpu_active IN ('full', 'used', 'none')),
    cpu_idle              TEXT    CHECK (cpu_idle IN ('full', 'used', 'none')),
    cpu_paused            TEXT    CHECK (cpu_paused IN ('full', 'used', 'none')),
    memory_active         TEXT    CHECK (memory_active IN ('full', 'used', 'none')),
    memory_idle           TEXT    CHECK (memory_idle IN ('full', 'used', 'none')),
    memory_paused         TEXT    CHECK (memory_paused IN ('full', 'used', 'none')),
    storage_active        TEXT    CHECK (storage_active IN ('full', 'used', 'none')),
    storage_idle          TEXT    CHECK (storage_idle IN ('full', 'used', 'none')),
    storage_paused        TEXT    CHECK (storage_paused IN ('full', 'used', 'none')),
    step_seconds          REAL    CHECK (step_seconds > 0),          -- running time of a run is rounded up to whole steps
    minimum_seconds       REAL    CHECK (minimum_seconds > 0),       -- and counts as at least this long
    memory_floor_gib      REAL    CHECK (memory_floor_gib > 0),      -- less memory is charged as this much
    memory_gib_vcpu_least REAL    CHECK (memory_gib_vcpu_least > 0), -- memory that comes with each vCPU, at least
    memory_gib_vcpu_most  REAL    CHECK (memory_gib_vcpu_most > 0),  -- and at most
    vcpu_multiple         INTEGER CHECK (vcpu_multiple > 1),         -- sizes are one vCPU, or a multiple of so many
    cpu_in_memory         INTEGER NOT NULL CHECK (cpu_in_memory IN (0, 1)),    -- the price of memory includes the CPU
    gpu_includes_cpu      INTEGER CHECK (gpu_includes_cpu IN (0, 1)),          -- the price of a GPU includes CPU and memory
    sizes_complete        INTEGER CHECK (sizes_complete IN (0, 1)),            -- rate_size holds every size that is sold
    usd_million_runs      TEXT    CHECK (usd_million_runs GLOB '[0-9]*' AND usd_million_runs NOT GLOB '*[^0-9.]*'),
    lower_bound           TEXT,    -- why a total is only a lower bound, whatever is asked for
    assumptions           TEXT    NOT NULL CHECK (assumptions GLOB '[[]*]'),
    source                TEXT    NOT NULL REFERENCES source (id),
    basis                 TEXT    NOT NULL CHECK (basis IN ('vendor-stated', 'vendor-claim', 'repo', 'third-party', 'inferred', 'private')),
    checked_on            TEXT    NOT NULL CHECK (checked_on IS date(checked_on)),
    note                  TEXT,
    FOREIGN KEY (provider, offering) REFERENCES offering (provider, slug),
    CHECK ((charge IN ('free', 'unpublished')) = (reason IS NOT NULL))
) STRICT;

CREATE UNIQUE INDEX billing_rule_key ON billing_rule (provider, coalesce(offering, ''));

-- A plan: its monthly fee, what it includes each month, and what it allows. One-time credits are facts (free_tier) and not here.
CREATE TABLE billing_plan (
    provider           TEXT    NOT NULL REFERENCES provider (slug),
    position           INTEGER NOT NULL,
    name               TEXT    NOT NULL,
    fee_usd            TEXT    NOT NULL CHECK (fee_usd GLOB '[0-9]*' AND fee_usd NOT GLOB '*[^0-9.]*'),
    credit_usd         TEXT    CHECK (credit_usd GLOB '[0-9]*' AND credit_usd NOT GLOB '*[^0-9.]*'), -- each month; null: some, how much is not documented
    vcpu_hours         REAL    NOT NULL CHECK (vcpu_hours >= 0),         -- free each month
    memory_gib_hours   REAL    NOT NULL CHECK (memory_gib_hours >= 0),
    storage_gib_hours  REAL    NOT NULL CHECK (storage_gib_hours >= 0),
    stops              INTEGER NOT NULL CHECK (stops IN (0, 1)),         -- nothing beyond the free amounts can be bought
    pauses             INTEGER CHECK (pauses IN (0, 1)),                 -- null: as the provider
    max_sandboxes      INTEGER CHECK (max_sandboxes > 0),
    max_gpus           INTEGER CHECK (max_gpus > 0),
    max_runs           INTEGER CHECK (max_runs > 0),
    max_vcpu           REAL    CHECK (max_vcpu > 0),
    max_memory_gib     REAL    CHECK (max_memory_gib > 0),
    max_storage_gib    REAL    CHECK (max_storage_gib > 0),
    max_run_hours      REAL    CHECK (max_run_hours > 0),
    source             TEXT    NOT NULL REFERENCES source (id),
    basis              TEXT    NOT NULL CHECK (basis IN ('vendor-stated', 'vendor-claim', 'repo', 'third-party', 'inferred', 'private')),
    checked_on         TEXT    NOT NULL CHECK (checked_on IS date(checked_on)),
    note               TEXT,
    PRIMARY KEY (provider, position)
) STRICT, WITHOUT ROWID;

-- A question about costs that many readers have; parameters are those of /cost.
CREATE TABLE cost_preset (
    slug        TEXT    PRIMARY KEY CHECK (slug GLOB '[a-z0-9]*' AND slug NOT GLOB '*[^a-z0-9-]*'),
    position    INTEGER NOT NULL UNIQUE,
    title       TEXT    NOT NULL UNIQUE,
    description TEXT    NOT NULL,
    parameters  TEXT    NOT NULL CHECK (parameters GLOB '{*}')
) STRICT, WITHOUT ROWID;

-- A ranking: criteria earn points, and require (attribute to wanted value or values) says who is ranked at all.
CREATE TABLE use_case (
    slug     TEXT PRIMARY KEY CHECK (slug GLOB '[a-z0-9]*' AND slug NOT GLOB '*[^a-z0-9-]*'),
    position INTEGER NOT NULL UNIQUE,
    path     TEXT    NOT NULL UNIQUE CHECK (path GLOB '/*'),
    title    TEXT    NOT NULL,
    require  TEXT    NOT NULL CHECK (require GLOB '{*}')
) STRICT, WITHOUT ROWID;

CREATE TABLE criterion (
    use_case  TEXT    NOT NULL REFERENCES use_case (slug),
    position  INTEGER NOT NULL,
    attribute TEXT    NOT NULL REFERENCES attribute (key),
    weight    REAL    NOT NULL CHECK (weight > 0),
    rule      TEXT    NOT NULL CHECK (rule GLOB '{*}'),
    why       TEXT    NOT NULL,
    PRIMARY KEY (use_case, position),
    UNIQUE (use_case, attribute)
) STRICT, WITHOUT ROWID;

-- A head-to-head worth a place in lists; any other two providers can be compared as well.
CREATE TABLE pair (
    a        TEXT    NOT NULL REFERENCES provider (slug),
    b        TEXT    NOT NULL REFERENCES provider (slug),
    position INTEGER NOT NULL UNIQUE,
    PRIMARY KEY (a, b),
    CHECK (a <> b)
) STRICT, WITHOUT ROWID;

CREATE TABLE glossary_fact (
    term     TEXT    NOT NULL REFERENCES glossary_term (slug),
    position INTEGER NOT NULL,
    text     TEXT    NOT NULL,
    source   TEXT    NOT NULL REFERENCES source (id),
    PRIMARY KEY (term, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE guide (
    slug        TEXT PRIMARY KEY CHECK (slug GLOB '[a-z0-9]*' AND slug NOT GLOB '*[^a-z0-9-]*'),
    position    INTEGER NOT NULL UNIQUE,
    title       TEXT NOT NULL UNIQUE,
    description TEXT NOT NULL,
    takeaways   TEXT NOT NULL CHECK (takeaways GLOB '[[]*]'),
    outline     TEXT NOT NULL CHECK (outline GLOB '[[]*]'),
    body        TEXT NOT NULL, -- Markdown
    reviewed_on TEXT NOT NULL CHECK (reviewed_on IS date(reviewed_on))
) STRICT, WITHOUT ROWID;

CREATE TABLE guide_fact (
    guide    TEXT    NOT NULL REFERENCES guide (slug),
    position INTEGER NOT NULL,
    text     TEXT    NOT NULL,
    source   TEXT    NOT NULL REFERENCES source (id),
    PRIMARY KEY (guide, position)
) STRICT, WITHOUT ROWID;

-- What commands changed, so that the catalogue of an earlier day can be shown. row_key names the row by its key columns after the change;
-- before holds what the change took away: of a changed row the columns that were different, of a removed row all of them.
CREATE TABLE journal (
    number     INTEGER PRIMARY KEY,
    day        TEXT NOT NULL CHECK (day IS date(day)),
    change     TEXT NOT NULL CHECK (change IN ('added', 'changed', 'removed')),
    table_name TEXT NOT NULL,
    row_key    TEXT NOT NULL CHECK (row_key GLOB '{*}'),
    before     TEXT CHECK (before GLOB '{*}'),
    CHECK ((change = 'added') = (before IS NULL))
) STRICT;

CREATE INDEX journal_row ON journal (table_name, row_key);

-- Full-text search over providers, terms and guides; the last line of seed.sql fills it from search_source.
CREATE VIRTUAL TABLE search USING fts5 (kind UNINDEXED, slug UNINDEXED, title, body, tokenize = 'porter unicode61 remove_diacritics 2');

CREATE VIEW search_source (kind, slug, title, body) AS
SELECT 'provider', p.slug, p.name,
       p.vendor || ' ' || p.summary || ' ' || coalesce(p.status_note, '') || ' '
       || coalesce((SELECT group_concat(c.text, ' ') FROM claim c WHERE c.provider = p.slug), '') || ' '
       || coalesce((SELECT group_concat(CASE WHEN f.value IN ('true', 'false') THEN '' ELSE coalesce(f.value, '') || ' ' END || coalesce(f.detail, ''), ' ') FROM fact f WHERE f.provider = p.slug AND f.valid_to IS NULL), '')
  FROM provider p
UNION ALL
SELECT 'term', t.slug, t.term, t.also || ' ' || t.description || ' ' || t.body FROM glossary_term t
UNION ALL
SELECT 'guide', g.slug, g.title, g.description || ' ' || g.body FROM guide g;

COMMIT;
