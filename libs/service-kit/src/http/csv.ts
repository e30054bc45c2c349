/** Text that a spreadsheet takes for a formula (OWASP, CSV injection). */
const FORMULA = /^[=+\-@\t\r]/;
const NUMBER = /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i;
const QUOTED = /[",\r\n]|^\s|\s$/;

/**
 * Returns a table as CSV (RFC 4180) with a line of names.
 * @param rows objects; a missing value and null are empty, an object or list is JSON
 */
export function csvOf(columns: readonly string[], rows: readonly object[]): string {
  const lines = rows.map((row) => {
    const values = row as Record<string, unknown>;
    return columns.map((column) => cell(values[column])).join(',');
  });
  return [columns.join(','), ...lines, ''].join('\r\n');
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'object' ? JSON.stringify(value) : harmless(String(value));
  return QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** An apostrophe makes a spreadsheet show a formula as text. Numbers are none. */
const harmless = (text: string): string => (FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text);

/**
 * Returns whether an Accept header prefers CSV to JSON: it names text/csv (or text/*), with at least the weight of JSON,
 * and more if it names JSON too.
 */
export function prefersCsv(accept: string | undefined): boolean {
  if (accept === undefined || !/text\//i.test(accept)) return false;
  const ranges = accept.split(',').map((part) => {
    const [type = '', ...parameters] = part.split(';').map((each) => each.trim().toLowerCase());
    const weight = Number(parameters.find((each) => each.startsWith('q='))?.slice(2) ?? 1);
    return { type, weight: Number.isFinite(weight) ? weight : 0 };
  });
  const weightOf = (...types: string[]): number =>
    types
      .map((type) => ranges.find((range) => range.type === type)?.weight)
      .find((each) => each !== undefined) ?? 0;
  const csv = weightOf('text/csv', 'text/*');
  const json = weightOf('application/json', 'application/*', '*/*');
  const namesJson = ranges.some(({ type }) => type === 'application/json');
  return csv > 0 && (namesJson ? csv > json : csv >= json);
}
