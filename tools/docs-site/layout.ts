import { escape, link, slugOf } from './html';
import type { Heading } from './markdown';

export interface Page {
  /** Path below /docs, without a leading slash. */
  path: string;
  title: string;
  /** The content below the heading of the page, which the layout does not add. */
  html: string;
  headings?: readonly Heading[];
  description?: string;
  /** Weight in the search: pages that list others have less. */
  kind: 'page' | 'operation' | 'error' | 'list';
  script?: string;
}

export interface Entry {
  name: string;
  pages: readonly { path: string; name: string }[];
}

export const addressOfPath = (path: string): string => (path === '' ? '/docs' : `/docs/${path}`);

/** Writes a whole page. It has no script and no style of its own, so that the policy can forbid them. */
export function layout(page: Page, navigation: readonly Entry[], version: string): string {
  const title = page.path === '' ? 'Plimsoll documentation' : `${page.title} – Plimsoll documentation`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(title)}</title>${page.description ? `\n<meta name="description" content="${escape(page.description)}">` : ''}
<link rel="icon" href="/docs/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/docs/docs.css">${page.script ? `\n<script src="/docs/${page.script}" defer></script>` : ''}
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header>
<a class="home" href="/docs">Plimsoll documentation</a>
<form role="search" action="/docs/search">
<label for="query">Search</label>
<input type="search" id="query" name="q" maxlength="100" autocomplete="off">
<button>Search</button>
</form>
</header>
<div class="columns">
<nav aria-label="Pages">
${navigation.map((entry) => section(entry, page.path)).join('\n')}
</nav>
<main id="content" tabindex="-1">
${page.html.replace('</h1>', `</h1>\n${contents(page.headings ?? [])}`)}
</main>
</div>
<footer><p>Version ${escape(version)} · ${link('/openapi.json', 'OpenAPI document')} · ${link('/asyncapi.json', 'AsyncAPI document')}</p></footer>
</body>
</html>
`;
}

function section({ name, pages }: Entry, path: string): string {
  const items = pages.map((each) => {
    const isHere =
      each.path === path || (each.path.startsWith('reference/') && path.startsWith(`${each.path}/`));
    const current = isHere ? ` aria-current="${each.path === path ? 'page' : 'true'}"` : '';
    return `<li><a href="${addressOfPath(each.path)}"${current}>${escape(each.name)}</a></li>`;
  });
  const id = `pages-${slugOf(name)}`;
  return `<p id="${id}">${escape(name)}</p>\n<ul aria-labelledby="${id}">\n${items.join('\n')}\n</ul>`;
}

/** Links to the parts of a long page. */
function contents(headings: readonly Heading[]): string {
  const parts = headings.filter(({ level }) => level === 2);
  if (parts.length < 3) return '';
  const items = parts.map(({ id, text }) => `<li>${link(`#${id}`, text)}</li>`);
  return `<nav class="contents" aria-label="On this page">\n<p>On this page</p>\n<ul>\n${items.join('\n')}\n</ul>\n</nav>\n`;
}
