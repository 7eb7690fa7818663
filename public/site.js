// Only improves: every page works without it.
const find = (selector, root = document) => root.querySelector(selector);
const findAll = (selector, root = document) => [...root.querySelectorAll(selector)];

function make(name, properties = {}, ...children) {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
}

/** What a store keeps under a key, after putting value there; null where forbidden. */
function memory(store, key, value) {
  try {
    if (value !== undefined) window[store].setItem(key, value);
    return window[store].getItem(key);
  } catch {
    return null;
  }
}

const live = make('div', { className: 'sr', role: 'status' });
document.body.append(live);

function announce(text) {
  live.textContent = '';
  setTimeout(() => (live.textContent = text), 50);
}

// theme

const themes = { auto: 'as the system', light: 'light', dark: 'dark' };

function showTheme(name, button) {
  if (name === 'auto') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = name;
  button.setAttribute('aria-label', `Theme: ${themes[name]}`);
}

function startTheme() {
  const button = find('#theme');
  if (!button) return;
  const names = Object.keys(themes);
  let name = memory('localStorage', 'theme');
  if (!names.includes(name)) name = 'auto';
  showTheme(name, button);
  button.hidden = false;
  button.addEventListener('click', () => {
    name = names[(names.indexOf(name) + 1) % names.length];
    showTheme(name, button);
    memory('localStorage', 'theme', name);
    announce(`Theme: ${themes[name]}`);
  });
}

// keys

function startSearchKey() {
  document.addEventListener('keydown', (event) => {
    const typing = event.target.closest('input, textarea, select, [contenteditable]');
    if (event.key !== '/' || typing || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    find('#q')?.focus();
  });
}

const steps = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
const isShown = (cell) => cell.getClientRects().length > 0;

function neighbour(cell, [down, right]) {
  const rows = [...cell.closest('table').rows];
  let row = rows.indexOf(cell.parentElement);
  let column = cell.cellIndex;
  do {
    row += down;
    column += right;
  } while (rows[row]?.cells[column] && !isShown(rows[row].cells[column]));
  return rows[row]?.cells[column];
}

function startTableKeys() {
  document.addEventListener('keydown', (event) => {
    const cell = event.target.closest('.box td, .box th');
    const step = steps[event.key];
    if (!cell || !step || event.target.closest('[popover], input, select')) return;
    const next = neighbour(cell, step);
    if (!next) return;
    event.preventDefault();
    const target = find('a, button, input', next) ?? next;
    if (target === next) next.tabIndex = -1;
    target.focus();
  });
}

// receipts by hover, from the first mark on which a mouse rests

function startReceipts() {
  const first = async (event) => {
    if (event.pointerType !== 'mouse' || !event.target.closest?.('.src[popovertarget]')) return;
    document.removeEventListener('pointerover', first);
    (await import('./receipts.js')).follow(event.target);
  };
  document.addEventListener('pointerover', first);
}

// copying

async function copy(text, what) {
  try {
    await navigator.clipboard.writeText(text);
    announce(`${what} copied`);
  } catch {
    announce('The browser did not allow copying');
  }
}

function cellText(cell) {
  const bare = cell.cloneNode(true);
  findAll('.src, .receipt', bare).forEach((part) => part.remove());
  return bare.textContent.replace(/\s+/g, ' ').trim();
}

function tableRows(table) {
  return [...table.rows].map((row) => [...row.cells].filter((cell) => !cell.hidden).map(cellText));
}

const written = async (table, form) => (await import('./tables.js'))[form](tableRows(table));

const here = () => location.href.split('#')[0];

function asCurl() {
  const json = find('main a[href*="format=json"]');
  return `curl -s '${(json ? json.href : here()).replace(/'/g, '%27')}'`;
}

let menus = 0;

function menu(label, ...children) {
  const id = `menu-${++menus}`;
  const list = make('div', { className: 'receipt menu', id, popover: 'auto' }, ...children);
  const button = make('button', { className: 'btn btn-plain', type: 'button', textContent: label });
  button.setAttribute('popovertarget', id);
  return [button, list];
}

function copyMenu(table) {
  const link = () => `${here()}#${table.caption.id}`;
  const forms = { Markdown: () => written(table, 'markdown'), CSV: () => written(table, 'csv'), Link: link, curl: asCurl };
  const entries = Object.entries(forms).map(([name, text]) => {
    const entry = make('button', { className: 'btn btn-plain', type: 'button', textContent: name });
    entry.addEventListener('click', async () => {
      copy(await text(), name);
      entry.parentElement.hidePopover();
    });
    return entry;
  });
  return menu('Copy', ...entries);
}

function showColumn(table, column, shown) {
  const width = table.tHead.rows[0].cells.length;
  for (const { cells } of table.rows) if (cells.length === width) cells[column].hidden = !shown;
}

function columnMenu(table) {
  const boxes = [...table.tHead.rows[0].cells].slice(1).map((cell, i) => {
    const box = make('input', { type: 'checkbox', checked: true });
    box.addEventListener('change', () => showColumn(table, i + 1, box.checked));
    return make('label', { className: 'opt' }, box, cellText(cell));
  });
  return menu('Columns', ...boxes);
}

function addTools(table) {
  const columns = table.tHead.rows[0].cells.length > 3 ? columnMenu(table) : [];
  table.before(make('div', { className: 'box-tools' }, ...copyMenu(table), ...columns));
}

// A table gets its tools when it comes near: a page may have thirty.
const near = new IntersectionObserver(
  (entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      near.unobserve(target);
      if (!find('.box-tools', target.parentElement)) addTools(target);
    }
  },
  { rootMargin: '400px' },
);

function startTables() {
  for (const table of findAll('.box > table')) if (table.caption && table.tHead) near.observe(table);
}

function startCopyButtons() {
  for (const button of findAll('[data-copy]')) {
    const source = document.getElementById(button.dataset.copy);
    button.hidden = false;
    button.addEventListener('click', () => copy(source.value ?? source.textContent, 'Text'));
  }
}

// the compare tray

const TRAY_MAX = 6;
const picked = () => new Map(JSON.parse(memory('sessionStorage', 'tray') ?? '[]'));
const pickBox = 'input[name="providers"][form="pick"]';

function chip(slug, name) {
  const button = make('button', { className: 'chip chip-off', type: 'button', textContent: name });
  button.setAttribute('aria-label', `Remove ${name}`);
  button.addEventListener('click', () => {
    pick(slug, name, false);
    find('#pick button')?.focus();
  });
  return button;
}

function showTray() {
  const form = find('#pick');
  if (!form) return;
  const chosen = picked();
  const boxes = findAll(pickBox);
  for (const box of boxes) {
    box.checked = chosen.has(box.value);
    box.disabled = !box.checked && chosen.size >= TRAY_MAX;
  }
  const shown = new Set(boxes.map((box) => box.value));
  const elsewhere = [...chosen.keys()].filter((slug) => !shown.has(slug));
  const hidden = elsewhere.map((value) => make('input', { type: 'hidden', name: 'providers', value }));
  find('.hint', form).hidden = chosen.size > 0;
  find('.chips', form).replaceChildren(...[...chosen].map(([slug, name]) => chip(slug, name)), ...hidden);
  find('[type="submit"]', form).disabled = chosen.size < 2;
}

function pick(slug, name, wanted) {
  const chosen = picked();
  if (wanted) chosen.set(slug, name);
  else chosen.delete(slug);
  memory('sessionStorage', 'tray', JSON.stringify([...chosen]));
  showTray();
  announce(`${name} ${wanted ? 'added to' : 'removed from'} the comparison, ${chosen.size} of ${TRAY_MAX}`);
}

function startTray() {
  showTray();
  document.addEventListener('change', (event) => {
    const box = event.target;
    if (!box.matches(pickBox)) return;
    const name = find('h3 a, th a', box.closest('.card, tr'))?.textContent ?? box.value;
    pick(box.value, name, box.checked);
  });
}

// a copy made of files reads no question: then it is answered here

const unread = (page, address) => page.documentElement.dataset.asked === '' && new URL(address).search;
const unfiltered = () => find('main').prepend(make('p', { className: 'note' }, 'Loading failed: unfiltered.'));
const offline = (...all) => import('./offline.js').then(({ show }) => show(make, ...all)).catch(unfiltered);

// filters

function addressOf(form) {
  const pairs = [...new FormData(form)].filter(([, value]) => value !== '');
  const query = new URLSearchParams(pairs).toString();
  return form.action.split('?')[0] + (query && `?${query}`);
}

function syncForm(form, other) {
  const key = (field) => `${field.name} ${field.type === 'checkbox' ? field.value : ''}`;
  const fields = new Map([...other.elements].map((field) => [key(field), field]));
  for (const field of form.elements) {
    const twin = fields.get(key(field));
    if (!twin) continue;
    field.disabled = twin.disabled && field !== document.activeElement;
    field.checked = twin.checked;
    if (field.type !== 'checkbox' && field !== document.activeElement) field.value = twin.value;
    const count = find('small', field.closest('label') ?? field);
    const fresh = find('small', twin.closest('label') ?? twin);
    if (count && fresh) count.textContent = fresh.textContent;
  }
}

function startFilter() {
  const form = find('aside.side form.form[method="get"]');
  const result = find('main > .main');
  if (!form || !result) return;
  let pending = null;
  const show = (address, keep) => {
    pending?.abort();
    const request = new XMLHttpRequest();
    pending = request;
    request.open('GET', address);
    request.responseType = 'document'; // the policy lets no script parse
    request.setRequestHeader('Accept', 'text/html');
    const leave = () => location.assign(address); // the server says what is wrong
    request.onerror = leave;
    request.onload = async () => {
      const page = request.response;
      const fresh = page && find('main > .main', page);
      if (request.status !== 200 || !fresh) return leave();
      if (keep) history.pushState(null, '', address);
      document.title = page.title;
      if (unread(page, address)) await offline(address, result, form);
      else {
        result.replaceChildren(...fresh.childNodes);
        syncForm(form, find('aside.side form.form', page));
      }
      startTables();
      showTray();
      announce(findAll('h2, [role="status"]', result).slice(0, 2).map(cellText).join('. '));
    };
    request.send();
  };
  let timer = 0;
  form.addEventListener('change', (event) => {
    clearTimeout(timer);
    timer = setTimeout(() => show(addressOf(form), true), event.target.type === 'number' ? 400 : 50);
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    show(addressOf(form), true);
  });
  addEventListener('popstate', () => show(location.href, false));
}

// what changed since the day of the last visit

function startSince() {
  const today = new Date().toISOString().slice(0, 10);
  const visit = memory('localStorage', 'visit');
  if (visit !== today) {
    if (visit) memory('localStorage', 'visit-before', visit);
    memory('localStorage', 'visit', today);
  }
  const before = memory('localStorage', 'visit-before');
  const link = find('#since');
  if (!link || !/^\d{4}-\d\d-\d\d$/.test(before ?? '')) return;
  const address = new URL(link.href);
  address.searchParams.set('from', before);
  link.href = address;
  link.textContent = `Since you last looked (${before})`;
  link.hidden = false;
}

if (unread(document, location.href)) offline(location.href, find('main > .main'), find('aside.side form.form'));

startTheme();
startSearchKey();
startTableKeys();
startReceipts();
startTables();
startCopyButtons();
startTray();
startFilter();
startSince();
