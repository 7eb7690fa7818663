// The home page: what it shows is what its model and the catalogue say.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startServer } from './harness.mjs';
import { text } from './html.mjs';

const HTML = { headers: { accept: 'text/html' } };
let server;
let page;
let model;
before(async () => {
    server = await startServer();
    page = (await server.get('/', HTML)).text;
    model = (await server.get('/?format=json')).json;
});
after(() => server?.stop());

/** The markup of the section with this id. */
const section = (html, id) => new RegExp(`<section class="sec" id="${id}".*?(?=<section class="sec"|</main>)`, 's').exec(html)[0];
const words = (html) => text(`<b>${html}</b>`, 'b');
const rowNames = (html) => [...html.matchAll(/<th scope="row"><a href="\/sandboxes\/([^/]+)\/">/g)].map((match) => match[1]);

test('it ranks every active provider, and only those', async () => {
    const { json } = await server.get('/data/providers.json');
    const active = json.providers.filter((provider) => provider.status === 'active').map((provider) => provider.slug);
    assert.deepEqual(model.ranked.map((entry) => entry.slug).sort(), active.sort());
    assert.equal(model.counts.providers_active, active.length);
});

test('the picks are the first places, each with a reason that rests on a source', () => {
    const picks = [...section(page, 'picks').matchAll(/<li class="pick">.*?<\/li>/gs)].map((match) => match[0]);
    assert.equal(picks.length, 5);
    picks.forEach((pick, index) => {
        assert.ok(pick.includes(`href="/sandboxes/${model.ranked[index].slug}/"`), pick);
        assert.match(pick, /<p>[^<]{10,}<button class="src" type="button" popovertarget="s-\d+"/);
        const low = Number(/<b>([\d.]+)<\/b>/.exec(pick)[1]);
        assert.ok(Math.abs(low - model.ranked[index].low) <= 0.051, `${low} is not ${model.ranked[index].low}`);
    });
});

test('the first comparison has the headline attributes that the ranking weighs, each documented value with its fact and its source', async () => {
    const { json } = await server.get('/data/providers.json');
    const weights = new Map(model.criteria.map(({ attribute, default_weight: weight }) => [attribute, weight]));
    const mean = [...weights.values()].reduce((sum, weight) => sum + weight, 0) / weights.size;
    const headlines = json.attributes.filter(({ headline, key, type }) => headline && weights.get(key) > (type === 'set' ? mean : mean / 2)).map(({ label }) => label);
    assert.ok(headlines.includes('Isolation') && headlines.length < 12, headlines.join());
    const table = section(page, 'compare');
    const labels = [...table.matchAll(/<th scope="col"[^>]*>(.*?)<\/th>/g)].map((match) => words(match[1]));
    assert.deepEqual(labels, ['Sandbox', ...headlines]);
    assert.deepEqual(rowNames(table), model.ranked.slice(0, 6).map((entry) => entry.slug));
    for (const [, cell] of table.matchAll(/<td[^>]*><div class="val">(.*?)<\/div><\/td>/gs)) {
        const [, entry] = /class="v v-nd"/.test(cell) ? ['', ''] : (/<a class="v[^"]*" href="\/sandboxes\/[^/]+\/#[^"]+">.*popovertarget="(s-\d+)"/s.exec(cell) ?? assert.fail(cell));
        assert.ok(page.includes(`<li id="${entry}" popover>`) || entry === '', cell);
    }
});

test('it is small: one write of the library sends it', async () => {
    assert.ok(Buffer.byteLength(page) <= 120_000, `${Buffer.byteLength(page)} bytes`);
});

test('what changed is not ahead of the catalogue, and newest first', () => {
    const days = model.events.map((event) => event.date);
    assert.ok(days.length > 0);
    assert.ok(days.every((day) => day <= model.last_reviewed));
    assert.deepEqual(days, [...days].sort().reverse());
    model.events.forEach((event) => assert.ok(section(page, 'changes').includes(`href="/sandboxes/${event.slug}/"`)));
});

test('the cards name the first place of each other use case', async () => {
    assert.equal(model.use_cases.length, 8);
    for (const card of model.use_cases) {
        const { json } = await server.get(`${card.path}?format=json`);
        assert.equal(card.first.slug, json.ranked[0].slug, card.path);
        assert.equal(card.ranked, json.ranked.length, card.path);
    }
});

test('the numbers are those of the catalogue', () => {
    const stat = words(/<dl class="stat">.*?<\/dl>/s.exec(page)[0]);
    for (const key of ['facts_documented', 'facts_not_documented', 'sources', 'conflicts']) {
        assert.ok(stat.includes(model.counts[key].toLocaleString('en-GB')), `${key} is missing in ${stat}`);
    }
});

test('JSON-LD lists what is visible', () => {
    const graph = JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/s.exec(page)[1])['@graph'];
    const list = graph.find((node) => node['@type'] === 'ItemList');
    assert.deepEqual(list.itemListElement.map((item) => item.name), model.ranked.map((entry) => entry.name));
    assert.equal(graph.find((node) => node['@type'] === 'Dataset').dateModified, model.last_reviewed);
});

test('the heat map of the rankings says in words what it draws', async () => {
    const features = section((await server.get('/best/', HTML)).text, 'features');
    const drawn = [...features.matchAll(/<use href="#heat-(\w+)"/g)].map((match) => match[1]);
    const written = [...features.matchAll(/<td data-label="[^"]+"><a class="v v-(\w+)"/g)].map((match) => match[1]);
    assert.equal(drawn.length % model.ranked.length, 0);
    assert.ok(drawn.length >= 15 * model.ranked.length);
    assert.deepEqual(written, drawn);
});

test('own weights change the order, wrong ones name their parameter', async () => {
    const own = await server.get('/?w.gpu=1000&format=json');
    assert.equal(own.json.own_weights, true);
    assert.notEqual(own.json.ranked[0].slug, model.ranked[0].slug);
    const wrong = await server.get('/?w.gpu=much');
    assert.equal(wrong.status, 400);
    assert.equal(wrong.json.parameter, 'w.gpu');
});
