import { mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import {
  ChainReadError,
  ChainRecording,
  allMarkets,
  createChainClient,
  loadRegistry,
  parseAddresses,
  type ChainClient,
  type MarketRow,
  type ProtocolRegistry,
  type RpcHeader,
} from '@plimsoll/evm';
import { usdOraclesOf, verdictsOf } from '@plimsoll/protocols';
import { numberToHex, type Address } from 'viem';
import { recordActivity } from './record-activity';
import { HELP, UsageError, parseArguments, type RecordOptions } from './arguments';
import { recordFamily, type FamilyRecording } from './record-family';

/** The largest size of all recordings of a family. */
const MAX_BYTES = 1_000_000;
const TIMEOUT_MS = 30_000;
const SHOWN_DIFFERENCES = 10;
/** The largest number of blocks of an activity: each has a state. */
const MAX_BLOCKS = 1_000;

/** @returns the exit code: 0 all figures are the contract's, 1 some differ, 2 nothing was recorded */
export async function main(
  words: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<number> {
  try {
    const options = parseArguments(words, env);
    if (!options) {
      console.log(HELP);
      return 0;
    }
    if (options.since !== null) {
      console.log(await recordActivities(options, options.since));
      return 0;
    }
    const written = await record(options);
    console.log(options.json ? JSON.stringify(written, null, 2) : written.map(lineOf).join('\n'));
    for (const { family, differences } of written)
      for (const difference of differences.slice(0, SHOWN_DIFFERENCES))
        console.error(`  DIFFERS  ${family} ${difference}`);
    return written.every(({ differences }) => differences.length === 0) ? 0 : 1;
  } catch (error) {
    if (!(error instanceof UsageError) && !(error instanceof ChainReadError)) throw error;
    console.error(error.message);
    return 2;
  }
}

interface Written extends Omit<FamilyRecording, 'file'> {
  family: string;
  path: string;
  bytes: number;
  block: number;
}

function lineOf({ family, path: file, bytes, block, calls, counts, empty }: Written): string {
  const { positions, exact, different, unreadable, verdicts, liquidations } = counts;
  return (
    `${family}, block ${block}: ${positions} positions, ${exact} exact, ${different} different, ${verdicts} verdicts; ` +
    `liquidations: ${liquidations.succeed} succeed, ${liquidations.revert} revert; wallets: ${unreadable} unreadable, ` +
    `${empty} without a position\n  ${file}: ${calls} calls, ${bytes} bytes`
  );
}

/** The rows, the wallets and a node of their chain, for a recording of any kind. @throws UsageError */
async function prepare(options: RecordOptions) {
  const { rpcUrl, chainId } = options;
  const wallets = readWallets(options.walletsFile);
  const about = options.aboutFile === undefined ? {} : parseAbout(options.aboutFile);
  const registry = await loadRegistry(options.overlayPath);
  const found = rowsOf(registry, options);
  const chain = registry.chains.find(({ id }) => id === chainId)!;
  const client = createChainClient({ chainId, rpcUrl, timeoutMs: TIMEOUT_MS });
  const actual = Number(await client.request<string>('eth_chainId', []));
  if (actual !== chainId) throw new UsageError(`The node is of chain ${actual}, not ${chainId}.`);
  const header = await readHeader(client, options, options.block);
  return { wallets, about, registry, found, chain, client, header, block: Number(header.number) };
}

/** Records what wallets did in the first row. @returns a line for the user */
async function recordActivities(options: RecordOptions, since: bigint): Promise<string> {
  const { chainId, protocol, out } = options;
  const { wallets, about, registry, found, chain, client, header, block } = await prepare(options);
  const row = found[0]!;
  const blocks = block - Number(since);
  if (blocks < 1 || blocks > MAX_BLOCKS)
    throw new UsageError(`--since must be 1 to ${MAX_BLOCKS} blocks before the block ${block}.`);
  const recordingAt = (at: RpcHeader): ChainRecording => new ChainRecording(chainId, chain.multicall3, at);
  const states: ChainRecording[] = [];
  for (let at = 0; at < blocks; at += 1)
    states.push(recordingAt(await readHeader(client, options, since + BigInt(at))));
  const request = {
    row,
    usdOracles: usdOraclesOf(registry, chainId),
    nativeCurrency: chain.nativeCurrency,
    wallets,
    states: [...states, recordingAt(header)],
  };
  const { file, ...counts } = await recordActivity(request, client);
  const { family } = row;
  const description = { protocol, family, chainId, since: Number(since), block, ...about, ...counts };
  const target = path.join(out, family, `${options.name ?? `${protocol}-${chainId}-${block}`}.json.gz`);
  write(target, file, `${JSON.stringify(description, null, 2)}\n`);
  return `${family}, blocks ${since + 1n} to ${block}: ${counts.activities} activities\n  ${target}: ${file.length} bytes`;
}

async function record(options: RecordOptions): Promise<Written[]> {
  const { chainId, protocol, out, firstBlock } = options;
  const { wallets, about, registry, found, chain, client, header, block } = await prepare(options);
  const name = options.name ?? `${protocol}-${chainId}-${block}`;
  const written: Written[] = [];
  for (const family of new Set(found.map((row) => row.family))) {
    const rows = found.filter((row) => row.family === family);
    console.error(`${family}: reading ${wallets.length} wallets in ${rows.length} rows at block ${block} …`);
    const request = {
      rows,
      usdOracles: usdOraclesOf(registry, chainId),
      nativeCurrency: chain.nativeCurrency,
      firstBlock,
      wallets,
    };
    const recording = new ChainRecording(chainId, chain.multicall3, header);
    const { file, ...result } = await recordFamily(request, recording, client, options.proofs);
    const { counts, empty } = result;
    const { unreadable, ...numbers } = counts;
    const description = {
      protocol,
      family,
      chainId,
      block,
      ...about,
      rows: rows.length,
      wallets: { read: wallets.length, unreadable, empty },
      ...numbers,
    };
    const target = path.join(out, family, `${name}.json.gz`);
    write(target, file, `${JSON.stringify(description, null, 2)}\n`);
    written.push({ family, path: target, bytes: file.length, block, ...result });
  }
  return written;
}

/** @throws UsageError when the registry has no such row, or its family has no verdicts */
function rowsOf(
  registry: ProtocolRegistry,
  { protocol, chainId, family, market }: RecordOptions,
): MarketRow[] {
  const rows = allMarkets(registry, chainId).filter(
    (row) =>
      row.protocol === protocol &&
      row.family === (family ?? row.family) &&
      row.market === (market ?? row.market),
  );
  if (rows.length === 0) {
    const names = [protocol, ...(family ? [family] : []), ...(market ? [market] : [])].join(' ');
    throw new UsageError(
      `The registry has no ${names} on chain ${chainId}: correct it, or set REGISTRY_OVERLAY.`,
    );
  }
  const without = rows.find((row) => !verdictsOf(row.family));
  if (without)
    throw new UsageError(
      `The family ${without.family} has no verdicts: add them to libs/protocols/src/verdicts.ts.`,
    );
  return rows;
}

async function readHeader(
  client: ChainClient,
  { rpcUrl }: RecordOptions,
  block: bigint | null,
): Promise<RpcHeader> {
  const number = block === null ? 'latest' : numberToHex(block);
  const header = await client.request<RpcHeader | null>('eth_getBlockByNumber', [number, false]);
  if (!header) throw new UsageError(`The node ${rpcUrl} has no block ${block}.`);
  return header;
}

/** @throws UsageError when the recordings of the family would be too large; nothing is written then */
function write(target: string, file: Buffer, description: string): void {
  const folder = path.dirname(target);
  mkdirSync(folder, { recursive: true });
  const others = readdirSync(folder).filter((name) => name.endsWith('.gz') && name !== path.basename(target));
  const bytes = others.reduce((sum, name) => sum + statSync(path.join(folder, name)).size, file.length);
  if (bytes > MAX_BYTES)
    throw new UsageError(
      `The recordings in ${folder} would have ${bytes} bytes, ${MAX_BYTES} are permitted: name fewer wallets.`,
    );
  writeFileSync(target, file);
  writeFileSync(target.replace(/\.gz$/, ''), description);
}

function readWallets(file: string): Address[] {
  try {
    return parseAddresses(readText(file));
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`${file}: ${(error as Error).message}.`, { cause: error });
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${(error as Error).message}`, { cause: error });
  }
}

function parseAbout(file: string): object {
  try {
    const about: unknown = JSON.parse(readText(file));
    if (typeof about === 'object' && about !== null && !Array.isArray(about)) return about;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new UsageError(`${file} must have a JSON object.`);
}
