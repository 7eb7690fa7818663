-- A small catalogue for score_test.c; its day is 2026-03-01. alpha answers everything, bravo "does not apply", charlie nothing,
-- delta as alpha but past review, echo is discontinued, foxtrot and golf have offerings, india has an empty set, zulu answers as alpha.
PRAGMA foreign_keys=ON;
BEGIN;
INSERT INTO setting VALUES ('title', 'Test');
INSERT INTO volatility VALUES ('any', 'Any', 30);
INSERT INTO attribute_group VALUES ('all', 1, 'All');
INSERT INTO attribute VALUES ('level', 1, 'all', 'Level', 'enum', NULL, NULL, NULL, 1, 1, 'any', 'd');
INSERT INTO attribute VALUES ('gpu', 2, 'all', 'GPU', 'bool', NULL, NULL, NULL, 1, 1, 'any', 'd');
INSERT INTO attribute VALUES ('tags', 3, 'all', 'Tags', 'set', NULL, NULL, NULL, 1, 1, 'any', 'd');
INSERT INTO attribute VALUES ('billing', 4, 'all', 'Billing', 'text', NULL, NULL, NULL, 1, 1, 'any', 'd');
INSERT INTO attribute VALUES ('start', 5, 'all', 'Start', 'number', 'ms', 'lower', NULL, 1, 1, 'any', 'd');
INSERT INTO attribute VALUES ('session', 6, 'all', 'Session', 'duration', NULL, 'higher', NULL, 1, 1, 'any', 'd');
INSERT INTO attribute VALUES ('prices', 7, 'all', 'Prices', 'money-map', NULL, 'lower', NULL, 1, 1, 'any', 'd');
INSERT INTO attribute_value VALUES ('level', 1, 'high', 'High');
INSERT INTO attribute_value VALUES ('level', 2, 'mid', 'Middling');
INSERT INTO attribute_value VALUES ('level', 3, 'low', 'Low');
INSERT INTO source VALUES ('s', 'https://example.org/', 'S', 'P', 'docs', NULL, '2026-02-20', NULL, NULL, NULL, NULL, NULL);
INSERT INTO provider VALUES ('alpha', 'Alpha', 'V', 'hosted', 'active', NULL, NULL, 'https://example.org/', NULL, NULL, NULL, 's');
INSERT INTO provider VALUES ('bravo', 'Bravo', 'V', 'hosted', 'active', NULL, NULL, 'https://example.org/', NULL, NULL, NULL, 's');
INSERT INTO provider VALUES ('charlie', 'Charlie', 'V', 'hosted', 'active', NULL, NULL, 'https://example.org/', NULL, NULL, NULL, 's');
INSERT INTO provider VALUES ('delta', 'Delta', 'V', 'hosted', 'active', NULL, NULL, 'https://example.org/', NULL, NULL, NULL, 's');
INSERT INTO provider VALUES ('echo', 'Echo', 'V', 'hosted', 'discontinued', NULL, NULL, 'https://example.org/', NULL, NULL, NULL, 's');
INSERT INTO provider VALUES ('foxtrot', 'Foxtrot', 'V', 'hosted', 'active', NULL, NULL, 'https://example.org/', NULL, NULL, NULL, 's');
INSERT INTO provider VALUES ('golf', 'Golf', 'V', 'hosted', 'active', NULL, NULL, 'https://example.org/', NULL, NULL, NULL, 's');
INSERT INTO provider VALUES ('india', 'India', 'V', 'hosted', 'active', NULL, NULL, 'https://example.org/', NULL, NULL, NULL, 's');
INSERT INTO provider VALUES ('zulu', 'Aardvark', 'V', 'hosted', 'active', NULL, NULL, 'https://example.org/', NULL, NULL, NULL, 's');
INSERT INTO offering VALUES ('foxtrot', 1, 'basic', 'Basic', 'experimental', 1);
INSERT INTO offering VALUES ('foxtrot', 2, 'next', 'Next', 'alpha', 0);
INSERT INTO offering VALUES ('foxtrot', 3, 'plus', 'Plus', 'beta', 0);
INSERT INTO offering VALUES ('golf', 1, 'old', 'Old', 'deprecated', 0);
INSERT INTO fact (provider, attribute, state, value, source, basis, checked_on, valid_from)
SELECT column1, attribute, 'documented', value, 's', 'vendor-stated', column2, column2
  FROM (VALUES ('alpha', '2026-02-20'), ('delta', '2026-01-01'), ('echo', '2026-02-20'), ('zulu', '2026-02-20')),
       (SELECT column1 AS attribute, column2 AS value
          FROM (VALUES ('level', '"mid"'), ('gpu', 'true'), ('tags', '["x","y"]'), ('billing', '"By the Second"'), ('start', '1000'),
                       ('session', '"unlimited"'), ('prices', '{"NVIDIA H100":4,"H100 PCIe":2,"A10":0.5}')));
INSERT INTO fact (provider, attribute, state, checked_on, valid_from)
SELECT 'bravo', key, 'not_applicable', '2026-02-20', '2026-02-20' FROM attribute;
INSERT INTO fact (provider, attribute, state, checked_on, valid_from) VALUES ('charlie', 'level', 'not_documented', '2026-02-20', '2026-02-20');
INSERT INTO fact (provider, attribute, state, value, source, basis, checked_on, valid_from)
VALUES ('india', 'tags', 'documented', '[]', 's', 'repo', '2026-02-20', '2026-02-20'),
       ('india', 'billing', 'documented', '"By the hour"', 's', 'repo', '2026-02-20', '2026-02-20'),
       ('india', 'start', 'documented', '50', 's', 'repo', '2026-02-20', '2026-02-20'),
       ('india', 'session', 'documented', '60', 's', 'repo', '2026-02-20', '2026-02-20'),
       ('india', 'gpu', 'documented', 'false', 's', 'repo', '2026-02-20', '2026-02-20'),
       ('golf', 'level', 'documented', '"high"', 's', 'repo', '2026-02-20', '2026-02-20'),
       ('foxtrot', 'gpu', 'documented', 'true', 's', 'repo', '2026-02-20', '2026-02-20');
INSERT INTO fact (provider, offering, attribute, state, value, source, basis, checked_on, valid_from)
VALUES ('foxtrot', 'basic', 'level', 'documented', '"low"', 's', 'repo', '2026-02-20', '2026-02-20'),
       ('foxtrot', 'next', 'level', 'documented', '"high"', 's', 'repo', '2026-02-20', '2026-02-20'),
       ('foxtrot', 'plus', 'level', 'documented', '"mid"', 's', 'repo', '2026-02-20', '2026-02-20'),
       ('foxtrot', 'plus', 'gpu', 'documented', 'false', 's', 'repo', '2026-02-20', '2026-02-20');
INSERT INTO review VALUES ('alpha', '2026-02-20', 'all', NULL);
INSERT INTO use_case VALUES ('one', 1, '/one/', 'One', '{}');
INSERT INTO criterion VALUES ('one', 1, 'level', 1.0, '{"is":{"high":1,"mid":0.6,"low":0.1}}', 'w');
INSERT INTO criterion VALUES ('one', 2, 'gpu', 1.0, '{"is":{"true":1}}', 'w');
INSERT INTO criterion VALUES ('one', 3, 'tags', 1.0, '{"best_of":{"x":0.3,"y":0.7,"z":1}}', 'w');
INSERT INTO criterion VALUES ('one', 4, 'billing', 1.0, '{"contains":"second"}', 'w');
INSERT INTO criterion VALUES ('one', 5, 'start', 1.0, '{"log":{"best":100,"worst":10000}}', 'w');
INSERT INTO criterion VALUES ('one', 6, 'session', 1.0, '{"log":{"best":7200,"worst":3600}}', 'w');
INSERT INTO criterion VALUES ('one', 7, 'prices', 1.0, '{"key_log":{"key":"H100","best":1,"worst":4}}', 'w');
INSERT INTO use_case VALUES ('two', 2, '/two/', 'Two', '{}');
INSERT INTO criterion VALUES ('two', 1, 'tags', 1.0, '{"each":["x","y","z","never"]}', 'w');
INSERT INTO criterion VALUES ('two', 2, 'level', 1.0, '{"any":["mid","low"]}', 'w');
INSERT INTO criterion VALUES ('two', 3, 'billing', 1.0, '{"documented":1}', 'w');
INSERT INTO criterion VALUES ('two', 4, 'prices', 1.0, '{"key_log":{"key":"B200","best":1,"worst":4}}', 'w');
INSERT INTO use_case VALUES ('three', 3, '/three/', 'Three', '{}');
INSERT INTO criterion VALUES ('three', 1, 'tags', 1.0, '{"count":4}', 'w');
INSERT INTO criterion VALUES ('three', 2, 'prices', 1.0, '{"count":2}', 'w');
INSERT INTO use_case VALUES ('four', 4, '/four/', 'Four', '{}');
INSERT INTO criterion VALUES ('four', 1, 'tags', 1.0, '{"documented":1}', 'w');
INSERT INTO criterion VALUES ('four', 2, 'start', 3.0, '{"documented":1}', 'w');
INSERT INTO use_case VALUES ('fast-or-high', 5, '/fast-or-high/', 'Fast or high', '{}');
INSERT INTO criterion VALUES ('fast-or-high', 1, 'level', 2.0, '{"is":{"high":1,"mid":0.6,"low":0.1}}', 'w');
INSERT INTO criterion VALUES ('fast-or-high', 2, 'start', 1.0, '{"log":{"best":100,"worst":10000}}', 'w');
INSERT INTO use_case VALUES ('with-gpu', 6, '/with-gpu/', 'With GPU', '{"gpu":true,"level":["high","mid"]}');
INSERT INTO criterion VALUES ('with-gpu', 1, 'level', 1.0, '{"is":{"high":1,"mid":0.6}}', 'w');
INSERT INTO use_case VALUES ('broken', 7, '/broken/', 'Broken', '{}');
INSERT INTO criterion VALUES ('broken', 1, 'level', 1.0, '{"log":{"best":1,"worst":2}}', 'w');
INSERT INTO search SELECT kind, slug, title, body FROM search_source;
COMMIT;
