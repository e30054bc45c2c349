import { parseArgs } from 'node:util';

export const HELP = `Usage: npm run doctor [-- --json] [--chain ID ...] [--verify FILE [--logs-from ID:BLOCK ...]]

Asks every contract that the registry names on the configured chains whether it is what the registry says, and prints
what fails. Nothing is written. Ends with 1 when a row fails, with 2 when nothing could be asked.

With --verify it also compares our figures of these wallets with what the contracts themselves state: balances, whether
they can be liquidated, and the outcome of a liquidation. Ends with 1 when a figure differs.

  --json          one JSON document instead of a table
  --chain ID      only this chain; may be given several times
  --verify FILE   addresses of wallets, separated by white space or commas
  --logs-from ID:BLOCK  on this chain also compare families whose positions are found in logs (Dolomite, Euler, Morpho, Silo), with
                  the logs from this block: at the latest the first one in which the wallets acted; once for each chain
Variables:
  RPC_URL_<chain id>   http(s) address of the chain's node, or several with commas between; at least one chain
  REGISTRY_OVERLAY     JSON file of addresses that is put over the registry`;

/** A chain's node. */
export interface DoctorNode {
  chainId: number;
  rpcUrl: string;
  /** The first block of logs to find positions in. Absent: families that need them are not compared. */
  logsFrom?: bigint;
}

/** The options of a run. */
export interface DoctorOptions {
  json: boolean;
  overlayPath: string | undefined;
  /** The file of the wallets to verify. */
  walletsFile: string | undefined;
  /** By ascending chain id. */
  nodes: DoctorNode[];
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
    'logs-from': { type: 'string', multiple: true },
    help: { type: 'boolean' },
  } as const;
  let values: { json?: boolean; chain?: string[]; verify?: string; 'logs-from'?: string[]; help?: boolean };
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
  const firstBlocks = firstBlocksOf(values['logs-from'] ?? []);
  if (firstBlocks.size > 0 && values.verify === undefined)
    throw new UsageError('--logs-from is only for --verify FILE.');
  for (const id of firstBlocks.keys())
    if (!configured.some(({ chainId }) => chainId === id))
      throw new UsageError(`--logs-from ${id} has no node: set RPC_URL_${id}.`);
  const nodes = configured
    .filter(({ chainId }) => values.chain?.includes(String(chainId)) ?? true)
    .sort((a, b) => a.chainId - b.chainId)
    .map((node): DoctorNode => {
      const logsFrom = firstBlocks.get(node.chainId);
      return logsFrom === undefined ? node : { ...node, logsFrom };
    });
  if (nodes.length === 0)
    throw new UsageError('No node is configured: set RPC_URL_<chain id>, as in RPC_URL_1.');
  return {
    json: values.json ?? false,
    overlayPath: env['REGISTRY_OVERLAY'] || undefined,
    walletsFile: values.verify,
    nodes,
  };
}

/** @throws UsageError */
function firstBlocksOf(words: readonly string[]): Map<number, bigint> {
  return new Map(
    words.map((word) => {
      const [, id, block] = /^([1-9]\d{0,9}):(\d{1,15})$/.exec(word) ?? [];
      if (id && block) return [Number(id), BigInt(block)] as const;
      throw new UsageError(`--logs-from ${word} must be a chain id and a block, as in 1:20000000.`);
    }),
  );
}
