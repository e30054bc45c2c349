import { readFileSync } from 'node:fs';
import { addActualValues } from './actual-file';

const USAGE = `usage: npm run --silent vectors -- FILE

  Reads a file of reference cases (see test/reference) and prints it with an "actual" object added to every case:
  the same result fields as the case's own reference figures, worked out by libs/risk-math.`;

export function main(args: readonly string[]): void {
  const [file] = args;
  if (file === undefined || args.length > 1 || file === '--help') {
    console.error(USAGE);
    process.exitCode = file === '--help' ? 0 : 2;
    return;
  }
  try {
    console.log(JSON.stringify(addActualValues(JSON.parse(readFileSync(file, 'utf8'))), null, 1));
  } catch (error) {
    console.error(`${file}: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  }
}
