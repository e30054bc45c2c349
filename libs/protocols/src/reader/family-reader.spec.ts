import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type BlockRef, Multicall, parseHead, type ReadPlan } from '@plimsoll/evm';
import { replayClient } from '@plimsoll/testing';
import { liquityV1 } from '../liquity-v1/reader';
import { parseReading } from '../verdicts/recorded-reading';
import { FamilyReader } from './family-reader';
import { unreadablePosition } from './legs';

const RECORDING = 'liquity-v1/liquity-v1-redistributed';
const FILE = path.join(__dirname, '../../../../test/recordings', `${RECORDING}.json.gz`);

describe('FamilyReader', () => {
  const { rows, wallets, chain } = parseReading(readFileSync(FILE));
  const block = parseHead(chain.block);
  const earlier: BlockRef = { ...block, number: block.number - 1n, hash: `0x${'11'.repeat(32)}` };

  /** Liquity, whose minimum ratio was another one when its layout was read for the first time. */
  function readerWithOldLayout(isStillWrong: boolean) {
    const client = replayClient(chain, RECORDING);
    let layouts = 0;
    const family: typeof liquityV1 = {
      ...liquityV1,
      readLayout: async (scope, _block, keys) => {
        layouts += 1;
        const layout = await liquityV1.readLayout(scope, block, keys);
        return layouts === 1 || isStillWrong ? { ...layout, minimum: layout.minimum * 2n } : layout;
      },
      // The recording has one block, which is both the earlier and the later one here.
      readMarket: async (scope, layout, at) => {
        const market = await liquityV1.readMarket(scope, layout, block);
        return market && { ...market, block: at };
      },
      // The contract's health factor, by its own minimum.
      planFigures: (scope, market, positions) => {
        const minimum = 1_100_000_000_000_000_000n;
        return liquityV1.planFigures!(
          scope,
          { ...market, thresholds: { ...market.thresholds, minimum } },
          positions,
        );
      },
    };
    const parts = { client, multicall: new Multicall(client, chain.multicall3) };
    return { reader: new FamilyReader(family, rows[0]!, parts), layouts: () => layouts };
  }

  it('reads the layout and the positions again when a mismatch may come from a layout of an earlier block', async () => {
    const { reader, layouts } = readerWithOldLayout(false);
    await reader.readMarket(earlier);
    const read = await reader.readPositions(wallets, block);
    expect(read.positions.length).toBeGreaterThan(150);
    expect(read.mismatches).toEqual([]);
    expect(layouts()).toBe(2);
  });

  it('reports a mismatch that a new layout does not explain, after one more read', async () => {
    const { reader, layouts } = readerWithOldLayout(true);
    await reader.readMarket(earlier);
    const read = await reader.readPositions(wallets, block);
    expect(read.mismatches.length).toBe(read.positions.length);
    expect(new Set(read.positions.map(({ verification }) => verification))).toEqual(new Set(['contract']));
    expect(layouts()).toBe(2);
    await reader.readPositions(wallets, block);
    expect(layouts()).toBe(2);
  });

  it('reads a layout again of which a part may be missing, ten minutes later, and no other', async () => {
    const client = replayClient(chain, RECORDING);
    let layouts = 0;
    const family: typeof liquityV1 = {
      ...liquityV1,
      readLayout: (scope, _block, keys) => {
        layouts += 1;
        return liquityV1.readLayout(scope, block, keys);
      },
      readMarket: async (scope, layout, at) => {
        const market = await liquityV1.readMarket(scope, layout, block);
        return market && { ...market, block: at };
      },
      readAccounts: (scope, holders, _block, market) => liquityV1.readAccounts(scope, holders, block, market),
      evaluate: (own, market, account) =>
        layouts === 1
          ? [unreadablePosition(own, market.block, account.wallet)]
          : liquityV1.evaluate(own, market, account),
      planFigures: (scope, market, positions) =>
        liquityV1.planFigures!(scope, { ...market, block }, positions),
    };
    const multicall = new Multicall(client, chain.multicall3);
    // The recording has one block, at which every block is read.
    const at = { read: <T>(plan: ReadPlan<T>, _at: BlockRef) => multicall.read(plan, block) } as Multicall;
    const reader = new FamilyReader(family, rows[0]!, { client, multicall: at });
    const unreadAfter = async (seconds: bigint): Promise<number> => {
      const hash = `0x${seconds.toString(16).padStart(64, '0')}` as const;
      const later = { number: block.number + seconds, hash, timestamp: block.timestamp + seconds };
      const { positions } = await reader.readPositions(wallets, later);
      return positions.filter(({ unreadable }) => unreadable !== undefined).length;
    };
    expect(await unreadAfter(1n)).toBe(wallets.length);
    expect(await unreadAfter(600n)).toBe(wallets.length);
    expect(layouts).toBe(1);
    expect(await unreadAfter(601n)).toBe(0);
    expect(await unreadAfter(5_000n)).toBe(0);
    expect(layouts).toBe(2);
  });

  it('takes the market of another reader at its block, and at no other one', async () => {
    const client = replayClient(chain, RECORDING);
    let markets = 0;
    const family: typeof liquityV1 = {
      ...liquityV1,
      readMarket: (...given) => {
        markets += 1;
        return liquityV1.readMarket(...given);
      },
    };
    const parts = { client, multicall: new Multicall(client, chain.multicall3) };
    const [first, second, third] = [1, 2, 3].map(() => new FamilyReader(family, rows[0]!, parts));
    const read = await first!.readPositions(wallets, block);
    expect(markets).toBe(1);
    second!.shareMarket(first!, block);
    expect(await second!.readPositions(wallets, block)).toEqual(read);
    expect(markets).toBe(1);
    third!.shareMarket(first!, earlier);
    await third!.readMarket(block);
    expect(markets).toBe(2);
  });
});
