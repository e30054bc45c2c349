import ts from 'typescript';
import { isTest, projectOf } from './imports';

/** Sizes of one app, library or tool. Tests and generated files are not counted. */
export interface ProjectSize {
  project: string;
  files: number;
  /** Files with fewer than 30 lines. */
  shortFiles: number;
  /** Lines with code. Empty lines and lines with only a comment are not counted. */
  codeLines: number;
}

const SHORT_LINES = 30;
const MOST_FILES = 25;
const SOURCE = /\.(tsx?|cjs|mjs)$/;
const GENERATED = /(^|\/)generated\/|\.d\.ts$/;

/** Number of lines with code. A line with code and a comment counts; a comment or an empty line does not. */
export function countCodeLines(file: string, text: string): number {
  const kind = file.endsWith('.tsx') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, false, kind);
  const lines = new Set<number>();
  const visit = (node: ts.Node): void => {
    const children = node.getChildren(source);
    if (children.length > 0) return void children.forEach(visit);
    const [start, end] = [node.getStart(source), node.getEnd()];
    if (start === end || ts.isJSDoc(node)) return;
    const last = source.getLineAndCharacterOfPosition(end).line;
    for (let line = source.getLineAndCharacterOfPosition(start).line; line <= last; line += 1)
      lines.add(line);
  };
  visit(source);
  return lines.size;
}

/** Sizes by project, for the files of product, tools and benchmarks. */
export function sizesOf(files: readonly string[], read: (file: string) => string): ProjectSize[] {
  const sizes = new Map<string, ProjectSize>();
  for (const file of files) {
    if (!SOURCE.test(file) || GENERATED.test(file) || isTest(file)) continue;
    const project = projectOf(file);
    const size = sizes.get(project) ?? { project, files: 0, shortFiles: 0, codeLines: 0 };
    sizes.set(project, size);
    const text = read(file);
    size.files += 1;
    size.codeLines += countCodeLines(file, text);
    if (text.trimEnd().split('\n').length < SHORT_LINES) size.shortFiles += 1;
  }
  return [...sizes.values()].sort((a, b) => (a.project < b.project ? -1 : 1));
}

/** Folders with more than 25 source files, specs not counted, largest first. */
export function largeFolders(files: readonly string[]): { folder: string; files: number }[] {
  const counts = new Map<string, number>();
  for (const file of files) {
    if (!SOURCE.test(file) || GENERATED.test(file) || isTest(file)) continue;
    const folder = file.slice(0, file.lastIndexOf('/'));
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return [...counts]
    .flatMap(([folder, count]) => (count > MOST_FILES ? [{ folder, files: count }] : []))
    .sort((a, b) => b.files - a.files);
}
