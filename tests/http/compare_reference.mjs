// The rule of the filter once more, plainly, from what /data/providers.json says and nothing else.
// A slot is one thing on sale: an offering, or a provider that has none. A condition holds for a slot, fails, or is not known.

const NUMERIC = ['number', 'money', 'duration'];

/** Every slot with the fact that answers for each attribute: its own, else its provider's. */
export function slotsOf(provider) {
    if (!known.has(provider)) {
        known.set(provider, makeSlots(provider));
    }
    return known.get(provider);
}

const known = new WeakMap();

function makeSlots(provider) {
    const inherit = (own) => ({ ...provider.facts, ...own });
    return provider.offerings.length === 0
        ? [{ slug: null, name: provider.name, stage: null, facts: inherit({}) }]
        : provider.offerings.map((offering) => ({
              slug: offering.slug,
              name: offering.name,
              stage: offering.release_stage,
              facts: inherit(offering.facts),
          }));
}

/** The values of a documented fact, as questions write them. */
export function valuesOf(fact) {
    if (fact.unlimited === true) {
        return [Infinity];
    }
    const value = fact.value;
    if (Array.isArray(value)) {
        return value;
    }
    return value !== null && typeof value === 'object' ? Object.keys(value) : [typeof value === 'boolean' ? String(value) : value];
}

/** What bounds and orders look at: the number, of a money map its cheapest entry. */
export function numberOf(fact) {
    if (fact.unlimited === true) {
        return Infinity;
    }
    return typeof fact.value === 'object' ? Math.min(...Object.values(fact.value)) : fact.value;
}

/** true, false or null (not known). condition: { key, kind, values, bound }. */
export function judge(condition, slot) {
    const fact = slot.facts[condition.key];
    const state = fact?.state ?? 'not_documented';
    const { kind, values } = condition;
    if (state === 'not_documented') {
        return kind === 'any' && values.includes('unknown') ? true : null;
    }
    if (state === 'not_applicable') {
        return false;
    }
    const has = valuesOf(fact);
    switch (kind) {
        case 'any':
            return values.some((value) => has.includes(value));
        case 'all':
            return values.every((value) => has.includes(value));
        case 'not':
            return !values.some((value) => has.includes(value));
        case 'gte':
            return has.length > 0 && numberOf(fact) >= condition.bound;
        default:
            return has.length > 0 && numberOf(fact) <= condition.bound;
    }
}

/** Whether the stage filter lets a slot in. */
function judgeStage(question, slot) {
    if (question.stages === 'any') {
        return true;
    }
    if (question.stages === undefined) {
        return slot.stage !== 'deprecated';
    }
    return slot.stage === null ? null : question.stages.includes(slot.stage);
}

function judgeSlot(question, slot) {
    const verdicts = [judgeStage(question, slot), ...question.conditions.map((condition) => judge(condition, slot))];
    return verdicts.includes(false) ? false : verdicts.includes(null) ? null : true;
}

export function judgeProvider(question, provider) {
    if (question.providers && !question.providers.includes(provider.slug)) {
        return { verdict: false };
    }
    if (question.kinds && !question.kinds.includes(provider.kind)) {
        return { verdict: false };
    }
    const slots = slotsOf(provider);
    const judged = slots.map((slot) => judgeSlot(question, slot));
    const verdict = judged.includes(true) ? true : judged.includes(null) ? null : false;
    return { verdict, offerings: slots.filter((_, i) => judged[i] === verdict).map((slot) => slot.slug) };
}

function considered(question, providers) {
    const statuses = question.statuses ?? ['active'];
    return providers.filter((provider) => statuses.includes('any') || statuses.includes(provider.status));
}

/** { matches, undecided, excluded }: each a map from slug to the slugs of the offerings that made it so. */
export function answer(question, providers) {
    const lists = { matches: {}, undecided: {}, excluded: {} };
    for (const provider of considered(question, providers)) {
        const { verdict, offerings } = judgeProvider(question, provider);
        const list = verdict === true ? 'matches' : verdict === null ? 'undecided' : 'excluded';
        lists[list][provider.slug] = list === 'excluded' ? slotsOf(provider).map((slot) => slot.slug) : offerings;
    }
    return lists;
}

/** The question with one more value: beside those asked about already, else as a condition of its own. */
export function withValue(question, key, value) {
    const given = question.conditions.find((condition) => condition.key === key && condition.kind === 'any');
    const added = { key, kind: 'any', values: [...(given?.values ?? []), value] };
    return { ...question, conditions: [...question.conditions.filter((condition) => condition !== given), added] };
}

/** Every value of an attribute: its vocabulary, then what is in use. */
export function knownValues(attribute, providers) {
    const values = new Set(attribute.type === 'bool' ? ['true', 'false'] : attribute.values.map(({ value }) => value));
    for (const provider of providers) {
        for (const facts of [provider.facts, ...provider.offerings.map((offering) => offering.facts)]) {
            const fact = facts[attribute.key];
            if (fact?.state === 'documented') {
                valuesOf(fact).forEach((value) => values.add(value));
            }
        }
    }
    return [...values];
}

/** { attribute: { value: count } }, counted by asking each question in full. */
export function facets(question, data) {
    const counts = {};
    for (const attribute of data.attributes.filter(({ filterable, type }) => filterable && !NUMERIC.includes(type))) {
        counts[attribute.key] = {};
        for (const value of knownValues(attribute, data.providers)) {
            const asked = answer(withValue(question, attribute.key, value), data.providers);
            counts[attribute.key][value] = Object.keys(asked.matches).length;
        }
    }
    return counts;
}

function writeValue(value) {
    return value === Infinity ? 'unlimited' : String(value);
}

/** The pairs of a question's query, one for each condition and list. */
export function pairsOf(question) {
    const suffix = { any: '', all: '__all', not: '__not', gte: '__gte', lte: '__lte' };
    const pairs = question.conditions.flatMap(({ key, kind, values, bound }) =>
        bound === undefined
            ? values.map((value) => [key + suffix[kind], writeValue(value)])
            : [[key + suffix[kind], writeValue(bound)]],
    );
    for (const [name, list] of [['status', question.statuses], ['kind', question.kinds], ['providers', question.providers]]) {
        if (list) {
            pairs.push([name, list.join(',')]);
        }
    }
    if (question.stages) {
        pairs.push(['stage', question.stages === 'any' ? 'any' : question.stages.join(',')]);
    }
    return pairs;
}

export function queryOf(pairs) {
    return pairs.map(([key, value]) => `${encodeURIComponent(key)}=${encodeURIComponent(value)}`).join('&');
}

/** Random numbers that are the same in every run (mulberry32). */
export function random(seed) {
    let state = seed >>> 0;
    const next = () => {
        state = (state + 0x6d2b79f5) >>> 0;
        let mixed = Math.imul(state ^ (state >>> 15), state | 1);
        mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
        return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
    };
    const below = (count) => Math.floor(next() * count);
    const pick = (list) => list[below(list.length)];
    const shuffle = (list) => {
        const copy = [...list];
        for (let i = copy.length - 1; i > 0; i--) {
            const j = below(i + 1);
            [copy[i], copy[j]] = [copy[j], copy[i]];
        }
        return copy;
    };
    return { next, below, pick, shuffle, some: (list, most) => shuffle(list).slice(0, 1 + below(most)) };
}

/** The documented numbers of an attribute, for bounds that cut somewhere. */
function numbersOf(attribute, providers) {
    const facts = providers.flatMap((provider) => slotsOf(provider).map((slot) => slot.facts[attribute.key]));
    const numbers = facts.filter((fact) => fact?.state === 'documented').map(numberOf);
    return [...new Set(numbers.filter((number) => number !== undefined))];
}

function randomCondition(data, chance) {
    const attribute = chance.pick(data.attributes.filter(({ filterable }) => filterable));
    const key = attribute.key;
    const numeric = NUMERIC.includes(attribute.type);
    const ordered = numeric || attribute.type === 'money-map';
    const kind = chance.pick(ordered ? ['any', 'not', 'gte', 'lte', 'gte', 'lte'] : ['any', 'any', 'any', 'all', 'not']);
    if (kind === 'gte' || kind === 'lte') {
        const numbers = numbersOf(attribute, data.providers).filter((number) => number !== Infinity || attribute.type === 'duration');
        return { key, kind, bound: numbers.length === 0 ? 1 : chance.pick(numbers) };
    }
    const choices = numeric ? numbersOf(attribute, data.providers) : knownValues(attribute, data.providers);
    const values = choices.length === 0 ? [] : chance.some(choices, kind === 'all' ? 2 : 3);
    if (kind === 'any' && (values.length === 0 || chance.below(5) === 0)) {
        values.push('unknown');
    }
    return values.length === 0 ? { key, kind: 'any', values: ['unknown'] } : { key, kind, values };
}

/** A question of one to four conditions, at most one each of an attribute and kind, ranges that can hold. */
export function randomQuestion(data, chance) {
    const question = { conditions: [] };
    for (let left = 1 + chance.below(4); left > 0; left--) {
        const condition = randomCondition(data, chance);
        const clashes = question.conditions.some(
            ({ key, kind, bound }) => key === condition.key && (kind === condition.kind || (bound !== undefined && condition.bound !== undefined)),
        );
        if (!clashes) {
            question.conditions.push(condition);
        }
    }
    if (chance.below(3) === 0) {
        question.statuses = chance.pick([['any'], ['active', 'winding-down'], ['discontinued']]);
    }
    if (chance.below(3) === 0) {
        question.stages = chance.pick(['any', ['ga'], ['ga', 'beta', 'preview'], ['deprecated']]);
    }
    if (chance.below(5) === 0) {
        question.kinds = chance.some([...new Set(data.providers.map(({ kind }) => kind))], 2);
    }
    if (chance.below(6) === 0) {
        question.providers = chance.some(data.providers.map(({ slug }) => slug), 12);
    }
    return question;
}
