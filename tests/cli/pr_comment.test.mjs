// scripts/pr-comment in a real git repository, made here.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { FOLDER, PROGRAM, TOP, expect, path } from './tools.mjs';

const repository = join(FOLDER, 'repository');
const SEED = join(repository, 'sql/seed.sql');
const environment = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null', GIT_AUTHOR_NAME: 'A', GIT_AUTHOR_EMAIL: 'a@example.org', GIT_COMMITTER_NAME: 'A', GIT_COMMITTER_EMAIL: 'a@example.org' };

function git(...args) {
    const run = spawnSync('git', args, { cwd: repository, encoding: 'utf8', env: environment });
    assert.equal(run.status, 0, `git ${args.join(' ')}: ${run.stderr}`);
    return run.stdout.trim();
}

function comment(...args) {
    const run = spawnSync(join(TOP, 'scripts/pr-comment'), args, { cwd: join(repository, 'sql'), encoding: 'utf8', env: environment });
    assert.ifError(run.error);
    return run;
}
const onMain = (...args) => comment('main', '--program', PROGRAM, ...args);

/** A branch from main with a change of the seed's text. */
function branch(name, change, from = 'main') {
    git('checkout', '-q', '-B', name, from);
    const text = readFileSync(SEED, 'utf8');
    const changed = change(text);
    assert.notEqual(changed, text);
    writeFileSync(SEED, changed);
    git('commit', '-q', '-a', '-m', name);
}

/** The seed after a command that changes a database file. */
function after(...args) {
    return () => {
        const db = path();
        expect(0, 'build', '--seed', SEED, '--folder', repository, '--out', db);
        expect(0, args[0], '--db', db, ...args.slice(1));
        const out = path('.sql');
        expect(0, 'dump', '--db', db, '--folder', repository, '--out', out);
        return readFileSync(out, 'utf8');
    };
}

const setNote = (note) => after('unset', 'e2b', 'github_stars', '--note', note);

before(() => {
    mkdirSync(repository);
    cpSync(join(TOP, 'sql'), join(repository, 'sql'), { recursive: true });
    git('init', '-q', '-b', 'main');
    git('add', '-A');
    git('commit', '-q', '-m', 'base');
});

test('without a change it says so', () => {
    git('checkout', '-q', '-B', 'same', 'main');
    const run = onMain();
    assert.deepEqual([run.status, run.stderr], [0, '']);
    assert.match(run.stdout, /^### The catalogue in this change\n\n\*\*check\*\*: 0 errors, \d+ warnings?\n\n\*\*diff\*\* against [0-9a-f]{12}:\n\nnothing changed\n$/);
});

test('a changed value is told in words, from where the branch began', () => {
    branch('value', setNote('The page is gone.'));
    // Meanwhile the main branch goes on.
    branch('main-goes-on', setNote('Something else.'));
    git('branch', '-f', 'main-later', 'main-goes-on');
    git('checkout', '-q', 'value');
    const out = path('.md');
    const run = comment('main-later', '--program', PROGRAM, '--out', out);
    assert.deepEqual([run.status, run.stdout], [0, '']);
    const text = readFileSync(out, 'utf8');
    assert.match(text, /e2b/);
    assert.match(text, /github_stars/);
    assert.match(text, /The page is gone\./);
    assert.doesNotMatch(text, /Something else/);
});

test('prose counts, and a file that is not committed too', () => {
    git('checkout', '-q', '-B', 'prose', 'main');
    const file = join(repository, 'sql/prose/glossary/gvisor.md');
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, `${text}\nOne more line of a test.\n`);
    const run = onMain();
    writeFileSync(file, text);
    assert.match(run.stdout, /glossary_term gvisor/);
    assert.match(run.stdout, /One more line of a test/);
});

test('a broken rule is an error, with its line', () => {
    let number = 0;
    branch('broken', (text) => {
        const lines = text.split('\n');
        number = lines.findIndex((line) => line.startsWith("INSERT INTO fact VALUES ('e2b', NULL, 'isolation', "));
        lines[number] = lines[number].replace('["', '["magic","');
        return lines.join('\n');
    });
    const run = onMain();
    assert.equal(run.status, 1);
    assert.match(run.stdout, /\*\*check\*\*: 1 error, /);
    assert.ok(run.stdout.includes(`sql/seed.sql:${number + 1}: [vocabulary] fact e2b isolation`));
    assert.match(run.stdout, /mend: /);
});

test('SQL that does not load, and a form that is not canonical', () => {
    branch('no-sql', (text) => text.replace('INSERT INTO', 'INSERT INTO [`x`](http://evil.example) @all'));
    const run = onMain();
    assert.equal(run.status, 1);
    assert.match(run.stdout, /does not load/);
    assert.doesNotMatch(run.stdout, /\[`x`\]\(|@all/);
    branch('form', (text) => text.replace("INSERT INTO setting VALUES ('", "INSERT  INTO setting VALUES ('"));
    const form = onMain();
    assert.equal(form.status, 1);
    assert.match(form.stdout, /not in its canonical form/);
    assert.match(form.stdout, /nothing changed/);
});

test('what a value holds stays a value', () => {
    const evil = 'a `b` ``` @everyone [c](http://evil.example) ![d](http://evil.example/e.png) <img src=x> | **f**';
    branch('evil', setNote(evil));
    const run = onMain();
    assert.equal(run.status, 0, run.stderr);
    const [line] = run.stdout.split('\n').filter((one) => one.includes('@everyone'));
    // A code span opens before it and closes after it, with more ticks than it holds.
    assert.match(line, /(?<!`)````(?!`).*@everyone.*(?<!`)````(?!`)/);
});

test('a long diff is cut at a line, and says so', () => {
    branch('long', (text) => text.replaceAll(/^(INSERT INTO measurement VALUES \('\w+', '\w+', '[\d-]+', )(\d+)/gm, (whole, start, runs) => `${start}${Number(runs) + 1}`));
    const run = onMain();
    assert.equal(run.status, 0, run.stdout.slice(0, 2000) + run.stderr);
    assert.ok(run.stdout.length < 65_536 && run.stdout.length > 50_000, `${run.stdout.length}`);
    assert.match(run.stdout, /\n\.\.\. and \d+ more lines: run `agent-sandboxes diff` to see them\n$/);
});

test('a base without a catalogue, or with one that does not load', () => {
    git('checkout', '-q', '--orphan', 'empty');
    git('rm', '-q', '-r', '-f', '.');
    writeFileSync(join(repository, 'README'), 'x');
    git('add', '-A');
    git('commit', '-q', '-m', 'empty');
    cpSync(join(TOP, 'sql'), join(repository, 'sql'), { recursive: true });
    const run = comment('empty', '--program', PROGRAM);
    assert.equal(run.status, 0, run.stderr);
    assert.match(run.stdout, /There is no diff:\*\* the catalogue of [0-9a-f]{12} does not load/);
    rmSync(join(repository, 'sql'), { recursive: true });
    git('checkout', '-q', '-f', 'main');
});

test('wrong command lines', () => {
    for (const args of [[], ['main', 'more'], ['--nope'], ['main', '--out'], ['no-such-branch', '--program', PROGRAM], ['--program', PROGRAM, '--', '--upload-pack=x']]) {
        const run = comment(...args);
        assert.deepEqual([run.status, run.stdout], [2, ''], args.join(' '));
        assert.match(run.stderr, /^pr-comment: /);
    }
});

test('the workflow runs this script, gives no token to what it checks, and builds on a base that is there', () => {
    const text = readFileSync(join(TOP, '.github/workflows/catalogue.yml'), 'utf8');
    assert.match(text, /run: scripts\/pr-comment "\$BASE" --out comment\.md/);
    assert.match(text, /^permissions:\n {2}contents: read\n/m);
    assert.match(text, /persist-credentials: false/);
    assert.match(text, /fetch-depth: 0/);
    // What comes from outside goes through the environment, never into a command.
    for (const [line] of text.matchAll(/run:.*$/gm)) assert.doesNotMatch(line, /\$\{\{/);
    const [, commenting] = text.split(/^ {2}comment:$/m);
    assert.doesNotMatch(commenting, /checkout|scripts\//);
});
