// A reader of CSV by RFC 4180, for tests.

/** Rows as arrays of fields; fails on a stray quote. */
export function parseRows(text) {
    const rows = [];
    let row = [];
    const field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/gy;
    while (field.lastIndex < text.length) {
        const at = field.lastIndex;
        const match = field.exec(text);
        if (match === null) {
            throw new Error(`no CSV at ${at}: ${text.slice(at, at + 40)}`);
        }
        row.push(match[1] === undefined ? match[2] : match[1].replaceAll('""', '"'));
        if (match[3] !== ',') {
            rows.push(row);
            row = [];
        }
    }
    return rows;
}

/** Rows as objects by the names of the first row; each row has as many fields as the head. */
export function parseCsv(text) {
    const [head, ...rows] = parseRows(text);
    return rows.map((row) => {
        if (row.length !== head.length) {
            throw new Error(`${row.length} fields, not ${head.length}: ${row.slice(0, 4)}`);
        }
        return Object.fromEntries(row.map((value, index) => [head[index], value]));
    });
}
