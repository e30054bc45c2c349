import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Multicall, type BlockRef } from '@plimsoll/evm';
import { replayClient } from '@plimsoll/testing';
import type { Address } from 'viem';
import { endsOf, parseActivity, readActivity, type ActivityReading } from '../src/activity/recorded-activity';
import { familyOf, type AnyReader } from '../src/families';
import { logIndex } from '../src/reader/log-index';

const FOLDER = path.join(__dirname, '../../../test/activities');

/** An activity on genuine contracts. A read that is not recorded throws. */
export interface OpenActivity {
  /** The addresses of the scenario. */
  named<const N extends readonly string[]>(...names: N): { [K in keyof N]: Address };
  wallets: readonly Address[];
  read(): Promise<ActivityReading>;
  /** Makes a reader of the row, which has read nothing yet. */
  makeReader(): AnyReader;
  /** The blocks before the first action and after the last one. */
  before: BlockRef;
  after: BlockRef;
}

/** Opens a recorded activity. @param name such as `comet/comet` */
export function openActivity(name: string): OpenActivity {
  const activity = parseActivity(readFileSync(path.join(FOLDER, `${name}.json.gz`)));
  const { names } = JSON.parse(readFileSync(path.join(FOLDER, `${name}.json`), 'utf8')) as {
    names: Record<string, Address>;
  };
  const client = replayClient(activity.states, name);
  const { before, after, multicall3 } = endsOf(activity);
  return {
    named: (...each) =>
      each.map((one) => {
        const address = names[one];
        if (!address) throw new Error(`${name} names no ${one}`);
        return address;
      }) as never,
    wallets: activity.wallets,
    read: () => readActivity(activity, client),
    makeReader: () => {
      const { row, usdOracles } = activity;
      const multicall = new Multicall(client, multicall3);
      return familyOf(row)!.makeReader(row, { client, multicall, usdOracles, index: logIndex(client) });
    },
    before,
    after,
  };
}
