import path from 'node:path';
import MarkdownIt, { type Token } from 'markdown-it';
import { escape, scrollStart, scrolling, slugOf } from './html';
import { addressOf } from './site-map';

export interface Heading {
  level: number;
  id: string;
  text: string;
}
export interface Rendered {
  html: string;
  headings: Heading[];
}
interface Environment extends Record<PropertyKey, unknown> {
  /** File that is rendered. Its links are relative to it. */
  file: string;
  headings: Heading[];
  /** For each open link, whether it leads to a page of the site. */
  links: boolean[];
}

const markdown = new MarkdownIt({ html: false });

/** Sets how a token becomes HTML. markdown-it passes on the environment of the rendering, which is always ours. */
function setRule(name: string, write: (tokens: Token[], index: number, env: Environment) => string): void {
  markdown.renderer.rules[name] = (tokens, index, _options, env) => write(tokens, index, env as Environment);
}

/** An address on the site for a link of a file; undefined when the site does not have its target. */
export function targetOf(href: string, file: string): string | undefined {
  if (/^https?:/.test(href)) return href;
  const [target = '', fragment] = href.split('#');
  const hash = fragment === undefined ? '' : `#${fragment}`;
  if (target === '') return hash;
  if (target.startsWith('/')) return href;
  const address = addressOf(path.posix.normalize(path.posix.join(path.posix.dirname(file), target)));
  return address && address + hash;
}

setRule('heading_open', (tokens, index, env) => {
  const token = tokens[index];
  const text = (tokens[index + 1]?.children ?? []).map(({ content }) => content).join('');
  const slug = slugOf(text);
  const same = env.headings.filter(({ id }) => id === slug || id.startsWith(`${slug}-`)).length;
  const id = same > 0 && env.headings.some((each) => each.id === slug) ? `${slug}-${same}` : slug;
  env.headings.push({ level: Number(token?.tag.slice(1)), id, text });
  return `<${token?.tag} id="${escape(id)}">`;
});

setRule('link_open', (tokens, index, env) => {
  const target = targetOf(String(tokens[index]?.attrGet('href') ?? ''), env.file);
  env.links.push(target !== undefined);
  return target === undefined ? '' : `<a href="${escape(target)}">`;
});
setRule('link_close', (_tokens, _index, env) => (env.links.pop() ? '</a>' : ''));

setRule('image', (tokens, index, env) => {
  const token = tokens[index];
  const source = targetOf(String(token?.attrGet('src') ?? ''), env.file);
  const text = token?.content ?? '';
  if (!source || text === '') throw new Error(`${env.file}: a picture needs a published file and a text.`);
  return `<img src="${escape(source)}" alt="${escape(text)}">`;
});

setRule('fence', (tokens, index, env) => {
  const { info = '', content = '' } = tokens[index] ?? {};
  if (info.startsWith('mermaid'))
    throw new Error(`${env.file}: use a picture, because pages run no diagrams.`);
  const label = env.headings.at(-1)?.text ?? 'Example';
  return scrolling(`Example: ${label}`, `<pre><code>${escape(content)}</code></pre>`);
});

setRule(
  'table_open',
  (_tokens, _index, env) => `${scrollStart(`Table: ${env.headings.at(-1)?.text ?? ''}`)}<table>`,
);
setRule('table_close', () => '</table></div>\n');
setRule('th_open', () => '<th scope="col">');
setRule('td_open', () => '<td>');

/** Renders the text of a file, whose links are relative to it. */
export function renderMarkdown(text: string, file: string): Rendered {
  const env: Environment = { file, headings: [], links: [] };
  // A header without a text names nothing.
  const html = markdown.render(text, env).replaceAll('<th scope="col"></th>', '<td></td>');
  return { html, headings: env.headings };
}

/** Renders a description of the OpenAPI document. */
export const renderDescription = (text = ''): string => renderMarkdown(text, 'docs/openapi.json').html;

export const renderInline = (text = ''): string =>
  markdown.renderInline(text, { file: 'docs/openapi.json', headings: [], links: [] });
