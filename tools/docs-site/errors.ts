import { PROBLEMS, type ProblemCode, problemType } from '@plimsoll/contracts';
import { code, escape, link, table } from './html';
import type { Page } from './layout';
import { renderMarkdown } from './markdown';
import type { Endpoint } from './reference';

/** The file with the cause and the remedy of each code, under a heading of its name. */
export const ERROR_FILE = 'docs/api/error-codes.md';

const CODES = Object.keys(PROBLEMS) as ProblemCode[];

export const errorStatuses: Readonly<Record<string, string>> = Object.fromEntries(
  CODES.map((each) => [each, `${PROBLEMS[each].status}: ${PROBLEMS[each].title}`]),
);

/** One page for each error code, and one that lists them. */
export function errorPages(text: string, endpoints: readonly Endpoint[]): Page[] {
  const written = sectionsOf(text);
  const unknown = [...written.keys()].filter((each) => !(each in PROBLEMS));
  const missing = CODES.filter(
    (each) => !/\*\*Cause\.\*\*[^]*\*\*Remedy\.\*\*/.test(written.get(each) ?? ''),
  );
  if (unknown.length + missing.length > 0) {
    throw new Error(
      `${ERROR_FILE}: unknown ${unknown.join(', ') || 'none'}; without a cause and a remedy: ${missing.join(', ') || 'none'}.`,
    );
  }
  return [list(), ...CODES.map((each) => errorPage(each, written.get(each) ?? '', endpoints))];
}

function sectionsOf(text: string): Map<string, string> {
  const [, ...parts] = text.split(/^## /m);
  return new Map(
    parts.map((part) => {
      const end = part.indexOf('\n');
      return [part.slice(0, end).trim(), part.slice(end + 1).trim()];
    }),
  );
}

function list(): Page {
  const rows = CODES.map((each) => [
    `<a href="/docs/errors/${each}">${code(each)}</a>`,
    String(PROBLEMS[each].status),
    escape(PROBLEMS[each].title),
  ]);
  return {
    path: 'errors',
    title: 'Error codes',
    kind: 'list',
    html: `<h1>Error codes</h1>\n<p>Every error has a stable ${code('code')}. ${link('/docs/api/errors', 'Errors')} describes its body.</p>\n${table('Error codes', ['code', 'status', 'title'], rows)}`,
  };
}

function errorPage(name: ProblemCode, text: string, endpoints: readonly Endpoint[]): Page {
  const { status, title } = PROBLEMS[name];
  const with_ = endpoints.filter(({ operation }) => operation['x-error-codes']?.includes(name));
  const items = with_.map(
    ({ page, method, path }) => `<li><a href="/docs/${page}">${code(`${method} ${path}`)}</a></li>`,
  );
  return {
    path: `errors/${name}`,
    title: `Error ${name}`,
    kind: 'error',
    description: `${status} ${title}`,
    html: [
      `<h1>Error ${code(name)}</h1>`,
      `<p>Status ${status}: ${escape(title)}. The ${code('type')} of its body is ${code(problemType(name))}.</p>`,
      renderMarkdown(text, ERROR_FILE).html,
      items.length === 0
        ? ''
        : `<h2 id="endpoints">Endpoints</h2>\n<p>${items.length} of ${endpoints.length} endpoints document this code.</p>\n<ul>\n${items.join('\n')}\n</ul>`,
    ].join('\n'),
  };
}
