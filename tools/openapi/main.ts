import { readFileSync, writeFileSync } from 'node:fs';
import { buildOpenApiDocument } from '@plimsoll/openapi';
import { format, resolveConfig } from 'prettier';

const FILE = 'docs/openapi.json';
const HELP = `Usage: npm run openapi [-- --check]

Writes ${FILE} from libs/access/src/endpoints.ts, libs/contracts and libs/openapi.
  --check   writes nothing; fails when the file is not what would be written`;

/** `npm run openapi`, in the root of the repository. */
export async function main(args: readonly string[]): Promise<void> {
  if (args.some((arg) => arg !== '--check')) {
    console.error(HELP);
    process.exitCode = args.includes('--help') ? 0 : 1;
    return;
  }
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  const options = await resolveConfig(FILE);
  const text = await format(JSON.stringify(buildOpenApiDocument(version)), { ...options, filepath: FILE });
  if (!args.includes('--check')) {
    writeFileSync(FILE, text);
    console.log(`${FILE} is written.`);
  } else if (readFileSync(FILE, 'utf8') !== text) {
    console.error(`${FILE} is not what the code says. Run \`npm run openapi\` and commit it.`);
    process.exitCode = 1;
  } else console.log(`${FILE} is what the code says.`);
}
