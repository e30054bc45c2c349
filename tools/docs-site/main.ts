import { copyFileSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ERROR_FILE, errorPages, errorStatuses } from './errors';
import { textOf } from './html';
import { type Entry, type Page, addressOfPath, layout } from './layout';
import { renderMarkdown } from './markdown';
import { type OpenApi, endpointsOf, referencePages } from './reference';
import { RECEIPT_SCHEMAS, SECTIONS, WRITTEN_PAGES, type WrittenPage } from './site-map';
import { type AsyncApi, streamsPage } from './streams';

const OUTPUT = 'dist/docs-site';
const PICTURES = ['docs/pictures', 'docs'];

const readJson = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'));

/** Writes the documentation that the gateway serves, in the root of the repository. */
export function main(): void {
  const { version } = readJson('package.json') as { version: string };
  const document = readJson('docs/openapi.json') as OpenApi;
  const pages = [
    ...WRITTEN_PAGES.map(writtenPage),
    ...referencePages(document, errorStatuses),
    ...errorPages(readFileSync(ERROR_FILE, 'utf8'), endpointsOf(document)),
    streamsPage(readJson('docs/asyncapi.json') as AsyncApi),
  ];
  const navigation = navigationOf(pages);
  const searchable = searchPage();
  rmSync(OUTPUT, { recursive: true, force: true });
  for (const page of [...pages, searchable]) {
    write(`${page.path || 'index'}.html`, layout(page, navigation, version));
  }
  write('search-index.json', JSON.stringify(pages.map(searchEntry)));
  for (const folder of PICTURES) {
    for (const name of readdirSync(folder).filter((each) => each.endsWith('.svg'))) {
      write(`pictures/${name}`, readFileSync(path.join(folder, name), 'utf8'));
    }
  }
  for (const file of RECEIPT_SCHEMAS) copyFileSync(file, path.join(OUTPUT, path.basename(file)));
  console.log(`${OUTPUT} has ${pages.length + 1} pages.`);
}

function write(name: string, text: string): void {
  const file = path.join(OUTPUT, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function writtenPage({ path: at, file, name }: WrittenPage): Page {
  const { html, headings } = renderMarkdown(readFileSync(file, 'utf8'), file);
  const title = headings.find(({ level }) => level === 1)?.text ?? name;
  return { path: at, title, html, headings, kind: 'page' };
}

function navigationOf(pages: readonly Page[]): Entry[] {
  const groups = pages.filter(({ path: at, kind }) => kind === 'list' && /^reference\/[^/]+$/.test(at));
  const reference = [
    { path: 'reference', name: 'All groups' },
    ...groups.map(({ path: at, title }) => ({ path: at, name: title.replace(': endpoints', '') })),
    { path: 'streams', name: 'Messages of the streams' },
    { path: 'errors', name: 'Error codes' },
  ];
  return [...SECTIONS, { name: 'API reference', pages: reference }];
}

function searchPage(): Page {
  const html = `<h1>Search</h1>
<p id="summary" role="status">Enter words in the field above. Without JavaScript, use the list of pages.</p>
<ol id="results"></ol>`;
  return { path: 'search', title: 'Search', kind: 'list', html, script: 'search.js' };
}

/** Title, address and words of a page. Words occur once, because the search counts pages and not words. */
function searchEntry({ path: at, title, html, kind }: Page): object {
  const words = new Set(
    textOf(html)
      .toLowerCase()
      .match(/[\p{L}\p{N}_]{2,}/gu),
  );
  return { title, address: addressOfPath(at), kind, words: [...words].join(' ') };
}
