// The pages about one provider, the directory and the alternatives, against the data that they show.
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { startServer } from './harness.mjs';
import { forPeople } from './html.mjs';

const server = await startServer();
after(() => server.stop());

const { json: data } = await server.get('/data/providers.json');
const page = (target) => server.get(target, { headers: { accept: 'text/html' } });

/** Text as a template writes it. */
function escaped(text) {
    const names = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
    return text.replace(/[&<>"']/g, (sign) => names[sign]).replace(/\s+/g, ' ');
}
const ids = (html) => [...html.matchAll(/\sid="([^"]*)"/g)].map((match) => match[1]);
const flat = (html) => html.replace(/\s+/g, ' ');
const title = (html) => /<title>([^<]*)</.exec(html)[1];
const description = (html) => /<meta name="description" content="([^"]*)"/.exec(html)[1];
/** The text of a row of the facts, by its id. */
const row = (html, id) => new RegExp(`<tr id="${id}">.*?</tr>`, 's').exec(html)?.[0];

const pages = new Map();
for (const provider of data.providers) {
    pages.set(provider.slug, await page(`/sandboxes/${provider.slug}/`));
}

describe('profiles', () => {
    for (const provider of data.providers) {
        const { status, text } = pages.get(provider.slug);
        test(`${provider.slug} shows every fact at its own address`, () => {
            assert.equal(status, 200);
            const html = flat(text);
            for (const [key, fact] of Object.entries(provider.facts)) {
                const cells = flat(row(text, key) ?? assert.fail(`no row ${key}`)).toLowerCase();
                assert.ok(cells.includes(escaped(fact.text).toLowerCase()), `${key}: ${fact.text}`);
                for (const words of [forPeople(fact.detail), forPeople(fact.note), fact.source?.title]) {
                    assert.ok(words == null || html.includes(escaped(words)), `${key}: ${words}`);
                }
                assert.equal(fact.state === 'not_documented', cells.includes('class="v v-nd"'), `${key} looks like what it is`);
                if (fact.source) {
                    assert.match(cells, /<button class="src"/, `${key} has a receipt`);
                }
            }
        });
        test(`${provider.slug} shows its offerings, judgements, conflicts and events`, () => {
            const html = flat(text);
            const known = new Set(ids(text));
            for (const offering of provider.offerings) {
                assert.ok(html.includes(escaped(offering.name)), offering.name);
                for (const [key, fact] of Object.entries(offering.facts)) {
                    assert.ok(known.has(`${offering.slug}-${key}`), `#${offering.slug}-${key}`);
                    for (const words of [fact.source ? forPeople(fact.detail) : null, forPeople(fact.note)]) {
                        assert.ok(words == null || html.includes(escaped(words)), `${offering.slug}/${key}: ${words}`);
                    }
                }
            }
            const told = ['strengths', 'limitations', 'best_for', 'not_for', 'conflicts', 'events'].flatMap((list) => provider[list]);
            for (const entry of told) {
                assert.ok(html.includes(escaped(forPeople(entry.text))), entry.text);
            }
            for (const run of provider.measurements) {
                assert.ok(html.includes(`<th scope="row">${run.mode}</th>`), run.mode);
            }
        });
        test(`${provider.slug}: ids are unique and every anchor exists`, () => {
            const all = ids(text);
            assert.equal(new Set(all).size, all.length, 'an id stands twice');
            for (const [, anchor] of text.matchAll(/href="#([^"]+)"/g)) {
                assert.ok(all.includes(anchor), `#${anchor}`);
            }
            for (const [, popover] of text.matchAll(/popovertarget="([^"]+)"/g)) {
                assert.ok(all.includes(popover), `popover ${popover}`);
            }
        });
        test(`${provider.slug} says its status at the top`, () => {
            const top = text.slice(0, text.indexOf('id="quick"'));
            const banner = { active: null, 'winding-down': 'Winding down', discontinued: 'Discontinued' }[provider.status];
            assert.equal(top.includes('class="note note-'), banner !== null);
            if (banner) {
                assert.ok(top.includes(`<p class="note-t">${banner}</p>`));
                assert.ok(top.includes(`href="/alternatives/${provider.slug}/"`));
                assert.ok(flat(top).includes(escaped(forPeople(provider.status_note))));
                assert.doesNotMatch(top, /class="score"/, 'only what is active has a score');
            } else {
                assert.match(top, /class="score"/);
            }
        });
    }

    test('titles and descriptions are unique, descriptions of a useful length', () => {
        const texts = [...pages.values()].map(({ text }) => text);
        assert.equal(new Set(texts.map(title)).size, texts.length);
        assert.equal(new Set(texts.map(description)).size, texts.length);
        for (const text of texts) {
            const { length } = description(text);
            assert.ok(length >= 70 && length <= 160, `${length}: ${description(text)}`);
        }
    });

    test('linked data says what the page shows', () => {
        for (const provider of data.providers) {
            const { text } = pages.get(provider.slug);
            const graph = JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/s.exec(text)[1])['@graph'];
            const thing = graph.find((entry) => ['Service', 'SoftwareApplication'].includes(entry['@type']));
            assert.equal(thing.name, provider.name);
            assert.equal(thing.description, provider.summary);
            assert.equal((thing.provider ?? thing.author).name, provider.vendor);
            assert.ok(graph.some((entry) => entry['@type'] === 'BreadcrumbList'));
        }
    });

    test('announced events are marked, past ones are not', () => {
        for (const provider of data.providers) {
            const marked = pages.get(provider.slug).text.split('>Announced<').length - 1;
            const today = new Date().toISOString().slice(0, 10);
            assert.equal(marked, provider.events.filter((event) => event.date > today).length, provider.slug);
        }
    });

    test('an unknown name is a 404 that names the nearest', async () => {
        for (const folder of ['/sandboxes/', '/alternatives/']) {
            const answer = await page(`${folder}daytone/`);
            assert.equal(answer.status, 404);
            assert.ok(answer.text.includes(`href="${folder}daytona/"`));
            assert.equal((await page(`${folder}zzzzzzzzzzzzzz/`)).status, 404);
        }
        const moved = await server.fetch('/sandboxes/e2b');
        assert.equal(moved.headers.get('location'), '/sandboxes/e2b/');
    });
});

describe('alternatives', () => {
    test('each provider has a page that lists every other active one, most alike first', async () => {
        const seen = new Set();
        for (const provider of data.providers) {
            const { status, text } = await page(`/alternatives/${provider.slug}/`);
            assert.equal(status, 200);
            seen.add(title(text)).add(description(text));
            assert.ok(description(text).length >= 70 && description(text).length <= 160, description(text));
            const graph = JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/s.exec(text)[1])['@graph'];
            const listed = graph.find((entry) => entry['@type'] === 'ItemList').itemListElement.map((item) => item.url.split('/').at(-2));
            const wanted = data.providers.filter((other) => other.status === 'active' && other !== provider).map((other) => other.slug);
            assert.deepEqual([...listed].sort(), wanted.sort());
            const bars = [...text.matchAll(/aria-label="(?:Between )?([\d.]+)[^"]* of 100"/g)].map((match) => Number(match[1]));
            assert.ok(bars.length >= 4);
            assert.deepEqual(bars, [...bars].sort((one, other) => other - one));
            const all = ids(text);
            assert.equal(new Set(all).size, all.length);
        }
        assert.equal(seen.size, 2 * data.providers.length);
    });

    test('what is gained and lost links to a fact that exists', async () => {
        const { text } = await page('/alternatives/daytona/');
        const links = [...text.matchAll(/href="\/sandboxes\/([a-z0-9-]+)\/#([^"]+)"/g)];
        assert.ok(links.length > 20);
        for (const [, slug, anchor] of links) {
            assert.ok(ids(pages.get(slug).text).includes(anchor), `${slug}#${anchor}`);
        }
    });

    test('not documented is never a loss', async () => {
        for (const provider of data.providers) {
            const { text } = await page(`/alternatives/${provider.slug}/`);
            for (const list of text.match(/<ul class="(?:pros|cons)">.*?<\/ul>/gs) ?? []) {
                assert.doesNotMatch(list, /not documented/i);
            }
        }
    });
});

describe('directory', () => {
    const cards = (text) => [...text.matchAll(/name="providers" value="([^"]+)"/g)].map((match) => match[1]);

    test('lists every provider, those that end apart', async () => {
        const { status, text } = await page('/sandboxes/');
        assert.equal(status, 200);
        assert.deepEqual(cards(text).sort(), data.providers.filter(({ status: s }) => s === 'active').map(({ slug }) => slug).sort());
        for (const { slug } of data.providers) {
            assert.ok(text.includes(`href="/sandboxes/${slug}/"`), slug);
        }
        assert.match(text, /<form class="tray" id="pick" action="\/compare\/" method="get">/);
    });

    test('a filter answers as /compare does', async () => {
        for (const query of ['isolation=microvm&gpu=true', 'open_source=yes', 'max_session_seconds__gte=24h&status=any', 'deployment=self-hosted&kind=hosted']) {
            const { text } = await page(`/sandboxes/?${query}`);
            const { json } = await server.get(`/compare?${query}`);
            assert.deepEqual(cards(text).sort(), json.matches.map(({ slug }) => slug).sort(), query);
            const undecided = /id="undecided".*?<\/section>/s.exec(text)?.[0] ?? '';
            assert.equal(undecided.split('<li>').length - 1, json.undecided.length, query);
        }
    });

    test('the form remembers what was asked, and keeps what it has no field for', async () => {
        const { text } = await page('/sandboxes/?isolation=gvisor&fork=true&sort=name');
        assert.match(text, /name="isolation" value="gvisor" checked/);
        assert.match(text, /<input type="hidden" name="fork" value="true">/);
        assert.match(text, /<option value="name" selected>/);
        assert.match(text, /class="chip chip-off" href="\/sandboxes\/\?fork=true&amp;sort=name"/);
    });

    test('an order that is asked for is kept, and is not the default', async () => {
        const names = cards((await page('/sandboxes/?sort=name')).text);
        const { json } = await server.get('/compare');
        assert.deepEqual(names, json.matches.map(({ slug }) => slug));
        assert.notDeepEqual(cards((await page('/sandboxes/')).text), names);
    });

    test('pages of five hold everyone once', async () => {
        const seen = [];
        for (let target = '/sandboxes/?limit=5'; target; ) {
            const { text } = await page(target);
            seen.push(...cards(text));
            target = /href="([^"]+)" rel="next"/.exec(text)?.[1].replaceAll('&amp;', '&');
        }
        const active = data.providers.filter(({ status }) => status === 'active').length;
        assert.equal(seen.length, active);
        assert.equal(new Set(seen).size, active);
    });

    test('a bad filter is a page that says what is allowed', async () => {
        const { status, text } = await page('/sandboxes/?isolation=microvmm');
        assert.equal(status, 400);
        assert.match(text, /microvm/);
    });
});
