// The rule of /match once more, plainly, on top of the plain reading of a condition in compare_reference.mjs.
import { judge, pairsOf, randomQuestion, slotsOf } from './compare_reference.mjs';

const RESULTS = ['fits', 'undecided', 'near_misses', 'excluded'];

function stageOf({ stages }, slot) {
    if (stages === 'any') {
        return true;
    }
    if (stages === undefined) {
        return slot.stage !== 'deprecated';
    }
    return slot.stage === null ? null : stages.includes(slot.stage);
}

const countOf = (verdicts, value) => verdicts.filter((verdict) => verdict === value).length;
const verdictsOf = (conditions, slot) => conditions.map((condition) => judge(condition, slot));

/** How one slot stands: { result, stage, must, prefer, avoid (verdicts), gap, points }. */
export function standing(asked, slot) {
    const stage = stageOf(asked, slot);
    const [must, prefer, avoid] = [asked.must, asked.prefer, asked.avoid].map((list) => verdictsOf(list, slot));
    const unmet = countOf(must, false);
    const unknown = countOf(must, null) + (stage === null ? 1 : 0);
    const gap = unmet + unknown + (stage === false ? asked.must.length + 1 : 0);
    let result = 'excluded';
    if (stage !== false && unmet === 0) {
        result = unknown === 0 ? 'fits' : 'undecided';
    } else if (stage !== false && unmet === 1 && unknown === 0) {
        result = 'near_misses';
    }
    return { slot, result, stage, must, prefer, avoid, gap, points: countOf(prefer, true) - countOf(avoid, true) };
}

/** Whether one standing is better than another by everything but score, default and order. */
export function compareStandings(one, other) {
    const byResult = RESULTS.indexOf(one.result) - RESULTS.indexOf(other.result) || one.gap - other.gap;
    return byResult || (one.result === 'excluded' ? 0 : other.points - one.points);
}

/** Every provider let in, with its standings, the best first (ties as in the catalogue). */
export function match(asked, providers) {
    const statuses = asked.statuses ?? ['active'];
    return providers
        .filter(({ status }) => statuses.includes('any') || statuses.includes(status))
        .filter(({ slug }) => !asked.providers || asked.providers.includes(slug))
        .map((provider) => {
            const standings = slotsOf(provider).map((slot) => standing(asked, slot));
            return { provider, standings: standings.sort(compareStandings) };
        });
}

/** Random requirements: up to four musts, two prefers and two avoids. */
export function randomRequirements(data, chance) {
    const { conditions, statuses, stages, providers } = randomQuestion(data, chance);
    const some = () => (chance.below(2) === 0 ? [] : randomQuestion(data, chance).conditions.slice(0, 2));
    return { must: conditions, prefer: some(), avoid: some(), statuses, stages, providers };
}

/** The pairs of the query of requirements. */
export function matchPairs({ must, prefer, avoid, ...rest }) {
    const under = (prefix, conditions) => pairsOf({ conditions }).map(([key, value]) => [`${prefix}.${key}`, value]);
    return [...under('must', must), ...under('prefer', prefer), ...under('avoid', avoid), ...pairsOf({ ...rest, conditions: [] })];
}
