import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type BlockRef, type MarketRow, Multicall } from '@plimsoll/evm';
import { replayClient } from '@plimsoll/testing';
import { endsOf, parseActivity } from '../src/activity/recorded-activity';
import { type AnyReader, familyOf } from '../src/families';
import { logIndex } from '../src/reader/log-index';
import type { RowScope } from '../src/reader/family';

const FOLDER = path.join(__dirname, '../../../test/rates');

/** Genuine contracts at two blocks, between which only time passed. A read that is not recorded throws. */
export interface OpenRates {
  row: MarketRow;
  reader: AnyReader;
  /** Reads the contracts themselves. */
  scope: RowScope;
  before: BlockRef;
  after: BlockRef;
}

/** Opens a recording of rates. @param name such as `euler-v2` */
export function openRates(name: string): OpenRates {
  const activity = parseActivity(readFileSync(path.join(FOLDER, `${name}.json.gz`)));
  const { row, usdOracles, nativeCurrency, states } = activity;
  const client = replayClient(states, name);
  const { before, after, multicall3 } = endsOf(activity);
  const multicall = new Multicall(client, multicall3);
  const parts = { client, multicall, usdOracles, nativeCurrency, index: logIndex(client) };
  return { row, scope: { row, multicall }, reader: familyOf(row)!.makeReader(row, parts), before, after };
}
