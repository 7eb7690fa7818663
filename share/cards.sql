-- What stands on the share images, read by share/draw: path, kind, title, text. A page without a row shows the image of the page above it.
SELECT '/', 'Every value with its source', 'Best AI agent sandboxes',
       'Isolation, persistence, network control, start times and price of ' || count(*) || ' sandboxes, compared from public sources.'
FROM provider
UNION ALL
SELECT '/sandboxes/' || slug || '/',
       CASE status WHEN 'active' THEN 'Agent sandbox' WHEN 'winding-down' THEN 'Agent sandbox, winding down' ELSE 'Agent sandbox, discontinued' END,
       name, summary
FROM provider
UNION ALL
SELECT '/alternatives/' || slug || '/', 'Alternatives', 'Alternatives to ' || name, 'Other sandboxes by the likeness of what is documented: what you gain, what you lose.'
FROM provider
UNION ALL
SELECT '/measurements/' || slug || '/', 'Measured start times', name,
       'Median and 95th percentile, day by day, from ' || count(DISTINCT day) || ' days of an independent benchmark.'
FROM measurement JOIN provider ON provider.slug = measurement.provider
GROUP BY slug
UNION ALL
SELECT '/compare/' || pair.a || '-vs-' || pair.b || '/', 'Head to head', one.name || ' vs ' || other.name, 'Where they differ, with a verdict for each need and the facts it rests on.'
FROM pair JOIN provider AS one ON one.slug = pair.a JOIN provider AS other ON other.slug = pair.b
UNION ALL
SELECT '/best/' || slug || '/', 'Ranking', title, 'Scores as intervals: what is documented, and what could still be true.'
FROM use_case
UNION ALL
SELECT '/guides/' || slug || '/', 'Guide', title, description FROM guide
UNION ALL
SELECT '/glossary/' || slug || '/', 'Glossary', term, description FROM glossary_term
UNION ALL
SELECT column1, 'Agent Sandboxes', column2, column3
FROM (VALUES
    ('/about/', 'About', 'An independent comparison: who keeps it, how it stays independent, and how it is made.'),
    ('/alternatives/', 'Alternatives', 'What to take instead of each sandbox, by a rule on documented values.'),
    ('/best/', 'The best sandbox for a use', 'One ranking for each use, with weights that you can set yourself.'),
    ('/changes/', 'What changed', 'Launches, limits, prices and shutdowns, newest first, each with its source.'),
    ('/compare/', 'Compare AI agent sandboxes', 'Ask for what you need: everything must hold in one and the same offering.'),
    ('/corrections/', 'Report an error', 'Every fact can be corrected: say which one, and what shows it.'),
    ('/data/', 'Data and citation', 'The whole catalogue as JSON, CSV and SQLite, free to reuse, with how to cite it.'),
    ('/data/api/', 'Asking from a program', 'Every address of the site, its parameters and its answers.'),
    ('/glossary/', 'Glossary', 'The words of the field, explained with live facts.'),
    ('/guides/', 'Guides', 'How to choose, isolate, limit and pay for agent sandboxes.'),
    ('/match/', 'Match', 'Requirements in, reasons out: what fits, what nearly fits, and what is not documented.'),
    ('/measurements/', 'Claimed and measured', 'Start times as vendors claim them beside an independent daily benchmark.'),
    ('/methodology/', 'Methodology', 'How facts are read, how they age, and how scores are made.'),
    ('/pricing/', 'What a month costs', 'Your job at the published rates of every sandbox, worked out step by step.'),
    ('/problems/', 'Problems that programs meet', 'Each kind of problem document, and what to do about it.'),
    ('/sandboxes/', 'All agent sandboxes', 'Every place where an agent can run code, with filters.'),
    ('/sources/', 'Every source', 'What was read, when, its state, and the facts that rest on it.'))
ORDER BY 1;
