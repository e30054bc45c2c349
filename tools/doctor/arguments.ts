import { parseArgs } from 'node:util';

export const HELP = `Usage: npm run doctor [-- --json] [--chain ID ...] [--verify FILE]

Asks every contract that the registry names on the configured chains whether it is what the registry says, and prints
what fails. Nothing is written. Ends with 1 when a row fails, with 2 when nothing could be asked.

With --verify it also compares our figures of these wallets with what the contracts themselves state: balances, whether
they can be liquidated, and the outcome of a liquidation. Ends with 1 when a figure differs.

  --json          one JSON document instead of a table
  --chain ID      only this chain; may be given several times
  --verify FILE   addresses of wallets, separated by white space or commas
Variables:
  RPC_URL_<chain id>   http(s) address of the chain's node, or several with commas between; at least one chain
  REGISTRY_OVERLAY     JSON file of addresses that is put over the registry`;

/** The options of a run. */
export interface DoctorOptions {
  json: boolean;
  overlayPath: string | undefined;
  /** The file of the wallets to verify. */
  walletsFile: string | undefined;
  /** By ascending chain id. */
  nodes: { chainId: number; rpcUrl: string }[];
}

/** An invalid command line or environment. The message states the necessary change. */
export class UsageError extends Error {}

const NAME = /^RPC_URL_([1-9]\d{0,9})$/;

/**
 * Reads the words after `npm run doctor --` and the environment; empty variables count as absent.
 * @returns null for a help request
 * @throws UsageError
 */
export function parseArguments(
  words: string[],
  env: Readonly<Record<string, string | undefined>>,
): DoctorOptions | null {
  const options = {
    json: { type: 'boolean' },
    chain: { type: 'string', multiple: true },
    verify: { type: 'string' },
    help: { type: 'boolean' },
  } as const;
  let values: { json?: boolean; chain?: string[]; verify?: string; help?: boolean };
  try {
    ({ values } = parseArgs({ args: words, options }));
  } catch (error) {
    throw new UsageError((error as Error).message, { cause: error });
  }
  if (values.help) return null;
  const configured = Object.entries(env).flatMap(([name, rpcUrl]) => {
    const id = NAME.exec(name)?.[1];
    return id && rpcUrl ? [{ chainId: Number(id), rpcUrl }] : [];
  });
  for (const id of values.chain ?? [])
    if (!configured.some(({ chainId }) => String(chainId) === id))
      throw new UsageError(`--chain ${id} has no node: set RPC_URL_${id}.`);
  const nodes = configured
    .filter(({ chainId }) => values.chain?.includes(String(chainId)) ?? true)
    .sort((a, b) => a.chainId - b.chainId);
  if (nodes.length === 0)
    throw new UsageError('No node is configured: set RPC_URL_<chain id>, as in RPC_URL_1.');
  return {
    json: values.json ?? false,
    overlayPath: env['REGISTRY_OVERLAY'] || undefined,
    walletsFile: values.verify,
    nodes,
  };
}
