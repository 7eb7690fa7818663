// /changes/?from=&to=: what happened within days, in every form; the day of the last visit is the browser's to keep.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startServer } from './harness.mjs';

const server = await startServer();
after(() => server.stop());
const html = { headers: { Accept: 'text/html' } };
const model = async (query) => (await server.get(`/changes/?format=json${query}`)).json;
const all = await model('');
const within = (date, from, to) => date >= from.slice(0, date.length) && date <= to.slice(0, date.length);

test('a span leaves exactly what has a part in it', async () => {
    const dates = all.events.map((event) => event.date).sort();
    const [from, to] = ['2026-10-01', '2026-11-08'];
    const part = await model(`&from=${from}&to=${to}`);
    for (const list of ['announced', 'events', 'values', 'reviews']) {
        assert.deepEqual(part[list], all[list].filter((row) => within(row.date, from, to)), list);
    }
    assert.ok(part.events.length > 0 && part.events.length < all.events.length);
    assert.deepEqual((await model('&from=1999-01-01&to=1999-12-31')).events, []);
    assert.deepEqual(await model(`&from=${dates[0].slice(0, 4)}-01-01`), all);
    assert.deepEqual(await model('&from=&to='), all);
    const one = await model('&provider=e2b&from=2026-10-01');
    assert.ok(one.events.length > 0 && one.events.every((event) => event.provider === 'e2b' && event.date >= '2026-10'));
});

test('pages and twins show the span, and the address keeps it', async () => {
    const { text } = await server.get('/changes/?to=2026-11-08&from=2026-10-01&provider=e2b', html);
    assert.match(text, /<input type="date" name="from" id="f-from" value="2026-10-01">/);
    assert.match(text, /<input type="date" name="to" id="f-to" value="2026-11-08">/);
    assert.match(text, /<a class="btn" id="since" href="\/changes\/" hidden>/);
    assert.match(text, /href="\/changes\.md\?provider=e2b&amp;from=2026-10-01&amp;to=2026-11-08"/);
    assert.match(text, /No value changed within these days/);
    assert.match((await server.get('/changes.md?from=2026-10-01')).text, /^Shown: from 2026-10-01$/m);
});

test('what is no day, or the wrong way round, is refused by name', async () => {
    for (const [query, parameter] of [['from=yesterday', 'from'], ['to=2026-02-30', 'to'], ['from=2026-11-02&to=2026-11-01', 'to']]) {
        const { status, json } = await server.get(`/changes/?format=json&${query}`);
        assert.deepEqual([status, json.parameter], [400, parameter], query);
    }
});
