// /calendar.ics: as RFC 5545 wants it, and the days of the catalogue.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import ICAL from 'ical.js';
import { startWith } from './history.mjs';
import { startServer } from './harness.mjs';

let server;
before(async () => (server = await startServer()));
after(() => server?.stop());

async function calendar(target, from = server) {
    const answer = await from.get(target);
    assert.equal(answer.status, 200, `${target}: ${answer.text}`);
    assert.equal(answer.headers.get('content-type'), 'text/calendar');
    const root = new ICAL.Component(ICAL.parse(answer.text));
    assert.equal(root.name, 'vcalendar');
    const events = root.getAllSubcomponents('vevent').map((event) => ({
        uid: event.getFirstPropertyValue('uid'),
        stamp: event.getFirstPropertyValue('dtstamp').toString(),
        start: event.getFirstPropertyValue('dtstart'),
        end: event.getFirstPropertyValue('dtend'),
        summary: event.getFirstPropertyValue('summary'),
        description: event.getFirstPropertyValue('description'),
        category: event.getFirstPropertyValue('categories'),
        url: event.getFirstPropertyValue('url'),
    }));
    return { answer, root, events };
}

test('lines, ids, stamps and days', async () => {
    const { answer, root, events } = await calendar('/calendar.ics');
    assert.equal(root.getFirstPropertyValue('version'), '2.0');
    assert.ok(root.getFirstPropertyValue('prodid'));
    assert.ok(answer.text.endsWith('END:VCALENDAR\r\n'));
    assert.ok(!/[^\r]\n|\r[^\n]/.test(answer.text), 'a line does not end in CRLF');
    for (const line of answer.text.split('\r\n')) {
        assert.ok(Buffer.byteLength(line) <= 75, `${Buffer.byteLength(line)} octets: ${line}`);
        assert.equal(Buffer.from(line).toString(), line);
    }
    assert.ok(events.length > 100);
    assert.equal(new Set(events.map(({ uid }) => uid)).size, events.length, 'two events share an id');
    const slugs = new Set((await server.get('/data/providers.json')).json.providers.map(({ slug }) => slug));
    for (const event of events) {
        assert.match(event.stamp, /^\d{4}-\d\d-\d\dT00:00:00Z$/);
        assert.ok(event.start.isDate && event.end.isDate, 'a day, not a moment');
        assert.ok(event.end.compare(event.start) > 0);
        assert.ok(slugs.has(/\/sandboxes\/([^/]+)\/$/.exec(event.url)[1]));
        assert.ok(['REVIEW', 'SHUTDOWN', 'ANNOUNCED'].includes(event.category));
    }
});

test('a review is due when the first fact of its kind is', async () => {
    const { json } = await server.get('/data/facts.json');
    const { json: attributes } = await server.get('/data/attributes.json');
    const { events } = await calendar('/calendar.ics?providers=e2b');
    const days = json.facts.filter(({ id, state }) => /^e2b[/:]/.test(id) && state === 'documented').map((fact) => fact.review_by);
    const reviews = events.filter(({ category }) => category === 'REVIEW');
    assert.deepEqual([...new Set(reviews.map(({ start }) => start.toString()))].sort(), [...new Set(days)].sort());
    assert.ok(attributes.attributes.length > 0);
    // The periods are the catalogue's.
    const { start: price } = reviews.find(({ uid }) => uid === 'review-e2b-price@agent-sandboxes');
    assert.equal(price.toString(), '2026-12-30');
    assert.equal(reviews.find(({ uid }) => uid === 'review-e2b-isolation@agent-sandboxes').start.toString(), '2027-05-29');
    const changed = await startWith(["UPDATE volatility SET review_days = 45 WHERE key = 'price';", "UPDATE event SET date = '2027-02', text = 'Ends; really, \"quite\" soon: für immer und ewig, so lange, dass die Zeile gefaltet wird' WHERE date > '2026-11-30';"]);
    const after45 = await calendar('/calendar.ics', changed.server);
    assert.equal(after45.events.find(({ uid }) => uid === 'review-e2b-price@agent-sandboxes').start.toString(), '2027-01-14', 'the same event, moved');
    const month = after45.events.find(({ category }) => category === 'ANNOUNCED');
    assert.match(month.summary, /Ends; really, "quite" soon: für immer/);
    assert.equal(`${month.start} ${month.end}`, '2027-02-01 2027-03-01', 'a month is a month long');
    await changed.stop();
});

test('what ends', async () => {
    const { events } = await calendar('/calendar.ics');
    const ends = events.filter(({ category }) => category !== 'REVIEW');
    assert.ok(ends.some(({ url, start, category }) => url.includes('/riza/') && start.toString() === '2025-10-01' && category === 'SHUTDOWN'));
    assert.ok(ends.some(({ start, category }) => start.toString() === '2026-12-31' && category === 'ANNOUNCED'));
    for (const { description } of ends) {
        assert.match(description, /Source, read on \d{4}-\d\d-\d\d: https?:\/\//);
    }
});

test('any set, in any order', async () => {
    const { answer, events } = await calendar('/calendar.ics?providers=modal,e2b');
    assert.ok(events.every(({ url }) => /\/(e2b|modal)\/$/.test(url)) && events.length > 10);
    for (const query of ['providers=e2b,modal', 'providers=E2B&providers=Modal', 'providers=e2b,,modal,e2b']) {
        assert.equal((await server.get(`/calendar.ics?${query}`)).text, answer.text, query);
    }
    assert.equal((await server.get('/calendar.ics?providers=')).text, (await server.get('/calendar.ics')).text);
});

test('HEAD, 304, CORS; bad input', async () => {
    const { answer } = await calendar('/calendar.ics?providers=e2b');
    const tag = answer.headers.get('etag');
    assert.equal((await server.fetch('/calendar.ics?providers=e2b', { headers: { 'if-none-match': tag } })).status, 304);
    const head = await server.fetch('/calendar.ics?providers=e2b', { method: 'HEAD' });
    assert.deepEqual([head.status, head.headers.get('etag'), await head.text()], [200, tag, '']);
    assert.equal(head.headers.get('access-control-allow-origin'), '*');
    assert.match(head.headers.get('link'), /rel="license"/);
    const unknown = await server.get('/calendar.ics?providers=e2b,e2bb');
    assert.equal(unknown.status, 400);
    assert.equal(unknown.headers.get('content-type'), 'application/problem+json');
    assert.deepEqual([unknown.json.parameter, unknown.json.nearest], ['providers', 'e2b']);
    assert.equal((await server.get(`/calendar.ics?providers=${'x,'.repeat(3000)}`)).status, 414);
    assert.equal((await server.fetch('/calendar.ics', { method: 'POST' })).status, 405);
});
