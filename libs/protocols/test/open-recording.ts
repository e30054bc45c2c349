import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Multicall, parseHead, type BlockRef, type ChainClient, type MarketRow } from '@plimsoll/evm';
import { replayClient } from '@plimsoll/testing';
import type { Address } from 'viem';
import { familyOf, type AnyReader } from '../src/families';
import type { ReadScope } from '../src/reader/family';
import { logIndex } from '../src/reader/log-index';
import { parseReading } from '../src/verdicts/recorded-reading';

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
  /** The first block with logs. */
  firstBlock: bigint;
}

/** Opens a recording at one of its rows. @param name such as `silo-v2/silo-v2-400-days` */
export function openRecording(name: string, at = 0): OpenRecording {
  const { chain, rows, wallets, ...reading } = parseReading(
    readFileSync(path.join(FOLDER, `${name}.json.gz`)),
  );
  const row = rows[at]!;
  const client = replayClient(chain, name);
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
    firstBlock,
  };
}
