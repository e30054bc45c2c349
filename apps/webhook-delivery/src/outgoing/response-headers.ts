import type { IncomingHttpHeaders } from 'node:http';

/** Replaces what the log of deliveries must not show. */
export const HIDDEN = 'hidden';

const MOST_HEADERS = 40;
const MOST_NAME_CHARS = 100;
const MOST_VALUE_CHARS = 256;
const MOST_CHARS = 4_096;
/** Names of headers whose values may be secrets. */
const SECRET = /auth|cookie|credential|csrf|key|nonce|passw|secret|session|signature|token/;
/** A query may have a secret. */
const QUERY = /\?[^\s,;">]*/g;
/** Postgres text has no NUL, and the lines of the log no line breaks. */
const CONTROL = /[\0\r\n]/g;

/** Returns the headers of a response as lines for the log: bounded, without values that may be secrets. */
export function headerLines(headers: IncomingHttpHeaders): string {
  const lines: string[] = [];
  let chars = 0;
  for (const [name, value] of Object.entries(headers).slice(0, MOST_HEADERS)) {
    for (const each of Array.isArray(value) ? value : [value ?? '']) {
      const line = `${cut(name, MOST_NAME_CHARS)}: ${SECRET.test(name) ? HIDDEN : shown(each)}`;
      chars += line.length + 1;
      if (chars > MOST_CHARS || lines.length >= MOST_HEADERS) return lines.join('\n');
      lines.push(line);
    }
  }
  return lines.join('\n');
}

/** Returns the headers of stored lines. */
export function headersOfLines(lines: string): { name: string; value: string }[] {
  if (lines === '') return [];
  return lines.split('\n').map((line) => {
    const end = line.indexOf(': ');
    return { name: line.slice(0, end), value: line.slice(end + 2) };
  });
}

const shown = (value: string): string =>
  cut(value.replace(QUERY, '?…').replace(CONTROL, ' '), MOST_VALUE_CHARS);

const cut = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most)}…` : text);
