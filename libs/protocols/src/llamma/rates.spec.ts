import { readAll } from '@plimsoll/evm';
import { type Address, parseAbi } from 'viem';
import { openRates } from '../../test/open-rates';
import type { AssetRates } from '../reader/asset-rates';
import { FIRST_FACTORY, SECOND_FACTORY, readLendMarkets } from './lend-factory';

const YEAR = 31_536_000n;
const judgeAbi = parseAbi([
  'function total_debt() view returns (uint256)',
  'function borrow_apr() view returns (uint256)',
  'function lend_apr() view returns (uint256)',
]);

/** How much a debt grew, as a share of what it was. */
const growth = (first: bigint, later: bigint): number => Number(later - first) / Number(first);
const expected = ({ borrow }: AssetRates, seconds: bigint): number => Number(borrow!.raw * seconds) / 1e18;

describe.each([
  ['llamma', FIRST_FACTORY],
  ['llamma-second', SECOND_FACTORY],
])('rates of %s', (name, factory) => {
  const { reader, scope, before, after } = openRates(name);

  it('are those that the vault of each market states, and by which its debt grows in 400 days', async () => {
    const rates = (await reader.readRates(before))!;
    const markets = await readLendMarkets(scope, factory, before);
    expect(rates.map(({ subId }) => subId)).toEqual(markets.map(({ controller }) => controller));
    const judge = (block: typeof before) =>
      readAll(scope, 'judge', block, (plan) =>
        markets.map(({ vault, controller }) => ({
          debt: plan.call(controller, judgeAbi, 'total_debt', []),
          borrowed: plan.call(vault, judgeAbi, 'borrow_apr', []),
          lent: plan.call(vault, judgeAbi, 'lend_apr', []),
        })),
      );
    const [first, later] = await Promise.all([judge(before), judge(after)]);
    for (const [index, rate] of rates.entries()) {
      const { debt, borrowed, lent } = first[index]!;
      expect(rate.borrow!.raw * YEAR).toBe(borrowed);
      expect(Number(rate.supply!.raw * YEAR) / Number(lent)).toBeCloseTo(1, 6);
      expect(rate.borrow!.raw).toBeGreaterThan(rate.supply!.raw);
      expect(growth(debt, later[index]!.debt)).toBeCloseTo(
        expected(rate, after.timestamp - before.timestamp),
        6,
      );
    }
    expect(rates.length).toBeGreaterThanOrEqual(2);
  });
});

describe.each(['llamma-mint-0', 'llamma-mint-1'])('rates of %s', (name) => {
  const { row, reader, scope, before, after } = openRates(name);

  it('borrow is the rate by which the debt grows in 400 days; crvUSD is minted, so nothing is supplied', async () => {
    const [rate] = (await reader.readRates(before))!;
    const debtAt = (block: typeof before) =>
      readAll(scope, 'debt', block, (plan) =>
        plan.call(row.contracts['controller'] as Address, judgeAbi, 'total_debt', []),
      );
    const [first, later] = await Promise.all([debtAt(before), debtAt(after)]);
    expect(growth(first, later)).toBeCloseTo(expected(rate!, after.timestamp - before.timestamp), 6);
    expect(rate!.supply).toBeNull();
    expect(rate!.borrow!.raw > 0n).toBe(name === 'llamma-mint-0');
  });
});
