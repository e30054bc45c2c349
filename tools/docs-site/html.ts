const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

export const escape = (text: string): string => text.replaceAll(/[&<>"]/g, (each) => ENTITIES[each] ?? each);

export const code = (text: string): string => `<code>${escape(text)}</code>`;

export const link = (href: string, text: string): string => `<a href="${escape(href)}">${escape(text)}</a>`;

/** A table that scrolls with the keyboard where it is wider than the page. */
export function table(label: string, heads: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '';
  const head = heads.map((each) => `<th scope="col">${each}</th>`).join('');
  const body = rows.map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join('')}</tr>`).join('\n');
  return scrolling(label, `<table><thead><tr>${head}</tr></thead>\n<tbody>\n${body}\n</tbody></table>`);
}

/** The start of a part that scrolls with the keyboard. Its end is `</div>`. */
export function scrollStart(label: string): string {
  return `<div class="scroll" role="group" aria-label="${escape(label)}" tabindex="0">`;
}

export function scrolling(label: string, content: string): string {
  return `${scrollStart(label)}${content}</div>\n`;
}

export function example(label: string, text: string): string {
  return scrolling(label, `<pre><code>${escape(text)}</code></pre>`);
}

/** The words of a page without its tags, for the search. */
export const textOf = (html: string): string =>
  html
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ')
    .trim();

/** The id that GitHub gives a heading, so that links to headings work in both places. */
export const slugOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');
