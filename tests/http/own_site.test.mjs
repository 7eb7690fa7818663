// --site: a name, a logo, colours, a footer and the language of dates for one deployment. docs/own-site.md says what the file can hold.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { TOP, run, startServer } from './harness.mjs';

const HOST = 'https://reference.test';
const LOGO = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><path d="M0 0h10v10H0z" fill="#314"/></svg>';
const SITE = {
    name: 'Boxes & <Walls>',
    short_name: 'Boxes',
    logo: 'mark.svg',
    colours: { light: { accent: '#3b2a8c' }, dark: { accent: '#b9a9ff' } },
    language: 'de',
    footer: 'Run by *us*, see [the imprint](/about/) and [elsewhere](https://example.org/).\n\n<b onclick="x()">no</b> <script>alert(1)</script>',
};

const folder = mkdtempSync(path.join(tmpdir(), 'own-site-'));
const write = (site, name = 'site.json') => {
    const file = path.join(folder, name);
    writeFileSync(file, typeof site === 'string' ? site : JSON.stringify(site));
    return file;
};

/** The digest of an asset's bytes, as its validator has it too: what address and bytes must agree on. */
const digest = async (server, target) => /^"([0-9a-f]{16})/.exec((await server.fetch(target, { headers: { 'accept-encoding': 'identity' } })).headers.get('etag'))[1];

let own, plain;
before(async () => {
    writeFileSync(path.join(folder, 'mark.svg'), LOGO);
    own = await startServer({ args: ['--site', write(SITE), '--public-url', `${HOST}/guide`] });
    plain = await startServer();
});
after(async () => {
    await Promise.all([own?.stop(), plain?.stop()]);
    rmSync(folder, { recursive: true });
});

const page = async (address) => (await own.get(`/guide${address}`)).text;

test('the name stands wherever the site names itself', async () => {
    const escaped = 'Boxes &amp; &lt;Walls&gt;';
    const home = await page('/');
    assert.ok(home.includes(`<meta property="og:site_name" content="${escaped}">`));
    assert.match(home, new RegExp(`<a class="brand" href="/guide/">.*<span>${escaped}</span></a>`));
    const json = async (address) => (await own.get(`/guide${address}`)).json;
    const manifest = await json('/site.webmanifest');
    assert.deepEqual([manifest.name, manifest.short_name], [SITE.name, SITE.short_name]);
    assert.equal((await json('/openapi.json')).info.title, SITE.name);
    assert.equal((await json('/data/datapackage.json')).title, SITE.name);
    assert.equal((await json('/changes.json')).authors[0].name, SITE.name);
    assert.equal((await json('/oembed?url=/sandboxes/e2b/')).provider_name, SITE.name);
    assert.ok((await page('/changes.atom')).includes(`<author><name>${escaped}</name>`));
    assert.ok((await page('/calendar.ics')).includes(`X-WR-CALNAME:${SITE.name}`));
    assert.match(await page('/llms.txt'), /^# Boxes & &lt;Walls&gt;\n/);
});

test('canonical and other absolute addresses are those of --public-url, whatever a proxy or a client says', async () => {
    const answer = await own.get('/guide/about/', { headers: { forwarded: 'host=evil.test;proto=http', 'x-forwarded-host': 'evil.test', 'x-forwarded-prefix': '/evil' } });
    assert.equal(answer.status, 200);
    assert.ok(answer.text.includes(`<link rel="canonical" href="${HOST}/guide/about/">`));
    assert.ok(answer.text.includes(`<meta property="og:url" content="${HOST}/guide/about/">`));
    assert.doesNotMatch(answer.text, /evil/);
});

test('the logo is an asset with the hash of its bytes in its address, at the top, as the icon and in the manifest', async () => {
    const [, address] = /<img class="logo" src="\/guide(\/logo\.svg\?v=[0-9a-f]{16})" alt="">/.exec(await page('/about/'));
    const logo = await own.get(`/guide${address}`);
    assert.deepEqual([logo.text, logo.headers.get('content-type')], [LOGO, 'image/svg+xml']);
    assert.equal(address, `/logo.svg?v=${await digest(own, '/guide/logo.svg')}`);
    assert.match(await page('/about/'), /<link rel="icon" href="\/guide\/logo\.svg" type="image\/svg\+xml">/);
    assert.doesNotMatch(await page('/about/'), /apple-touch-icon/);
    assert.deepEqual((await own.get('/guide/site.webmanifest')).json.icons, [{ src: '/guide/logo.svg', type: 'image/svg+xml', sizes: 'any' }]);
});

test('a PNG does as well', async () => {
    const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');
    writeFileSync(path.join(folder, 'mark.png'), png);
    const server = await startServer({ args: ['--site', write({ logo: 'mark.png' }, 'png.json')] });
    try {
        assert.match((await server.get('/about/')).text, /<link rel="icon" href="\/logo\.png" type="image\/png">/);
        assert.deepEqual(Buffer.from(await (await server.fetch('/logo.png')).arrayBuffer()), png);
    } finally {
        await server.stop();
    }
});

test('the colours are a style sheet of their own, and the policy stays as strict', async () => {
    const answer = await own.get('/guide/about/');
    const [, address] = /<link rel="stylesheet" href="(\/guide\/colours\.css\?v=[0-9a-f]{16})">/.exec(answer.text);
    const sheet = await own.get(address);
    assert.equal(address, `/guide/colours.css?v=${await digest(own, '/guide/colours.css')}`);
    assert.match(sheet.text, /--accent:light-dark\(#3b2a8c,#b9a9ff\);/);
    assert.match(sheet.text, /--ink:light-dark\(#171c1a,#e6eae7\);/, 'what the file leaves out is as the program has it');
    assert.equal(answer.headers.get('content-security-policy'), (await plain.get('/about/')).headers.get('content-security-policy'));
    assert.doesNotMatch(answer.text, /<style| style=/);
    assert.ok((await page('/embed/compare?gpu=true')).includes(address.slice('/guide'.length)));
    assert.equal((await own.get('/guide/site.webmanifest')).json.theme_color, '#3b2a8c');
});

test('the footer is Markdown, and nothing in it is markup of its own', async () => {
    const text = await page('/about/');
    const [, foot] = /<div class="foot-own">([^]*?)<\/div>/.exec(text);
    assert.match(foot, /<em>us<\/em>/);
    assert.match(foot, /<a href="\/guide\/about\/">the imprint<\/a>/);
    assert.doesNotMatch(foot, /onclick|<b|<script/);
    assert.match(await page('/about.md'), /Run by \*us\*, see \[the imprint\]\(\/guide\/about\/\)/);
});

test('every date is in the language, and says so', async () => {
    const month = /\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4}/;
    for (const address of ['/', '/sandboxes/e2b/', '/changes/', '/sources/', '/measurements/e2b/', '/methodology/', '/best/gpu/', '/compare/e2b-vs-modal/', '/glossary/microvm/', '/embed/compare?gpu=true', '/about/?as_of=2026-11-30']) {
        const times = [...(await page(address)).matchAll(/<time ([^>]*)>([^<]*)<\/time>/g)];
        assert.ok(times.length > 0, address);
        for (const [, attributes, text] of times) {
            assert.match(attributes, / lang="de"$/, address);
            assert.match(text, /^(?:\d{1,2}\. )?(?:(?:Jan\.|Feb\.|März|Apr\.|Mai|Juni|Juli|Aug\.|Sept\.|Okt\.|Nov\.|Dez\.) )?\d{4}$/, address);
        }
    }
    assert.match(await page('/about/'), /^<!DOCTYPE html>\n<html lang="en-GB"/m, 'the words around them are English');
    assert.doesNotMatch(await page('/changes.md'), month);
    assert.match((await plain.get('/')).text, /<time datetime="2026-11-30">30 Nov 2026<\/time>/);
});

for (const [language, text] of [['fr', '30 nov. 2026'], ['es', '30 nov 2026'], ['nl', '30 nov. 2026'], ['en', '30 Nov 2026']]) {
    test(`dates in ${language}`, async () => {
        const server = await startServer({ args: ['--site', write({ language }, `${language}.json`)] });
        try {
            const attribute = language === 'en' ? '' : ` lang="${language}"`;
            assert.ok((await server.get('/about/')).text.includes(`<time datetime="2026-11-30"${attribute}>${text}</time>`));
        } finally {
            await server.stop();
        }
    });
}

test('the exported site has it all', async () => {
    const out = path.join(folder, 'static');
    const { code, stderr } = await run(['export', '--static', out, '--public-url', `${HOST}/guide`, '--site', path.join(folder, 'site.json')]);
    assert.equal(code, 0, stderr);
    assert.match(readFileSync(path.join(out, 'about/index.html'), 'utf8'), /foot-own/);
    assert.match(readFileSync(path.join(out, 'colours.css'), 'utf8'), /#3b2a8c/);
    assert.equal(readFileSync(path.join(out, 'logo.svg'), 'utf8'), LOGO);
});

writeFileSync(path.join(folder, 'script.svg'), LOGO.replace('<path', '<script>alert(1)</script><path'));
writeFileSync(path.join(folder, 'no.png'), 'GIF89a');
for (const [what, site, words] of [
    ['unreadable text', { colours: { light: { accent: '#9ad1c4' } } }, /accent #9ad1c4 on paper #fcfcfa has a contrast of 1\.\d\d in the light scheme; text needs 4\.5/],
    ['an unreadable dark scheme', { colours: { dark: { ink: '#333333' } } }, /ink #333333 on paper #101413 .* in the dark scheme/],
    ['edges that nobody sees', { colours: { light: { edge: '#eeeeee' } } }, /edge #eeeeee on paper .* an edge needs 3\.0/],
    ['a colour in words', { colours: { light: { ink: 'red; } body { x' } } }, /ink of "light" is not written as #rrggbb/],
    ['an unknown colour', { colours: { light: { link: '#000000' } } }, /"colours" has "link"; it can have paper/],
    ['an unknown scheme', { colours: { blue: {} } }, /"light" and "dark", not "blue"/],
    ['an unknown member', { nam: 'x' }, /it has "nam"; it can have name/],
    ['a name of two lines', { name: 'a\nb' }, /"name" takes one line/],
    ['an unknown language', { language: 'xx' }, /"de", "en", "es", "fr" or "nl"/],
    ['a logo that is no picture', { logo: 'site.json' }, /ends in \.svg or \.png/],
    ['a logo that is missing', { logo: 'gone.svg' }, /cannot open .*gone\.svg/],
    ['a logo with a script', { logo: 'script.svg' }, /script\.svg is not an SVG drawing/],
    ['a logo with another content', { logo: 'no.png' }, /no\.png is not a PNG/],
    ['a heading in the footer', { footer: '# Big' }, /not headings or tables/],
    ['a script address in the footer', { footer: '[x](javascript:alert)' }, /"footer" links to "javascript:alert"/],
    ['a mark in the footer', { footer: '[[e2b:isolation]]' }, /marks belong to guides/],
    ['no JSON', '{', /site-bad\.json: line 1/],
    ['a list', [], /is not a JSON object/],
    ['a member twice', '{"name":"a","name":"b"}', /duplicate/],
]) {
    test(`a site file with ${what} is refused at the start`, async () => {
        const { code, stderr } = await run(['serve', '--listen', '127.0.0.1:0', '--site', write(site, 'site-bad.json')]);
        assert.equal(code, 1, stderr);
        assert.match(stderr, words);
    });
}

test('the example of the documentation is one that the program takes', async () => {
    const text = readFileSync(path.join(TOP, 'docs/own-site.md'), 'utf8');
    const [, example] = /```json\n([^]*?)```/.exec(text);
    writeFileSync(path.join(folder, 'logo.svg'), LOGO);
    const server = await startServer({ args: ['--site', write(example, 'example.json')] });
    await server.stop();
});
