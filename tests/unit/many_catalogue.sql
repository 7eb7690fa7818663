-- A catalogue of 150 providers: more than a page of each list, and more texts than facets.
INSERT INTO setting VALUES ('title', 'Many'), ('data_licence', 'CC-BY-4.0'), ('data_licence_url', 'https://example.org/');
INSERT INTO volatility VALUES ('slow', 'slow', 365);
INSERT INTO attribute_group VALUES ('all', 1, 'All');
INSERT INTO attribute VALUES
    ('gpu', 1, 'all', 'GPUs', 'bool', NULL, NULL, NULL, 1, 1, 'slow', 'Whether there are GPUs.'),
    ('licence', 2, 'all', 'Licence', 'text', NULL, NULL, NULL, 0, 1, 'slow', 'One text.');
INSERT INTO source VALUES ('src', 'https://example.org/', 'Docs', 'Example', 'docs', NULL, '2026-11-30', NULL, NULL, NULL, NULL, NULL);
-- Names run against slugs. The last twenty have one licence in common, the others one each; every third does not say whether it has GPUs.
INSERT INTO provider SELECT printf('p-%03d', value), printf('Name %03d', 151 - value), 'V', 'hosted', 'active', NULL, NULL, 'https://example.org/', NULL, NULL, NULL, 'One of many.'
    FROM (WITH RECURSIVE n(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < 150) SELECT value FROM n);
INSERT INTO fact (provider, offering, attribute, state, value, source, basis, checked_on, valid_from)
    SELECT slug, NULL, 'gpu', 'documented', 'false', 'src', 'repo', '2026-11-30', '2026-11-30' FROM provider WHERE CAST(substr(slug, 3) AS INTEGER) % 3 > 0;
INSERT INTO fact (provider, offering, attribute, state, value, source, basis, checked_on, valid_from)
    SELECT slug, NULL, 'licence', 'documented', iif(slug > 'p-130', '"Common"', '"Own ' || slug || '"'), 'src', 'repo', '2026-11-30', '2026-11-30' FROM provider;
