PRAGMA foreign_keys=OFF; PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF;
BEGIN;
CREATE TEMP TABLE n AS WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM c WHERE i<999) SELECT i FROM c;
INSERT INTO provider SELECT slug||'-'||i, name||' '||i, vendor, kind, status, status_note, status_source, homepage, docs_url, pricing_url, repo_url, summary FROM provider, n;
INSERT INTO offering SELECT provider||'-'||i, position, slug, name, release_stage, is_default FROM offering, n;
INSERT INTO fact(provider,offering,attribute,state,value,detail,note,source,basis,checked_on,valid_from,valid_to) SELECT provider||'-'||i, offering, attribute, state, value, detail, note, source, basis, checked_on, valid_from, valid_to FROM fact, n ORDER BY i, fact.rowid;
INSERT INTO claim SELECT provider||'-'||i, kind, position, text, facts, reviewed_on FROM claim, n;
COMMIT;
