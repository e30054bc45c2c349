/** An import of one file by another. Paths start at the root of the repository. */
export interface Import {
  from: string;
  to: string;
  /** The files by which `to` imports `from` again; empty without a cycle. */
  cycle: readonly string[];
}

const TEST = /\.(e2e-)?spec\.ts$|(^|\/)test\//;

/** Whether the file belongs to tests. Tests may use any feature of their app. */
export function isTest(file: string): boolean {
  return TEST.test(file);
}

/** The app, library or tool of a file: `apps/alerts`; `bench` and `test` are one project each. */
export function projectOf(file: string): string {
  const [top = '', name = ''] = file.split('/');
  const isFile = file.split('/').length === 2;
  return top === 'bench' || top === 'test' || isFile ? top : `${top}/${name}`;
}

/** Cycles of files, each once: the files in alphabetical order, with ` <> ` between. */
export function fileCycles(imports: readonly Import[]): string[] {
  const cycles = imports.filter(({ cycle }) => cycle.length > 0);
  return unique(cycles.map(({ from, cycle }) => unique([from, ...cycle]).join(' <> ')));
}

/**
 * Pairs of folders beside each other in one app or library whose files import each other, as `a <> b`. A
 * folder and the folder that contains it are no pair: the outer one joins its parts and has what they share.
 */
export function mutualFolders(imports: readonly Import[]): string[] {
  const directions = new Set<string>();
  for (const { from, to } of imports) {
    if (isTest(from) || isTest(to) || projectOf(from) !== projectOf(to)) continue;
    const pair = foldersApart(from.split('/'), to.split('/'));
    if (pair) directions.add(pair.join(' <> '));
  }
  return unique(
    [...directions].flatMap((direction) => {
      const [a = '', b = ''] = direction.split(' <> ');
      return a < b && directions.has(`${b} <> ${a}`) ? [direction] : [];
    }),
  );
}

/** The two folders at which the paths part, or null when one of the files is where they part. */
function foldersApart(from: readonly string[], to: readonly string[]): [string, string] | null {
  const at = from.findIndex((name, index) => name !== to[index]);
  if (at < 0 || at >= from.length - 1 || at >= to.length - 1) return null;
  return [from.slice(0, at + 1).join('/'), to.slice(0, at + 1).join('/')];
}

function unique(names: readonly string[]): string[] {
  return [...new Set(names)].sort();
}
