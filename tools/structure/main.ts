import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { repositoryFiles } from '@plimsoll/local-parts';
import { type Import, fileCycles, mutualFolders, projectOf } from './imports';
import { type ProjectSize, largeFolders, sizesOf } from './sizes';

const HELP = `usage: npm run tool -- structure [--check | --update] [--json]

Prints for each app, library and tool: source files, files with fewer than 30 lines, lines of code without comments,
pairs of folders that import each other, cycles of files; and the folders with more than 25 source files. Tests and
generated files are not counted. npm run lint runs it with --check.

  --check    fails for a pair or a cycle that tools/structure/known.json does not list, and for an entry of that list
             that no longer exists
  --update   removes such entries from the list; it never adds one
  --json     prints JSON`;

const KNOWN = path.join(__dirname, 'known.json');
const flag = { type: 'boolean', default: false } as const;
const OPTIONS = { check: flag, update: flag, json: flag, help: flag };

/** Violations that existed when the check was added. The list may only shrink. */
interface Violations {
  mutualFolders: string[];
  fileCycles: string[];
}

export async function main(args: readonly string[], readImports: () => Promise<Import[]>): Promise<void> {
  const values = optionsOf(args);
  if (!values || values.help) {
    console.log(HELP);
    process.exitCode = values ? 0 : 2;
    return;
  }
  const imports = await readImports();
  const found = { mutualFolders: mutualFolders(imports), fileCycles: fileCycles(imports) };
  if (values.check || values.update) check(found, values.update);
  else print(found, values.json);
}

/** Null for an unknown option. */
function optionsOf(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS }).values;
  } catch (error) {
    console.error((error as Error).message);
    return null;
  }
}

function check(found: Violations, update: boolean): void {
  const known = JSON.parse(readFileSync(KNOWN, 'utf8')) as Violations;
  const allOf = (violations: Violations): string[] => [...violations.mutualFolders, ...violations.fileCycles];
  const added = allOf(found).filter((each) => !allOf(known).includes(each));
  const gone = allOf(known).filter((each) => !allOf(found).includes(each));
  for (const each of added)
    console.error(
      `${each}\n    imports in both directions. Move what both need into one of them, or below both.`,
    );
  if (update) {
    const kept = (names: readonly string[]): string[] => names.filter((each) => !gone.includes(each));
    const shrunk = { mutualFolders: kept(known.mutualFolders), fileCycles: kept(known.fileCycles) };
    writeFileSync(KNOWN, `${JSON.stringify(shrunk, null, 2)}\n`);
  } else
    for (const each of gone)
      console.error(`${each}\n    no longer exists. Remove it: npm run tool -- structure --update`);
  const counts = `${found.mutualFolders.length} pairs of folders and ${found.fileCycles.length} cycles of files`;
  console.log(`${counts} import in both directions; ${added.length} are new`);
  if (added.length > 0 || (gone.length > 0 && !update)) process.exitCode = 1;
}

function print(found: Violations, json: boolean): void {
  const files = repositoryFiles(process.cwd(), ['apps', 'libs', 'tools', 'bench', 'test']);
  const count = (names: readonly string[], project: string): number =>
    names.filter((name) => projectOf(name) === project).length;
  const rows = sizesOf(files, (file) => readFileSync(file, 'utf8')).map((size) => ({
    ...size,
    mutualFolders: count(found.mutualFolders, size.project),
    fileCycles: count(found.fileCycles, size.project),
  }));
  const large = largeFolders(files);
  if (json) console.log(JSON.stringify({ projects: rows, ...found, largeFolders: large }, null, 2));
  else {
    console.log(
      [...rows.map(toLine), toLine(totalOf(rows))].reduce((all, line) => `${all}\n${line}`, HEADER),
    );
    console.log(`\nFolders with more than 25 files: ${large.length === 0 ? 'none' : ''}`);
    for (const { folder, files: number } of large) console.log(`  ${String(number).padStart(4)}  ${folder}`);
  }
}

type Row = ProjectSize & { mutualFolders: number; fileCycles: number };

const HEADER = `${'project'.padEnd(28)}  files  < 30 lines  code lines  mutual folders  file cycles`;

function toLine(row: Row): string {
  const cell = (value: number, width: number): string => String(value).padStart(width);
  return `${row.project.padEnd(28)}${cell(row.files, 7)}${cell(row.shortFiles, 12)}${cell(row.codeLines, 12)}${cell(row.mutualFolders, 16)}${cell(row.fileCycles, 13)}`;
}

function totalOf(rows: readonly Row[]): Row {
  const sum = (pick: (row: Row) => number): number => rows.reduce((total, row) => total + pick(row), 0);
  return {
    project: 'total',
    files: sum((row) => row.files),
    shortFiles: sum((row) => row.shortFiles),
    codeLines: sum((row) => row.codeLines),
    mutualFolders: sum((row) => row.mutualFolders),
    fileCycles: sum((row) => row.fileCycles),
  };
}
