import { readFileSync } from 'node:fs';
import ts from 'typescript';
import { proseFiles } from './files';
import { proseUnitsOf } from './prose-units';

const HELP = `usage: npm run tool -- prose:sample [--seed N] [--json]

Draws 80 comments, 20 identifiers, 20 messages and 20 test titles at random, for a reader who judges the language.
The same seed draws the same sample from the same commit.

  --seed N   default 27
  --json     prints JSON`;

const SIZES = { comment: 80, identifier: 20, message: 20, title: 20 } as const;
type Kind = keyof typeof SIZES;

interface Drawn {
  kind: Kind;
  at: string;
  text: string;
}

/** A random number generator for samples (mulberry32): 32 bits of state, no cryptographic use. */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Prints a seeded sample of the prose and the declared names of the repository. */
export function main(args: readonly string[]): void {
  if (args.includes('--help')) {
    console.log(HELP);
    return;
  }
  const seed = args.includes('--seed') ? Number(args[args.indexOf('--seed') + 1]) : 27;
  if (!Number.isSafeInteger(seed)) {
    console.error(`--seed takes a whole number.\n\n${HELP}`);
    process.exitCode = 2;
    return;
  }
  const all = everything();
  const random = randomFrom(seed);
  const drawn = (Object.keys(SIZES) as Kind[]).flatMap((kind) =>
    draw(
      all.filter((each) => each.kind === kind),
      SIZES[kind],
      random,
    ),
  );
  if (args.includes('--json')) console.log(JSON.stringify(drawn, null, 2));
  else
    for (const { kind, at, text } of drawn)
      console.log(`${kind}  ${at}\n    ${text.replaceAll('\n', '\n    ')}`);
}

function everything(): Drawn[] {
  return proseFiles([]).code.flatMap((file) => {
    const source = readFileSync(file, 'utf8');
    return [
      ...proseUnitsOf(file, source).map(({ kind, line, text }) => ({ kind, at: `${file}:${line}`, text })),
      ...declaredNames(file, source),
    ];
  });
}

/** Names of classes, interfaces, types, functions, methods and top-level constants. */
function declaredNames(file: string, source: string): Drawn[] {
  const parsed = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  const names: Drawn[] = [];
  const visit = (node: ts.Node): void => {
    if (isNamed(node) && node.name && ts.isIdentifier(node.name)) {
      const line = parsed.getLineAndCharacterOfPosition(node.name.getStart(parsed)).line + 1;
      const owner =
        ts.isMethodDeclaration(node) && ts.isClassLike(node.parent) ? node.parent.name : undefined;
      names.push({
        kind: 'identifier',
        at: `${file}:${line}`,
        text: owner ? `${owner.text}.${node.name.text}` : node.name.text,
      });
    }
    ts.forEachChild(node, visit);
  };
  visit(parsed);
  return names;
}

type Named =
  | ts.ClassDeclaration
  | ts.InterfaceDeclaration
  | ts.TypeAliasDeclaration
  | ts.FunctionDeclaration
  | ts.MethodDeclaration
  | ts.VariableDeclaration;

function isNamed(node: ts.Node): node is Named {
  return (
    ts.isClassDeclaration(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    ts.isFunctionDeclaration(node) ||
    ts.isMethodDeclaration(node) ||
    (ts.isVariableDeclaration(node) && ts.isSourceFile(node.parent.parent.parent))
  );
}

function draw(from: readonly Drawn[], count: number, random: () => number): Drawn[] {
  const left = [...from];
  return Array.from({ length: Math.min(count, left.length) }, () => {
    const [drawn] = left.splice(Math.floor(random() * left.length), 1);
    if (!drawn) throw new Error('the random number generator returned 1 or more');
    return drawn;
  });
}
