// The filter for a copy of the site that is made of files: no server reads the question, so it is answered here, by the rule of the
// server, from data/providers.json. site.js loads this only where a page does not answer the question of its address.

const SECONDS = { s: 1, m: 60, h: 3600, d: 86400 };
const IGNORED = /^(utm_.*|ref|gclid|fbclid|format)$/;
const LISTS = { status: 'statuses', kind: 'kinds', stage: 'stages', providers: 'providers' };

function numberOf(text) {
  if (text === 'unlimited') return Infinity;
  const [, number, unit = 's'] = /^(\d+(?:\.\d+)?)([smhd])?$/.exec(text) ?? [];
  return number === undefined ? NaN : Number(number) * SECONDS[unit];
}

const isInUse = (key, text, providers) =>
  providers.some(({ facts, offerings }) =>
    [facts, ...offerings.map((one) => one.facts)].some((own) => own[key]?.state === 'documented' && valuesOf(own[key]).includes(text)),
  );

/** { conditions, statuses, ..., left } of a query: left are the parameters that only a server answers. */
export function read(query, { attributes, providers }) {
  const types = new Map(attributes.filter(({ filterable }) => filterable).map(({ key, type }) => [key, type]));
  const question = { conditions: new Map(), left: [] };
  for (const [name, text] of new URLSearchParams(query)) {
    if (text === '' || IGNORED.test(name)) continue;
    const [, key, kind = 'any'] = /^(.*?)(?:__(all|not|gte|lte))?$/.exec(name);
    const numeric = ['number', 'money', 'duration'].includes(types.get(key));
    // A value in use may hold a comma itself; then only repetition separates.
    const words = isInUse(key, text, providers) ? [text] : text.split(',');
    if (name in LISTS) {
      question[LISTS[name]] = [...(question[LISTS[name]] ?? []), ...words];
    } else if (!types.has(key)) {
      question.left.push(name);
    } else {
      const values = words.map((word) => (word !== 'unknown' && (numeric || kind.endsWith('te')) ? numberOf(word) : word));
      if (values.some(Number.isNaN)) {
        question.left.push(name);
      } else {
        const before = question.conditions.get(name)?.values ?? [];
        question.conditions.set(name, { key, kind, values: [...before, ...values] });
      }
    }
  }
  return question;
}

function valuesOf({ value, unlimited }) {
  if (unlimited) return [Infinity];
  if (Array.isArray(value)) return value;
  if (value !== null && typeof value === 'object') return Object.keys(value);
  return [typeof value === 'boolean' ? String(value) : value];
}

function least({ value, unlimited }) {
  if (unlimited) return Infinity;
  return typeof value === 'object' ? Math.min(...Object.values(value)) : value;
}

/** true, false, or null where it is not documented. */
function holds({ key, kind, values }, facts) {
  const fact = facts[key];
  if (fact === undefined || fact.state === 'not_documented') return kind === 'any' && values.includes('unknown') ? true : null;
  if (fact.state === 'not_applicable') return false;
  const has = valuesOf(fact);
  if (kind === 'any') return values.some((value) => has.includes(value));
  if (kind === 'all') return values.every((value) => has.includes(value));
  if (kind === 'not') return !values.some((value) => has.includes(value));
  return has.length > 0 && (kind === 'gte' ? least(fact) >= values[0] : least(fact) <= values[0]);
}

function stageHolds(stages, stage) {
  if (stages === undefined) return stage !== 'deprecated';
  if (stages.includes('any')) return true;
  return stage === null ? null : stages.includes(stage);
}

/** What is on sale: each offering with its own facts, else its provider's; or the provider itself. */
function slotsOf({ name, facts, offerings }) {
  return offerings.length === 0
    ? [{ slug: null, name, stage: null, facts }]
    : offerings.map((one) => ({ slug: one.slug, name: one.name, stage: one.release_stage, facts: { ...facts, ...one.facts } }));
}

/** Names as people look for them: upper and lower case alike. */
function byName(one, other) {
  const [first, second] = [one, other].map(({ name }) => name.replace(/[A-Z]/g, (letter) => letter.toLowerCase()));
  return first < second || (first === second && one.name < other.name) ? -1 : 1;
}

/** { matches, undecided, excluded }, each [{ provider, slots }] by name: all conditions have to hold in one and the same slot. */
export function answer(question, providers) {
  const lists = { matches: [], undecided: [], excluded: [] };
  const statuses = question.statuses ?? ['active'];
  for (const provider of [...providers].sort(byName)) {
    if (!statuses.includes('any') && !statuses.includes(provider.status)) continue;
    const slots = slotsOf(provider).map((slot) => {
      const verdicts = [
        !question.kinds || question.kinds.includes(provider.kind),
        !question.providers || question.providers.includes(provider.slug),
        stageHolds(question.stages, slot.stage),
        ...[...question.conditions.values()].map((condition) => holds(condition, slot.facts)),
      ];
      return { ...slot, verdict: verdicts.includes(false) ? false : verdicts.includes(null) ? null : true };
    });
    const best = [true, null, false].find((verdict) => slots.some((slot) => slot.verdict === verdict));
    const list = best === true ? 'matches' : best === null ? 'undecided' : 'excluded';
    lists[list].push({ provider, slots: slots.filter(({ verdict }) => verdict === best) });
  }
  return lists;
}

// what is shown

let make; // that of site.js, which cannot be imported: its address has a version

let own; // the words of the catalogue
const root = new URL('./', import.meta.url);
const profile = ({ slug, name }) => make('a', { href: `${new URL(`${own.folder}/${slug}/`, root).pathname}` }, name);

/** A fact as words, and where it is from. */
function cell(attribute, fact) {
  if (fact === undefined || fact.state === 'not_documented') return make('span', { className: 'v v-nd' }, 'Not documented');
  if (fact.state === 'not_applicable') return make('span', { className: 'v v-na' }, 'Does not apply');
  const day = new Date(`${fact.checked_on}T00:00:00Z`).toLocaleDateString('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });
  const source = fact.source ? make('a', { href: fact.source.url, rel: 'nofollow' }, fact.source.title) : 'no source';
  return make('span', {}, make('span', { className: 'v' }, fact.text), make('span', { className: 'sub' }, source, `, checked ${day}`));
}

function table(entries, attributes) {
  const head = make('tr', {}, ...[own.noun, ...attributes.map(({ label }) => label)].map((label) => make('th', { scope: 'col' }, label)));
  const rows = entries.flatMap(({ provider, slots }) =>
    slots.map((slot) => {
      const first = make('th', { scope: 'row' }, profile(provider), make('span', { className: 'sub' }, slot.slug === null ? '' : slot.name));
      const cells = attributes.map((attribute) => {
        const made = make('td', {}, cell(attribute, slot.facts[attribute.key]));
        made.dataset.label = attribute.label;
        return made;
      });
      return make('tr', {}, first, ...cells);
    }),
  );
  const made = make('table', { className: 'grid cards', ariaLabel: 'What matches, each with its source' }, make('thead', {}, head), make('tbody', {}, ...rows));
  return make('section', { className: 'box', tabIndex: 0, ariaLabel: 'What matches' }, made);
}

function list(id, title, entries) {
  const items = entries.map(({ provider, slots }) => make('li', {}, profile(provider), make('span', { className: 'hint' }, slots.map(({ name }) => name).join(', '))));
  const heading = make('h2', { id: `${id}-h` }, `${entries.length} ${title}`);
  const section = make('section', { className: 'sec', id }, heading, make('ul', { className: 'reasons' }, ...items));
  section.setAttribute('aria-labelledby', heading.id);
  return section;
}

/** Says that a question is not answered here, on a page that is no filter. */
function refuse(names) {
  const words = `This copy of the site is made of files, which answer no questions: ${names.join(', ')} had no effect.`;
  document.querySelector('main').prepend(make('p', { className: 'note' }, words));
}

/** Puts the answer to the question of an address in the place of a page's result, and the question into its form; throws where it cannot. */
export async function show(maker, address, result, form) {
  make = maker;
  own = document.documentElement.dataset;
  const { pathname, search: query } = new URL(address);
  const names = [...new URLSearchParams(query)].filter(([name, text]) => text !== '' && !IGNORED.test(name)).map(([name]) => name);
  if (names.length === 0) return;
  if (!['compare', own.folder].includes(pathname.split('/').at(-2)) || !form || !result) {
    refuse(names);
    return;
  }
  const response = await fetch(new URL('data/providers.json', root));
  if (!response.ok) throw new Error(`data/providers.json answers ${response.status}`);
  const data = await response.json();
  const question = read(query, data);
  const { matches, undecided, excluded } = answer(question, data.providers);
  const keys = new Set([...question.conditions.values()].map(({ key }) => key));
  const columns = data.attributes.filter(({ key, headline }) => (keys.size === 0 ? headline : keys.has(key)));
  const count = matches.length + undecided.length + excluded.length;
  const status = make('p', { className: 'meta' }, `${matches.length} of ${count} match, ${undecided.length} undecided, ${excluded.length} excluded`);
  status.setAttribute('role', 'status');
  const left = question.left.length === 0 ? '' : ` Not applied here: ${question.left.join(', ')}.`;
  const note = make('p', { className: 'hint' }, `Filtered in your browser and listed by name, since this copy of the site is made of files.${left}`);
  const section = make('section', { className: 'sec', id: 'result' }, make('h2', {}, `${matches.length} match`), status, note, table(matches, columns));
  result.replaceChildren(section, list('undecided', 'undecided', undecided), list('excluded', 'excluded', excluded));
  for (const field of form.elements) {
    const asked = new URLSearchParams(query).getAll(field.name);
    if (field.type === 'checkbox') {
      field.checked = asked.some((text) => text === field.value || text.split(',').includes(field.value));
      field.disabled = false;
    } else if (field.name) {
      field.value = asked[0] ?? '';
    }
  }
}
