import { readFileSync } from 'node:fs';
import path from 'node:path';
import {
  Multicall,
  parseHead,
  type BlockRef,
  type ChainClient,
  type ContractRow,
  type MarketRow,
} from '@plimsoll/evm';
import { replayClient, type Faults } from '@plimsoll/testing';
import type { Address } from 'viem';
import { familyOf, type AnyReader } from '../src/families';
import type { ReadScope } from '../src/reader/family';
import { logIndex } from '../src/reader/log-index';
import { parseReading, type RecordedReading } from '../src/verdicts/recorded-reading';

const FOLDER = path.join(__dirname, '../../../test/recordings');

/** Genuine contracts at the block of a recording. A call that is not recorded throws. */
export interface OpenRecording {
  row: MarketRow;
  /** Reads the contracts themselves. */
  scope: ReadScope;
  client: ChainClient;
  reader: AnyReader;
  wallets: readonly Address[];
  block: BlockRef;
  /** The block of the later recording, if there is one. */
  laterBlock: BlockRef;
  /** The first block with logs. */
  firstBlock: bigint;
}

/** How a recording is read otherwise than it was made. */
export interface RecordingChange {
  /** Results of the contracts with these addresses instead of the recorded ones. */
  faults?: Faults;
  /** The contracts of the row. */
  contracts?: ContractRow;
  /** A recording of the same contracts at a later block, which the reader can read too. */
  later?: string;
}

/** Opens a recording at one of its rows. @param name such as `silo-v2/silo-v2-400-days` */
export function openRecording(
  name: string,
  at = 0,
  { faults, contracts, later }: RecordingChange = {},
): OpenRecording {
  const { chain, rows, wallets, ...reading } = parse(name);
  const row = { ...rows[at]!, ...(contracts && { contracts }) };
  const states = later === undefined ? [chain] : [chain, parse(later).chain];
  const client = replayClient(states, name, faults);
  const firstBlock = BigInt(reading.firstBlock);
  const parts = {
    client,
    multicall: new Multicall(client, chain.multicall3),
    index: logIndex(client, firstBlock),
    usdOracles: reading.usdOracles,
    nativeCurrency: reading.nativeCurrency,
  };
  return {
    row,
    scope: { row, ...parts },
    client,
    reader: familyOf(row)!.makeReader(row, parts),
    wallets,
    block: parseHead(chain.block),
    laterBlock: parseHead(states.at(-1)!.block),
    firstBlock,
  };
}

function parse(name: string): RecordedReading {
  return parseReading(readFileSync(path.join(FOLDER, `${name}.json.gz`)));
}
