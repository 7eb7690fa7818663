// The rows of a table as a text to copy; site.js loads this when it is first asked for.

export function markdown([head, ...body]) {
  const line = (cells) => `| ${cells.map((text) => text.replace(/[\\|]/g, '\\$&')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...body.map(line)].join('\n');
}

/** RFC 4180; a text that a spreadsheet would take for a formula gets an apostrophe in front. */
export function csv(rows) {
  const field = (text) => {
    const safe = /^[=+\-@]/.test(text) && Number.isNaN(Number(text)) ? `'${text}` : text;
    return /[",\n]/.test(safe) ? `"${safe.replace(/"/g, '""')}"` : safe;
  };
  return rows.map((cells) => cells.map(field).join(',')).join('\r\n');
}
