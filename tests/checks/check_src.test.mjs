// Each rule of scripts/check-src fires on a sample that breaks it, and only then.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';

const CHECK = path.resolve(path.dirname(new URL(import.meta.url).pathname), '../../scripts/check-src');

/** Runs the checks on a folder that holds just these files; answers the exit code and the breaches as [file:line, rule]. */
function check(files) {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'check-src-'));
    try {
        for (const [name, text] of Object.entries(files)) {
            fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
            fs.writeFileSync(path.join(folder, name), text);
        }
        const run = spawnSync(CHECK, [folder], { encoding: 'utf8' });
        assert.equal(run.stderr, '');
        const breaches = [...run.stdout.matchAll(/^(\S+:\d+): \[([\w-]+)\]/gm)].map(([, place, rule]) => [place, rule]);
        return { code: run.status, breaches };
    } finally {
        fs.rmSync(folder, { recursive: true });
    }
}

function fires(name, files, ...expected) {
    test(name, () => {
        assert.deepEqual(check(files), { code: 1, breaches: expected });
    });
}

function passes(name, files) {
    test(name, () => {
        assert.deepEqual(check(files), { code: 0, breaches: [] });
    });
}

const PRAGMA = '{{%AUTOESCAPE context="HTML"}}\n';
const lines = (count, text) => `${text}\n`.repeat(count);

passes('a clean tree', {
    'include/a.h': '/* Doubles. */\nint a_double(int number);\n\n/* Both halve. */\nint a_half(int number);\nint a_halve(\n    int number);\n',
    'src/a.c': '#include "a.h"\n/* strcpy(<p>) SELECT 1 */\nint a_double(int number) {\n    return 2 * number;\n}\n',
    'src/catalogue/statements.c': 'const char *one = "SELECT 1";\n',
    'src/catalogue/database.c': '#include <sqlite3.h>\n',
    'src/fetch/fetch.c': '#include <curl/curl.h>\n',
    'src/base/buf.c': 'void *f(void *p) {\n    return realloc(p, 9);\n}\n',
    'src/help.c': 'const char *help = "serve --db <file>: SELECTs a file; 1 < 2 && 3 > 2";\n',
    'templates/html/a.html': `${PRAGMA}<p title="{{name}}">{{name}}</p>\n`,
    'templates/md/a.md': '{{name:x-md}}\n',
});

fires('sqlite3.h elsewhere', { 'src/http/server.c': '#include <sqlite3.h>\n' }, ['src/http/server.c:1', 'door']);
fires('microhttpd.h elsewhere', { 'src/route/route.c': '\n#include <microhttpd.h>\n' }, ['src/route/route.c:2', 'door']);
fires('a library header in a public header', { 'include/a.h': '#include <zlib.h>\n' }, ['include/a.h:1', 'door']);
fires('ctemplate elsewhere', { 'src/represent/other.cc': '#include <ctemplate/template.h>\n' }, ['src/represent/other.cc:1', 'door']);
fires('curl elsewhere', { 'src/cli/sources.c': '#include <curl/curl.h>\n' }, ['src/cli/sources.c:1', 'door']);
fires('a library header in tests', { 'tests/unit/a_test.c': '#include <zstd.h>\n' }, ['tests/unit/a_test.c:1', 'door']);

fires('an element in a string', { 'src/a.c': 'const char *a = "<td class=\\"x\\">";\n' }, ['src/a.c:1', 'markup']);
fires('a closing element in a string', { 'src/a.c': 'const char *a = "x</p>";\n' }, ['src/a.c:1', 'markup']);
fires('an entity in a string', { 'src/a.c': '/* a\n */ const char *a = "&nbsp;";\n' }, ['src/a.c:2', 'markup']);
fires('a doctype in C++', { 'src/a.cc': 'const char *a = "<!DOCTYPE html>";\n' }, ['src/a.cc:1', 'markup']);
fires('an XML declaration', { 'src/a.c': 'const char *a = "<?xml version";\n' }, ['src/a.c:1', 'markup']);

fires('a query elsewhere', { 'src/a.c': 'const char *a = "SELECT slug FROM provider";\n' }, ['src/a.c:1', 'sql']);
fires('a query elsewhere in the catalogue', { 'src/catalogue/facts.c': 'const char *a = " WITH x AS (";\n' }, ['src/catalogue/facts.c:1', 'sql']);
fires('a query behind a comment', { 'src/a.c': 'const char *a = "/*scan*/ SELECT 1";\n' }, ['src/a.c:1', 'sql']);
fires('a pragma elsewhere', { 'src/a.c': 'const char *a = "PRAGMA query_only = 1";\n' }, ['src/a.c:1', 'sql']);

for (const name of ['strcpy', 'strcat', 'sprintf', 'strtok', 'atoi', 'strncpy', 'gmtime', 'localtime', 'strerror', 'alloca', 'system']) {
    fires(`banned: ${name}`, { 'src/a.c': `int f(void) {\n    return ${name}(x);\n}\n` }, ['src/a.c:2', 'banned']);
}
fires('realloc elsewhere', { 'src/a.c': 'void *f(void *p) {\n    return realloc(p, 9);\n}\n' }, ['src/a.c:2', 'banned']);
passes('their safe namesakes', { 'src/a.c': 'int f(void) {\n    return gmtime_r(x) + snprintf(y) + x->system(1) + a.strtok(2);\n}\n' });

const body = (count) => lines(count, '    x++;');
passes('a function of 60 lines', { 'src/a.c': `void f(int x) {\n${body(58)}}\n` });
fires('a function of 61 lines', { 'src/a.c': `\nvoid f(int x) {\n${body(59)}}\n` }, ['src/a.c:2', 'function-length']);
fires('a long function after a broken signature', { 'src/a.c': `void f(int x,\n       int y) {\n${body(60)}}\n` }, ['src/a.c:1', 'function-length']);
passes('a long table', { 'src/a.c': `static const int table[] = {\n${lines(100, '    1,')}};\n` });
passes('two functions of 40 lines', { 'src/a.c': `void f(int x) {\n${body(38)}}\n\nvoid g(int x) {\n${body(38)}}\n` });
passes('a file of 600 lines', { 'src/a.c': lines(600, 'int x;') });
fires('a file of 601 lines', { 'src/a.c': lines(601, 'int x;') }, ['src/a.c:601', 'file-length']);

fires('a prototype without a comment', { 'include/a.h': '/* A. */\n\nint a(void);\n' }, ['include/a.h:3', 'contract']);
fires('a prototype after a type', { 'include/a.h': '/* S. */\nstruct s {\n    int x; /* one */\n};\n\nconst char *a(struct s *s);\n' }, ['include/a.h:6', 'contract']);
fires('a broken prototype without a comment', { 'include/a.h': 'int\n*a(int x,\n   int y) __attribute__((pure));\n' }, ['include/a.h:1', 'contract']);

fires('a template without the pragma', { 'templates/html/a.html': '<p>{{name}}</p>\n' }, ['templates/html/a.html:1', 'pragma']);
fires('the pragma on line 2', { 'templates/html/a.html': `\n${PRAGMA}` }, ['templates/html/a.html:1', 'pragma']);
fires('a pragma of another context', { 'templates/html/a.html': '{{%AUTOESCAPE context="JSON"}}\n' }, ['templates/html/a.html:1', 'pragma']);
for (const attribute of ['onclick', 'formaction', 'xlink:href', 'srcset', 'poster', 'srcdoc', 'ping', 'style']) {
    fires(`a variable in ${attribute}`, { 'templates/html/a.html': `${PRAGMA}<a ${attribute}="x{{name}}">\n` }, ['templates/html/a.html:2', 'attribute']);
}
fires('a marker of another language', { 'templates/html/a.html': `${PRAGMA}{% if x %}\n` }, ['templates/html/a.html:2', 'marker']);
fires('escaping switched off', { 'templates/html/a.html': `${PRAGMA}{{name:none}}\n` }, ['templates/html/a.html:2', 'marker']);

fires('unfinished work', { 'README.md': `x\n${'TO' + 'DO'}: write\n` }, ['README.md:2', 'marker-word']);
fires('a path of one machine', { 'scripts/a': `cd ${'/wo' + 'rk'}/main\n` }, ['scripts/a:1', 'machine']);
fires('a package host', { 'docker/Dockerfile': `RUN curl ${'deb.deb' + 'ian.org'}\n` }, ['docker/Dockerfile:1', 'machine']);
fires('a registry address in a lock file', { 'tests/package-lock.json': '{"resolved": "https://example.org/a.tgz"}\n' }, ['tests/package-lock.json:1', 'machine']);
passes('what providers say in the catalogue', { 'sql/seed.sql': `INSERT INTO x VALUES ('mounts ${'/wo' + 'rk'}/ by default');\n` });
