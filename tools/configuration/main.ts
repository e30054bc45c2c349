import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { readGroups } from './groups';
import { toMarkdown } from './markdown';

const ROOT = path.join(__dirname, '../..');
/** The path of the committed page, from the root of the repository. */
export const CONFIGURATION_FILE = 'docs/configuration.md';

const USAGE = `usage: npm run tool -- configuration [--json]

  Writes ${CONFIGURATION_FILE} from the configuration classes of the services.
  --json  prints the variables as JSON instead`;

/** Writes the page, or prints the variables. */
export function main(args: readonly string[]): void {
  if (args.length === 1 && args[0] === '--json') {
    console.log(JSON.stringify(readGroups(ROOT), null, 2));
    return;
  }
  if (args.length > 0) {
    console.log(USAGE);
    process.exitCode = args.includes('--help') ? 0 : 2;
    return;
  }
  writeFileSync(path.join(ROOT, CONFIGURATION_FILE), toMarkdown(readGroups(ROOT)));
  console.log(`wrote ${CONFIGURATION_FILE}`);
}
