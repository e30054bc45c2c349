/** A path that a text cites, and the line of the text that has it, from 1. */
export interface CitedPath {
  path: string;
  line: number;
}

const FOLDERS = 'apps|libs|tools|test|bench|docs|contracts|deploy|\\.ci|\\.github|\\.devcontainer';
/** A path from the root of the repository. A path with a placeholder (`<name>`, `*`, `{a,b}`, NAME) is a pattern. */
const PATH = new RegExp(`(?<![\\w./@{-])(?:${FOLDERS})/[\\w./@-]+\\w`, 'g');
/** A document that is named without its folder. */
const DOCUMENT = /(?<![\w./-])[\w-]+\.md\b/g;
const LINK = /\]\(([^)\s#]+)(#[^)\s]*)?\)/g;
const SCHEME = /^[a-z]+:/i;

/** Finds the paths from the root that a text names. */
export function citedPathsIn(text: string): CitedPath[] {
  return text
    .split('\n')
    .flatMap((content, index) =>
      [...content.matchAll(PATH)]
        .filter(({ 0: path, index: at }) => !isPattern(content, path, at))
        .map(({ 0: path }) => ({ path: path.replace(/[.:]$/, ''), line: index + 1 })),
    );
}

function isPattern(content: string, path: string, at: number): boolean {
  const next = content[at + path.length] ?? '';
  return (
    ('<*{$…('.includes(next) && next !== '') || /\/(NAME|APP|SERVICE|FAMILY|name|family)(\/|$|\.)/.test(path)
  );
}

/** Finds documents that a text names without their folder. */
export function bareDocumentsIn(text: string): string[] {
  return [...text.matchAll(DOCUMENT)].map(([name]) => name);
}

/** Finds the relative links of a Markdown document. It skips addresses and anchors of the same page. */
export function relativeLinksIn(markdown: string): CitedPath[] {
  return markdown.split('\n').flatMap((content, index) =>
    [...content.matchAll(LINK)]
      .map(({ 1: target = '' }) => target)
      .filter((target) => target !== '' && !SCHEME.test(target) && !target.startsWith('/'))
      .map((path) => ({ path: decodeURI(path), line: index + 1 })),
  );
}
