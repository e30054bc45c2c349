import { readAll } from '@plimsoll/evm';
import { type Address, parseAbi } from 'viem';
import { openRates } from '../../test/open-rates';

const YEAR = 31_536_000;
const judgeAbi = parseAbi([
  'function getDebtAssets() view returns (uint256)',
  'function convertToAssets(uint256 shares) view returns (uint256)',
]);

describe('rates of silo v2', () => {
  const { reader, scope, before, after } = openRates('silo-v2');

  it('are those by which the debts of a silo and the assets of its shares grow in an hour', async () => {
    const rates = (await reader.readRates(before))!;
    expect(rates.map(({ symbol, collateral }) => [symbol, collateral?.symbol])).toEqual([
      ['AAA', 'BBB'],
      ['BBB', 'AAA'],
    ]);
    const judge = (block: typeof before) =>
      readAll(scope, 'judge', block, (plan) =>
        rates.map(({ subId }) => ({
          debt: plan.call(subId as Address, judgeAbi, 'getDebtAssets', []),
          assets: plan.call(subId as Address, judgeAbi, 'convertToAssets', [10n ** 27n]),
        })),
      );
    const [first, later] = await Promise.all([judge(before), judge(after)]);
    const years = Number(after.timestamp - before.timestamp) / YEAR;
    const growth = (from: bigint, to: bigint): number => Number(to - from) / Number(from);
    const rising = (await reader.readRates(after))!;
    for (const [index, { supply, borrow }] of rates.entries()) {
      const [{ debt, assets }, then, next] = [first[index]!, later[index]!, rising[index]!];
      // The rate model raises its rates with time, so the growth is between those of both blocks.
      const expectBetween = (value: number, least: bigint, most: bigint): void => {
        expect(value).toBeGreaterThan((Number(least) / 1e18) * 0.9999);
        expect(value).toBeLessThan((Number(most) / 1e18) * 1.0001);
      };
      expectBetween(growth(debt, then.debt) / years, borrow!.raw, next.borrow!.raw);
      expectBetween(growth(assets, then.assets) / years, supply!.raw, next.supply!.raw);
    }
    // Each has another utilization.
    expect(new Set(rates.map(({ borrow }) => borrow!.raw)).size).toBe(2);
  });
});
