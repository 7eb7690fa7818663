// Badges, tables for the pages of others, and oEmbed.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import Ajv2020 from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { startServer } from './harness.mjs';

const PUBLIC = 'https://sandboxes.example/guide';

let server;
let below;
before(async () => {
    server = await startServer({ args: ['--public-url', 'https://sandboxes.example'] });
    below = await startServer({ args: ['--public-url', PUBLIC, '--base-path', '/guide'] });
});
after(async () => {
    await server?.stop();
    await below?.stop();
});

const xml = new XMLParser({ ignoreAttributes: false, attributeNamePrefix: '' });

async function badge(target) {
    const answer = await server.get(target);
    assert.equal(answer.status, 200, `${target}: ${answer.text}`);
    assert.equal(answer.headers.get('content-type'), 'image/svg+xml; charset=utf-8');
    assert.equal(XMLValidator.validate(answer.text), true);
    assert.ok(!/<script|<style|\son\w+=|href=/.test(answer.text), 'a badge is only a picture');
    return { answer, svg: xml.parse(answer.text).svg };
}

test('a badge of every provider and of every attribute of one', async () => {
    const { json } = await server.get('/data/providers.json');
    for (const { slug, name } of json.providers) {
        const { svg } = await badge(`/badge/${slug}.svg`);
        assert.ok(String(svg.title['#text']).startsWith(`${name}: `), slug);
        assert.equal(svg.role, 'img');
        assert.ok(svg.desc['#text'].length > 10);
        const [left, right] = svg.g.text;
        assert.ok(Number(left.x) + Number(left.textLength) < Number(right.x));
        assert.equal(Number(right.x) + Number(right.textLength) + 6, Number(svg.width), 'the text fills its box');
    }
    for (const { key, label } of json.attributes) {
        const { svg } = await badge(`/badge/daytona.svg?attribute=${key}`);
        assert.ok(svg.title['#text'].includes(`: ${label}: `), key);
        assert.ok([...svg.title['#text']].length < 110, 'a badge is short');
    }
});

test('a badge says what the fact says, with source and day', async () => {
    const { json } = await server.get('/data/providers/e2b.json');
    const fact = json.provider.facts.isolation;
    const { svg } = await badge('/badge/e2b.svg?attribute=isolation');
    assert.equal(svg.title['#text'], `E2B: Isolation: ${fact.text}`);
    assert.ok(svg.desc['#text'].includes(fact.source.url) && svg.desc['#text'].includes(fact.checked_on));
    assert.match((await badge('/badge/riza.svg')).svg.title['#text'], /discontinued/);
    const { providers } = (await server.get('/data/providers.json')).json;
    // What a provider does not document for all of it, but for the one offering.
    const isDocumented = (one) => one?.state === 'documented';
    const single = providers.flatMap(({ slug, name, facts, offerings }) =>
        Object.entries(facts).flatMap(([key, own]) => {
            const [only, ...more] = offerings.filter((offering) => isDocumented(offering.facts[key]));
            return own.state === 'not_documented' && only && more.length === 0 ? [{ slug, name, key, only }] : [];
        }),
    );
    assert.ok(single.length > 0);
    for (const { slug, name, key, only } of single) {
        const picture = (await badge(`/badge/${slug}.svg?attribute=${key}`)).svg;
        assert.ok(picture.title['#text'].endsWith(`: ${only.facts[key].text} (${only.slug})`), picture.title['#text']);
        assert.ok(picture.desc['#text'].includes(`of ${name} (${only.slug}): `) && picture.desc['#text'].includes(only.facts[key].source.url));
    }
    for (const state of ['not_documented', 'not_applicable']) {
        const { slug, facts } = providers.find((provider) => Object.values(provider.facts).some((one) => one.state === state));
        const [key, { text }] = Object.entries(facts).find(([, one]) => one.state === state);
        assert.ok((await badge(`/badge/${slug}.svg?attribute=${key}`)).svg.title['#text'].endsWith(`: ${text}`));
    }
});

async function problem(target, status, type) {
    const answer = await server.get(target);
    assert.equal(answer.status, status, `${target}: ${answer.text}`);
    assert.equal(answer.headers.get('content-type'), 'application/problem+json');
    assert.equal(answer.json.type, `/problems/${type}`);
    assert.equal((await server.get(answer.json.type)).status, 200);
    return answer.json;
}

test('bad input', async () => {
    await problem('/badge/nobody.svg', 404, 'not-found');
    await problem('/badge/.svg', 404, 'not-found');
    const attribute = await problem('/badge/e2b.svg?attribute=isolatoin', 400, 'invalid-parameter');
    assert.equal(attribute.nearest, 'isolation');
    await problem('/badge/e2b.svg?format=png', 400, 'invalid-parameter');
    await problem('/embed/compare?gpu=bogus', 400, 'invalid-parameter');
    await problem('/oembed', 400, 'invalid-parameter');
    await problem('/oembed?url=', 400, 'invalid-parameter');
    const page = encodeURIComponent('https://sandboxes.example/sandboxes/e2b/');
    await problem(`/oembed?url=${page}&format=yaml`, 501, 'not-implemented');
    await problem(`/oembed?url=${page}&maxwidth=wide`, 400, 'invalid-parameter');
    await problem(`/oembed?url=${page}&maxheight=-1`, 400, 'invalid-parameter');
    for (const url of [
        'https://other.example/sandboxes/e2b/',
        'https://sandboxes.example.evil/sandboxes/e2b/',
        'https://sandboxes.example@evil/sandboxes/e2b/',
        'http://sandboxes.example/sandboxes/e2b/',
        'https://sandboxes.example',
        'https://sandboxes.example/about/',
        'https://sandboxes.example/sandboxes/nobody/',
        'https://sandboxes.example/sandboxes/e2b',
        'https://sandboxes.example/sandboxes/e2b/x/',
        'https://sandboxes.example/compare/e2b-vs-nobody/',
        'https://sandboxes.example/compare/-vs-/',
        'https://sandboxes.example/compare/x/../e2b-vs-modal/',
        'https://sandboxes.example/compare/?gpu=bogus',
        'https://sandboxes.example/compare/?%ff',
        'javascript:alert(1)',
        '"><script>',
    ]) {
        await problem(`/oembed?url=${encodeURIComponent(url)}`, 404, 'not-found');
    }
    assert.equal((await server.get(`/oembed?url=${'x'.repeat(5000)}`)).status, 414);
    for (const target of ['/oembed', '/embed/compare', '/badge/e2b.svg']) {
        assert.equal((await server.fetch(target, { method: 'POST' })).status, 405, target);
    }
});

test('a table for a frame: no script, no form, day and source of each value, noindex', async () => {
    for (const query of ['', 'isolation=microvm&gpu=true', 'providers=e2b,modal&columns=isolation,gpu', 'gpu=true&isolation=wasm&os=windows']) {
        const answer = await server.get(`/embed/compare?${query}`);
        assert.equal(answer.status, 200, query);
        const policy = answer.headers.get('content-security-policy');
        assert.match(policy, /frame-ancestors \*/);
        assert.match(policy, /default-src 'none'/);
        assert.ok(!/script-src|unsafe/.test(policy));
        assert.equal(answer.headers.get('x-frame-options'), null);
        assert.ok(!/<script|<form|\son\w+=|style=/.test(answer.text));
        assert.match(answer.text, /<meta name="robots" content="noindex">/);
        assert.match(answer.text, /<link rel="canonical" href="https:\/\/sandboxes\.example\/compare\//);
        const { json } = await server.get(`/compare?${query}`);
        const offerings = json.matches.flatMap((provider) => provider.offerings);
        assert.equal(answer.text.match(/<th scope="row">/g)?.length ?? 0, offerings.length, query);
        for (const { facts } of offerings) {
            for (const fact of Object.values(facts)) {
                assert.ok(fact.source === null || answer.text.includes(`href="${fact.source.url.replaceAll('&', '&amp;')}"`), fact.id);
                assert.ok(fact.checked_on === null || answer.text.includes(`datetime="${fact.checked_on}"`), fact.id);
            }
        }
        assert.ok([...answer.text.matchAll(/<a [^>]*>/g)].every(([link]) => link.includes('target="_blank" rel="noopener')), 'a link would open in the frame');
    }
    for (const page of ['/compare/', '/', '/sandboxes/e2b/', '/embed/compare?gpu=bogus']) {
        const { headers } = await server.fetch(page, { headers: { accept: 'text/html' } });
        assert.match(headers.get('content-security-policy'), /frame-ancestors 'none'/, page);
    }
});

test('oEmbed of every kind of page, as JSON and XML, leads to a frame that answers', async () => {
    const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
    addFormats(ajv);
    const isOembed = ajv.compile((await server.get('/data/oembed.schema.json')).json);
    for (const [from, site] of [[server, 'https://sandboxes.example'], [below, PUBLIC]]) {
        for (const [path, width] of [
            ['/sandboxes/e2b/', 760],
            ['/sandboxes/riza/#isolation', 760],
            ['/compare/e2b-vs-modal/', 760],
            ['/compare/modal-vs-e2b/', 300],
            ['/compare/', 760],
            ['/compare/?isolation=microvm&gpu=true', 400],
            ['/compare?providers=e2b,modal', 760],
        ]) {
            const base = site === PUBLIC ? '/guide' : '';
            const query = `url=${encodeURIComponent(site + path)}&maxwidth=${width}&maxheight=9000`;
            const { json, status, headers, text } = await from.get(`${base}/oembed?${query}`);
            assert.equal(status, 200, `${path}: ${text}`);
            assert.match(headers.get('content-type'), /^application\/json/);
            assert.ok(isOembed(json), JSON.stringify(isOembed.errors));
            assert.deepEqual([json.width, json.height], [width, 480]);
            const frame = xml.parse(json.html).iframe;
            assert.ok(frame.src.startsWith(`${site}/embed/compare`), frame.src);
            assert.equal(Number(frame.width), width);
            assert.ok(frame.title.length > 1);
            const shown = await from.get(frame.src.slice('https://sandboxes.example'.length).replaceAll('&amp;', '&'));
            assert.equal(shown.status, 200, frame.src);
            assert.match(shown.text, /<th scope="row">/);
            const other = await from.get(`${base}/oembed?${query}&format=xml`);
            assert.equal(other.headers.get('content-type'), 'text/xml; charset=utf-8');
            assert.equal(XMLValidator.validate(other.text), true);
            const parsed = xml.parse(other.text).oembed;
            assert.equal(parsed.html, json.html);
            assert.deepEqual([String(parsed.title), String(parsed.width), parsed.type], [json.title, String(width), 'rich']);
        }
    }
});

test('pages name their embedding, and show what to paste', async () => {
    for (const page of ['/sandboxes/e2b/', '/compare/?isolation=microvm', '/compare/e2b-vs-modal/', '/compare/?providers=e2b,modal']) {
        const { text } = await server.get(page, { headers: { accept: 'text/html' } });
        const [, discovery] = /type="application\/json\+oembed" title="[^"]+" href="([^"]+)"/.exec(text.slice(0, text.indexOf('</head>')));
        const target = discovery.replaceAll('&amp;', '&').slice('https://sandboxes.example'.length);
        const { json } = await server.get(target);
        const escape = (markup) => markup.replace(/[&<>"]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c]);
        const shown = /Embed this table<\/summary>.*?<code>(.*?)<\/code>/s.exec(text)[1];
        const src = (markup) => /src="([^"]+)"/.exec(markup)[1];
        assert.equal(src(shown.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&amp;', '&')), src(json.html), page);
        assert.ok(escape(json.html).startsWith('&lt;iframe'));
    }
    const { text } = await server.get('/sandboxes/e2b/');
    assert.match(text, /https:\/\/sandboxes\.example\/badge\/e2b\.svg/);
});

test('HEAD, ETag, 304 and Link', async () => {
    for (const target of ['/badge/e2b.svg', '/embed/compare?gpu=true', `/oembed?url=${encodeURIComponent('https://sandboxes.example/compare/')}`]) {
        const first = await server.get(target);
        const tag = first.headers.get('etag');
        assert.match(tag, /^"/);
        assert.equal((await server.fetch(target, { headers: { 'if-none-match': tag } })).status, 304, target);
        const head = await server.fetch(target, { method: 'HEAD' });
        assert.deepEqual([head.status, head.headers.get('etag'), await head.text()], [200, tag, ''], target);
        assert.match(head.headers.get('link'), /rel="license"/);
        assert.equal(head.headers.get('cross-origin-resource-policy'), 'cross-origin');
    }
});
