import { parseArgs } from 'node:util';

export const HELP = `usage: npm run record -- --rpc URL --protocol P --chain N --wallets FILE --out DIR [options]

  Reads the positions of wallets at one block, as the services do, and what the protocol's contracts state of them
  (health factors, liquidations). It writes every call and log of this reading to DIR/<family>/<name>.json.gz, and what it
  is to <name>.json. A test reads recordings in test/recordings again. Nothing is sent to the chain.
  Ends with 1 when our figures differ from the contract's, with 2 when nothing could be recorded.

  --rpc URL        the node; for a block that is not new it must keep old states
  --protocol P     the id of the protocol in the registry
  --chain N        the chain id
  --wallets FILE   addresses, separated by white space or commas
  --out DIR        the folder of the recordings
  --block B        number of the block; default: the newest
  --family F       only the rows of this family
  --market M       only this row
  --name NAME      name of the files; default: <protocol>-<chain>-<block>
  --about FILE     JSON object for the description: source, scenario, seed
  --since B        record what wallets did after this block, with the totals, and no verdicts. WALLETS are then all that have
                   a position. At most 1000 blocks before the newest
  --logs-from B    first block of the protocol's logs, for families that find positions in logs; default 0
  --proofs         record proofs of what the contracts store of each position, for families with a layout
  --json           print the result as JSON
Variables:
  REGISTRY_OVERLAY   JSON file of addresses that is put over the registry`;

/** The options of a run. */
export interface RecordOptions {
  rpcUrl: string;
  protocol: string;
  chainId: number;
  walletsFile: string;
  out: string;
  block: bigint | null;
  family: string | undefined;
  market: string | undefined;
  name: string | undefined;
  aboutFile: string | undefined;
  firstBlock: number;
  /** The block before the activity to record. Null: a reading of positions is recorded. */
  since: bigint | null;
  /** Whether proofs of storage are recorded too. */
  proofs: boolean;
  json: boolean;
  overlayPath: string | undefined;
}

/** An invalid command line, file or registry. The message states the necessary change. */
export class UsageError extends Error {}

const REQUIRED = ['rpc', 'protocol', 'chain', 'wallets', 'out'] as const;
const OPTIONAL = ['block', 'family', 'market', 'name', 'about', 'logs-from', 'since'] as const;

/**
 * Reads the words after `npm run record --` and the environment.
 * @returns null for a help request
 * @throws UsageError
 */
export function parseArguments(
  words: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): RecordOptions | null {
  const values = valuesOf(words);
  if (values['help'] === true) return null;
  const text = (name: string): string | undefined => {
    const value = values[name];
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const missing = REQUIRED.filter((name) => text(name) === undefined);
  if (missing.length > 0)
    throw new UsageError(`${missing.map((name) => `--${name}`).join(', ')} missing. See --help.`);
  const whole = (name: string): number | undefined => {
    const value = text(name);
    if (value === undefined) return undefined;
    if (/^\d{1,15}$/.test(value)) return Number(value);
    throw new UsageError(`--${name} ${value} is no whole number.`);
  };
  const rpcUrl = text('rpc')!;
  if (!/^https?:\/\//.test(rpcUrl)) throw new UsageError('--rpc must be an http(s) address.');
  const name = text('name');
  if (name !== undefined && !/^[a-z0-9-]+$/.test(name))
    throw new UsageError(`--name ${name} may have only lower-case letters, digits and hyphens.`);
  const [block, since] = [whole('block'), whole('since')];
  return {
    rpcUrl,
    protocol: text('protocol')!,
    chainId: whole('chain')!,
    walletsFile: text('wallets')!,
    out: text('out')!,
    block: block === undefined ? null : BigInt(block),
    family: text('family'),
    market: text('market'),
    name,
    aboutFile: text('about'),
    firstBlock: whole('logs-from') ?? 0,
    since: since === undefined ? null : BigInt(since),
    proofs: values['proofs'] === true,
    json: values['json'] === true,
    overlayPath: env['REGISTRY_OVERLAY'] || undefined,
  };
}

function valuesOf(words: readonly string[]): Readonly<Record<string, unknown>> {
  const texts = [...REQUIRED, ...OPTIONAL].map((name) => [name, { type: 'string' }] as const);
  const flags = ['json', 'proofs', 'help'].map((name) => [name, { type: 'boolean' }] as const);
  try {
    return parseArgs({ args: [...words], options: Object.fromEntries([...texts, ...flags]) }).values;
  } catch (error) {
    throw new UsageError((error as Error).message, { cause: error });
  }
}
