-- A catalogue of four providers that shows every answer a condition can meet.
INSERT INTO setting VALUES ('title', 'Small'), ('data_licence', 'CC-BY-4.0'), ('data_licence_url', 'https://example.org/');
INSERT INTO volatility VALUES ('slow', 'slow', 365);
INSERT INTO attribute_group VALUES ('all', 1, 'All');
INSERT INTO attribute VALUES
    ('isolation', 1, 'all', 'Isolation', 'set', NULL, NULL, NULL, 1, 1, 'slow', 'The boundary.'),
    ('gpu', 2, 'all', 'GPUs', 'bool', NULL, NULL, NULL, 1, 1, 'slow', 'Whether there are GPUs.'),
    ('level', 3, 'all', 'Level', 'enum', NULL, NULL, NULL, 0, 1, 'slow', 'How far.'),
    ('session', 4, 'all', 'Longest session', 'duration', 's', 'higher', NULL, 1, 1, 'slow', 'How long.'),
    ('price', 5, 'all', 'Price', 'money', 'USD/h', 'lower', NULL, 0, 1, 'slow', 'How dear.'),
    ('gpus', 6, 'all', 'GPU prices', 'money-map', 'USD/h', 'lower', NULL, 0, 1, 'slow', 'How dear each.'),
    ('tags', 7, 'all', 'Tags', 'set', NULL, NULL, NULL, 0, 1, 'slow', 'Open values.'),
    ('licence', 8, 'all', 'Licence', 'text', NULL, NULL, NULL, 0, 1, 'slow', 'One text.'),
    ('memo', 9, 'all', 'Memo', 'text', NULL, NULL, NULL, 0, 0, 'slow', 'No filter.');
INSERT INTO attribute_value VALUES ('isolation', 1, 'microvm', 'microVM'), ('isolation', 2, 'container', 'container'), ('isolation', 3, 'vm', 'VM'),
    ('level', 1, 'low', 'low'), ('level', 2, 'mid', 'middle'), ('level', 3, 'high', 'high');
INSERT INTO source VALUES ('src', 'https://example.org/', 'Docs', 'Example', 'docs', NULL, '2026-11-30', NULL, NULL, NULL, NULL, NULL);
INSERT INTO provider VALUES
    ('alpha', 'Alpha', 'A', 'hosted', 'active', NULL, NULL, 'https://example.org/', NULL, NULL, NULL, 'Runs quokkas.'),
    ('beta', 'beta', 'B', 'self-hostable', 'active', NULL, NULL, 'https://example.org/', NULL, NULL, NULL, 'Runs wombats.'),
    ('delta', 'Delta', 'D', 'hosted', 'discontinued', NULL, NULL, 'https://example.org/', NULL, NULL, NULL, 'Ran wombats.'),
    ('gamma', 'Gamma', 'C', 'local-tool', 'active', NULL, NULL, 'https://example.org/', NULL, NULL, NULL, 'Says little.');
INSERT INTO offering VALUES
    ('beta', 1, 'one', 'One', 'ga', 1), ('beta', 2, 'two', 'Two', 'deprecated', 0), ('beta', 3, 'three', 'Three', NULL, 0);
INSERT INTO fact (provider, offering, attribute, state, value, source, basis, checked_on, valid_from) VALUES
    ('alpha', NULL, 'isolation', 'documented', '["microvm","vm"]', 'src', 'repo', '2026-11-30', '2026-11-30'),
    ('alpha', NULL, 'gpu', 'documented', 'false', 'src', 'repo', '2026-11-30', '2026-11-30'),
    ('alpha', NULL, 'level', 'documented', '"high"', 'src', 'repo', '2026-11-30', '2026-11-30'),
    ('alpha', NULL, 'session', 'documented', '"unlimited"', 'src', 'repo', '2026-11-30', '2026-11-30'),
    ('alpha', NULL, 'price', 'documented', '1', 'src', 'repo', '2026-11-30', '2026-11-30'),
    ('alpha', NULL, 'gpus', 'documented', '{"H100":3,"T4":0.5}', 'src', 'repo', '2026-11-30', '2026-11-30'),
    ('alpha', NULL, 'tags', 'documented', '["a, b","c"]', 'src', 'repo', '2026-11-30', '2026-11-30'),
    ('alpha', NULL, 'licence', 'documented', '"MIT"', 'src', 'repo', '2026-11-30', '2026-11-30'),
    ('beta', NULL, 'isolation', 'documented', '["container"]', 'src', 'repo', '2026-11-30', '2026-11-30'),
    ('beta', NULL, 'gpu', 'documented', 'true', 'src', 'repo', '2026-11-30', '2026-11-30'),
    ('beta', NULL, 'session', 'documented', '3600', 'src', 'repo', '2026-11-30', '2026-11-30'),
    ('beta', NULL, 'price', 'documented', '2', 'src', 'repo', '2026-11-30', '2026-11-30'),
    ('beta', NULL, 'tags', 'documented', '["a","b"]', 'src', 'repo', '2026-11-30', '2026-11-30'),
    ('beta', NULL, 'licence', 'documented', '"Apache-2.0, with parts"', 'src', 'repo', '2026-11-30', '2026-11-30'),
    ('beta', 'one', 'isolation', 'documented', '["microvm"]', 'src', 'repo', '2026-11-30', '2026-11-30'),
    ('beta', 'one', 'gpu', 'not_documented', NULL, NULL, NULL, '2026-11-30', '2026-11-30'),
    ('beta', 'two', 'isolation', 'documented', '["microvm"]', 'src', 'repo', '2026-11-30', '2026-11-30'),
    ('beta', 'three', 'price', 'not_applicable', NULL, NULL, NULL, '2026-11-30', '2026-11-30'),
    ('delta', NULL, 'isolation', 'documented', '["container"]', 'src', 'repo', '2026-11-30', '2026-11-30'),
    ('delta', NULL, 'gpus', 'documented', '{}', 'src', 'repo', '2026-11-30', '2026-11-30'),
    ('delta', NULL, 'session', 'documented', '60', 'src', 'repo', '2026-11-30', '2026-11-30');
INSERT INTO use_case VALUES ('any', 1, '/best/', 'Best', '{}');
INSERT INTO criterion VALUES ('any', 1, 'gpu', 1, '{"is":{"true":1}}', 'Because.');
INSERT INTO review VALUES ('alpha', '2026-11-30', 'all', NULL);
INSERT INTO search SELECT kind, slug, title, body FROM search_source;
