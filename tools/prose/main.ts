import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { proseFiles } from './files';
import { lintMarkdown } from './linter';
import { proseUnitsOf } from './prose-units';

const HELP = `usage: npm run lint:prose [-- PATH...] [-- --json] [-- --count]

Lints the language of documents, comments, test titles and messages: words that the glossary replaces, sentences with
a late subject, long sentences. The rules are in tools/prose.

  PATH       files or folders; everything without one
  --count    prints the number of suspects for each folder instead of the suspects
  --json     prints JSON`;

interface Suspicion {
  file: string;
  line: number;
  message: string;
  sentence: string;
}

/** Lints the prose below the given paths and exits with 1 when it finds a suspect. */
export async function main(args: readonly string[]): Promise<void> {
  const parsed = parse(args);
  if (!parsed || parsed.values.help) {
    console.log(HELP);
    process.exitCode = parsed ? 0 : 2;
    return;
  }
  const { code, documents } = proseFiles(parsed.positionals);
  const found: Suspicion[] = [];
  let units = 0;
  for (const file of documents) {
    units += 1;
    for (const finding of await lintMarkdown(readFileSync(file, 'utf8'), file))
      found.push({ file, ...finding });
  }
  for (const file of code)
    for (const unit of proseUnitsOf(file, readFileSync(file, 'utf8'))) {
      units += 1;
      for (const finding of await lintMarkdown(unit.text, file))
        found.push({ ...finding, file, line: unit.line + finding.line - 1 });
    }
  print(found, parsed.values);
  console.error(
    `${documents.length} documents and ${code.length} source files, ${units} texts: ${found.length} suspects`,
  );
  if (units === 0) console.error('No file has prose there. Check the path.');
  if (found.length > 0 || units === 0) process.exitCode = 1;
}

/** Null for an unknown option. */
function parse(args: readonly string[]) {
  const flag = { type: 'boolean' } as const;
  const options = { json: flag, count: flag, help: flag };
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    console.error((error as Error).message);
    return null;
  }
}

function print(
  found: readonly Suspicion[],
  { json, count }: { json?: boolean | undefined; count?: boolean | undefined },
): void {
  if (json) console.log(JSON.stringify(found, null, 2));
  else if (count) {
    const counts = new Map<string, number>();
    for (const { file } of found) {
      const folder = file.split('/').slice(0, 2).join('/');
      counts.set(folder, (counts.get(folder) ?? 0) + 1);
    }
    for (const [folder, count] of [...counts].sort((one, other) => other[1] - one[1]))
      console.log(`${String(count).padStart(6)}  ${folder}`);
  } else
    for (const { file, line, message, sentence } of found)
      console.log(`${file}:${line} ${message}\n    ${sentence}`);
}
