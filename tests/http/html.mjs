// Reads the pages of this site: well-formed HTML whose attributes are all in double quotes (html.test.mjs proves it).
const ENTITIES = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

export const decode = (text) => text.replace(/&(amp|lt|gt|quot|#39);/g, (_, name) => ENTITIES[name]);

/** The decoded values of an attribute, on elements of this name or on all. */
export function attributes(html, attribute, element = '[a-z][a-z0-9]*') {
    const tag = new RegExp(`<${element}(?=[\\s>])[^>]*?\\s${attribute}="([^"]*)"`, 'g');
    return [...html.matchAll(tag)].map((match) => decode(match[1]));
}

/** The text inside the first element of this name, without markup; undefined where there is none. */
export function text(html, element) {
    const match = new RegExp(`<${element}(?=[\\s>])[^>]*>(.*?)</${element}>`, 's').exec(html);
    return match === null ? undefined : decode(match[1].replace(/<[^>]*>/g, '')).replace(/\s+/g, ' ').trim();
}

/** The content of a meta element by its name. */
export function meta(html, name) {
    const match = new RegExp(`<meta name="${name}" content="([^"]*)"`).exec(html);
    return match === null ? undefined : decode(match[1]);
}

/** The address that a page says it has. */
export function canonical(html) {
    const match = /<link rel="canonical" href="([^"]*)"/.exec(html);
    return match === null ? undefined : decode(match[1]);
}

/** A text of the catalogue as people read it: the days in it are written out. The copy of a rule, so that the program's own is held to it. */
export const forPeople = (text) =>
    text?.replace(/(?<![\w\-/.:#=@+])(\d{4}-\d\d-\d\d)(?![\w\-/#=@+]|[.:][\w\-/.:#=@+])/g, (iso) =>
        Number.isNaN(Date.parse(iso)) ? iso : new Date(iso).toLocaleDateString('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' }).replace('Sept', 'Sep'));

/** The paths of a site map. */
export const sitemapPaths = (xml) => [...xml.matchAll(/<loc>([^<]*)<\/loc>/g)].map((match) => new URL(decode(match[1])).pathname);
