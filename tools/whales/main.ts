import { readFileSync } from 'node:fs';
import { clustersOfTransfers } from './clusters-of-transfers';
import { parseTransfers } from './parse-transfers';

const USAGE = `usage: npm run --silent whales -- FILE

  Reads transfers, one JSON object a line: {"from", "to"} and, where known, "usd" and "block" (or "timestamp"),
  and prints the clusters of wallets that libs/whale-clusters finds in them, as JSON. Lines without a block count as
  one after the other. Addresses with more than 200 counterparties are hubs and in no cluster.`;

export function main(args: readonly string[]): void {
  const [file] = args;
  if (file === undefined || args.length > 1 || file === '--help') {
    console.error(USAGE);
    process.exitCode = file === '--help' ? 0 : 2;
    return;
  }
  try {
    console.log(JSON.stringify(clustersOfTransfers(parseTransfers(readFileSync(file, 'utf8'))), null, 2));
  } catch (error) {
    console.error(`${file}: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  }
}
