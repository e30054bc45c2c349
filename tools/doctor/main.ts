import { loadRegistry } from '@plimsoll/evm';
import { HELP, UsageError, parseArguments } from './arguments';
import { probeChain } from './probe-chain';
import { toTable } from './table';

/** @returns the exit code: 0 all rows work, 1 some fail, 2 nothing could be read */
export async function main(
  words: string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<number> {
  try {
    const options = parseArguments(words, env);
    if (!options) {
      console.log(HELP);
      return 0;
    }
    const registry = await loadRegistry(options.overlayPath);
    const chains = await Promise.all(options.nodes.map((node) => probeChain(registry, node)));
    console.log(options.json ? JSON.stringify({ chains }, null, 2) : toTable(chains));
    if (chains.every(({ problem }) => problem !== null)) return 2;
    const isFailing = chains.some(
      ({ problem, rows }) => problem !== null || rows.some(({ state }) => state === 'failing'),
    );
    return isFailing ? 1 : 0;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    console.error(error.message);
    return 2;
  }
}
