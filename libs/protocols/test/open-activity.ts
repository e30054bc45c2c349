import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Multicall, type BlockRef } from '@plimsoll/evm';
import { replayClient } from '@plimsoll/testing';
import type { Address } from 'viem';
import { endsOf, parseActivity, readActivity, type ActivityReading } from '../src/activity/recorded-activity';
import { familyOf, type AnyReader } from '../src/families';
import type { RowScope } from '../src/reader/family';
import type { UsdOracle } from '../src/reader/usd-price';
import { logIndex } from '../src/reader/log-index';

const FOLDER = path.join(__dirname, '../../../test/activities');

/** An activity on genuine contracts. A read that is not recorded throws. */
export interface OpenActivity {
  /** The addresses of the scenario. */
  named<const N extends readonly string[]>(...names: N): { [K in keyof N]: Address };
  /** Amounts that the contracts themselves stated while they were recorded. */
  amounts<const N extends readonly string[]>(...names: N): { [K in keyof N]: bigint };
  wallets: readonly Address[];
  /** Reads the contracts themselves, as far as readers did. */
  scope: RowScope;
  read(): Promise<ActivityReading>;
  /** Makes a reader of the row, which has read nothing yet. @param usdOracles default: those of the recording */
  makeReader(usdOracles?: readonly UsdOracle[]): AnyReader;
  /** The blocks before the first action and after the last one. */
  before: BlockRef;
  after: BlockRef;
}

/** Opens a recorded activity. @param name such as `comet/comet` */
export function openActivity(name: string): OpenActivity {
  const activity = parseActivity(readFileSync(path.join(FOLDER, `${name}.json.gz`)));
  const { names, amounts = {} } = JSON.parse(readFileSync(path.join(FOLDER, `${name}.json`), 'utf8')) as {
    names: Record<string, Address>;
    amounts?: Record<string, string>;
  };
  const valuesOf = <T>(values: Readonly<Record<string, T>>, wanted: readonly string[]): T[] =>
    wanted.map((one) => {
      const value = values[one];
      if (value === undefined) throw new Error(`${name} names no ${one}`);
      return value;
    });
  const client = replayClient(activity.states, name);
  const { before, after, multicall3 } = endsOf(activity);
  return {
    named: (...each) => valuesOf(names, each) as never,
    amounts: (...each) => valuesOf(amounts, each).map(BigInt) as never,
    wallets: activity.wallets,
    scope: { row: activity.row, multicall: new Multicall(client, multicall3) },
    read: () => readActivity(activity, client),
    makeReader: (usdOracles = activity.usdOracles) => {
      const { row } = activity;
      const multicall = new Multicall(client, multicall3);
      return familyOf(row)!.makeReader(row, { client, multicall, usdOracles, index: logIndex(client) });
    },
    before,
    after,
  };
}
