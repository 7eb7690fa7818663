// The peer for dynamic questions: Fastify and better-sqlite3, as one would write it plainly. It answers JSON /compare for
// conditions key=a,b, key__gte=, key__lte=, limit= by the same rules (offering by offering, active providers, not documented is
// undecided), and leaves out what this program adds: facets, near misses, canonical forms, validators.
// usage: node peer.mjs PORT DATABASE
import Database from 'better-sqlite3';
import Fastify from 'fastify';

const [port, file] = process.argv.slice(2);
const db = new Database(file, { readonly: true });
const attributes = new Map(db.prepare('SELECT key, label, type, unit, headline FROM attribute ORDER BY position').all().map((row) => [row.key, row]));
const providers = db.prepare("SELECT slug, name FROM provider WHERE status = 'active' ORDER BY slug");
const offerings = db.prepare('SELECT provider, slug, name FROM offering ORDER BY provider, position');
const factsOf = db.prepare('SELECT provider, offering, state, value FROM fact WHERE attribute = ? AND valid_to IS NULL');
const factOf = db.prepare(`SELECT f.offering, f.attribute, f.state, f.value, f.detail, f.basis, f.checked_on, s.id AS source_id, s.url AS source_url,
    s.title AS source_title, s.publisher AS source_publisher FROM fact f LEFT JOIN source s ON s.id = f.source
    WHERE f.provider = ? AND f.attribute = ? AND f.valid_to IS NULL`);

function conditions(query) {
    const found = [];
    for (const [name, text] of Object.entries(query)) {
        const [key, how = 'any'] = name.split('__');
        if (attributes.has(key)) {
            found.push({ key, how, values: text.split(','), bound: Number(text) });
        }
    }
    return found;
}

function holds(condition, value) {
    if (condition.how !== 'any') {
        const number = value === 'unlimited' ? Infinity : typeof value === 'object' ? Math.min(...Object.values(value)) : value;
        return condition.how === 'gte' ? number >= condition.bound : number <= condition.bound;
    }
    const has = Array.isArray(value) ? value : typeof value === 'object' ? Object.keys(value) : [String(value)];
    return condition.values.some((one) => has.includes(one));
}

const app = Fastify();
app.get('/compare', (request) => {
    const asked = conditions(request.query);
    const facts = asked.map(({ key }) => {
        const map = new Map();
        for (const fact of factsOf.all(key)) {
            map.set(`${fact.provider}/${fact.offering ?? ''}`, fact);
        }
        return map;
    });
    const slots = Map.groupBy?.(offerings.all(), (row) => row.provider) ?? offerings.all().reduce((map, row) => map.set(row.provider, [...(map.get(row.provider) ?? []), row]), new Map());
    const columns = [...new Set([...asked.map(({ key }) => key), ...[...attributes.values()].filter((one) => one.headline).map((one) => one.key)])];
    const answer = { columns: columns.map((key) => attributes.get(key)), matches: [], undecided: [], excluded: [] };
    for (const provider of providers.all()) {
        let best = 'excluded';
        const matching = [];
        for (const slot of slots.get(provider.slug) ?? [{ slug: '' }]) {
            let verdict = 'matches';
            asked.forEach((condition, i) => {
                const fact = facts[i].get(`${provider.slug}/${slot.slug}`) ?? facts[i].get(`${provider.slug}/`);
                if (fact === undefined || fact.state === 'not_documented') {
                    verdict = verdict === 'matches' ? 'undecided' : verdict;
                } else if (fact.state !== 'documented' || !holds(condition, JSON.parse(fact.value))) {
                    verdict = 'excluded';
                }
            });
            if (verdict === 'matches') {
                matching.push(slot.slug);
            }
            best = verdict === 'matches' || best === 'matches' ? 'matches' : verdict === 'undecided' ? 'undecided' : best;
        }
        const row = { slug: provider.slug, name: provider.name, offerings: matching };
        if (best === 'matches') {
            row.facts = Object.fromEntries(columns.map((key) => [key, factOf.all(provider.slug, key).map((fact) => ({ ...fact, value: fact.value === null ? null : JSON.parse(fact.value) }))]));
        }
        answer[best].push(row);
    }
    return { ...answer, matches: answer.matches.slice(0, Number(request.query.limit ?? 50)), counts: { matches: answer.matches.length, undecided: answer.undecided.length, excluded: answer.excluded.length } };
});
await app.listen({ port: Number(port), host: '127.0.0.1' });
