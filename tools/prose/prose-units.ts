import ts from 'typescript';

/** One piece of prose in a source file. */
export interface ProseUnit {
  kind: 'comment' | 'title' | 'message';
  /** Line of its first character, from 1. */
  line: number;
  text: string;
}

const TITLE_CALL = /^(it|test|describe)(\.(each|only|skip|concurrent)\b.*)?$/s;
const LOG_CALL = /(logger|log|console|progress)\.(log|warn|error|debug|info|fatal)$/i;
/** A message has at least three words. Shorter literals are names and codes. */
const MESSAGE = /[A-Za-z]+[,;:]? [A-Za-z]+[,;:]? \S+/;
/** Other texts for people, such as descriptions and help, have at least four words and no syntax of a language. */
const TEXT = /^(?!function |event |error )[A-Za-z`(][^{}<>=|\\\n]*$/;
const WORD = /(?<![\w.-])[a-z]+(?![\w(.-]*[\w(])/g;
const LEAST_WORDS = 4;
const SQL = /\b(SELECT|INSERT|UPDATE|DELETE|FROM|WHERE|ORDER BY|VALUES|SET)\b/;
/** A comment for a tool, not for a reader. */
const DIRECTIVE =
  /^(eslint|oxlint|prettier|@ts-|istanbul|c8|#region|#endregion|@jest-environment|<reference)/;

/** Finds the comments, test titles and messages (errors, log lines, other texts) of a TypeScript or JavaScript file. */
export function proseUnitsOf(fileName: string, source: string): ProseUnit[] {
  const file = ts.createSourceFile(fileName, source, ts.ScriptTarget.Latest, true);
  const units: ProseUnit[] = [];
  const seen = new Set<ts.Node>();
  const lineOf = (position: number): number => file.getLineAndCharacterOfPosition(position).line + 1;
  const literalsIn = (node: ts.Node): void => {
    const text = literalText(node);
    if (text !== undefined) {
      if (seen.has(node)) return;
      seen.add(node);
      if (MESSAGE.test(text)) units.push({ kind: 'message', line: lineOf(node.getStart(file)), text });
      return;
    }
    if (!ts.isFunctionLike(node)) ts.forEachChild(node, literalsIn);
  };
  const addText = (node: ts.Node): void => {
    const text = literalText(node);
    if (text === undefined || seen.has(node) || !TEXT.test(text) || SQL.test(text)) return;
    if ((text.match(WORD)?.length ?? 0) < LEAST_WORDS) return;
    seen.add(node);
    units.push({ kind: 'message', line: lineOf(node.getStart(file)), text });
  };
  const isTest = /\.spec\.ts$|(^|\/)test\//.test(fileName);
  const visit = (node: ts.Node): void => {
    if (!isTest) addText(node);
    if (ts.isCallExpression(node)) {
      const callee = node.expression.getText(file).replace(/\([\s\S]*\)$/, '');
      const [first] = node.arguments;
      const title = first && TITLE_CALL.test(callee) ? literalText(first) : undefined;
      if (first && title !== undefined) {
        seen.add(first);
        units.push({ kind: 'title', line: lineOf(first.getStart(file)), text: title });
      } else if (LOG_CALL.test(callee)) node.arguments.forEach(literalsIn);
    }
    if (ts.isNewExpression(node) && /(Error|Exception|Problem)$/.test(node.expression.getText(file)))
      node.arguments?.forEach(literalsIn);
    ts.forEachChild(node, visit);
  };
  visit(file);
  units.push(...commentsOf(file, source, lineOf));
  return units.sort((one, other) => one.line - other.line);
}

function literalText(node: ts.Node): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return undefined;
  return node.head.text + node.templateSpans.map((span) => `\`…\`${span.literal.text}`).join('');
}

function commentsOf(file: ts.SourceFile, source: string, lineOf: (position: number) => number): ProseUnit[] {
  const ranges = new Map<number, ts.CommentRange>();
  const visit = (node: ts.Node): void => {
    for (const range of [
      ...(ts.getLeadingCommentRanges(source, node.getFullStart()) ?? []),
      ...(ts.getTrailingCommentRanges(source, node.getEnd()) ?? []),
    ])
      ranges.set(range.pos, range);
    // getChildren includes tokens, so that a comment before a closing bracket counts.
    for (const child of node.getChildren(file)) if (child.kind !== ts.SyntaxKind.JSDoc) visit(child);
  };
  visit(file);
  const units: ProseUnit[] = [];
  let previous: { endLine: number; unit: ProseUnit } | undefined;
  for (const range of [...ranges.values()].sort((one, other) => one.pos - other.pos)) {
    const raw = source.slice(range.pos, range.end);
    const line = lineOf(range.pos);
    if (range.kind === ts.SyntaxKind.SingleLineCommentTrivia) {
      const text = raw.replace(/^\/\/+ ?/, '');
      const isTrailing = source.slice(source.lastIndexOf('\n', range.pos) + 1, range.pos).trim() !== '';
      if (isTrailing) {
        previous = undefined;
        units.push({ kind: 'comment', line, text });
      } else if (previous && previous.endLine === line - 1) {
        previous.unit.text += `\n${text}`;
        previous.endLine = line;
      } else {
        previous = { endLine: line, unit: { kind: 'comment', line, text } };
        units.push(previous.unit);
      }
    } else {
      previous = undefined;
      units.push({ kind: 'comment', line, text: textOfBlock(raw) });
    }
  }
  return units.filter(
    ({ text }) => text.trim() !== '' && !DIRECTIVE.test(text.trim()) && !text.startsWith('!'),
  );
}

function textOfBlock(raw: string): string {
  return raw
    .replace(/^\/\*+ ?/, '')
    .replace(/\s*\*+\/$/, '')
    .split('\n')
    .map((line, index) => (index === 0 ? line : line.replace(/^\s*\* ?/, '')))
    .join('\n')
    .trim();
}
