import { readAll } from '@plimsoll/evm';
import { type Address, parseAbi } from 'viem';
import { openRates } from '../../test/open-rates';

const WAD = 10n ** 18n;
const YEAR = 31_536_000;
const judgeAbi = parseAbi([
  'struct Index { uint112 borrow; uint112 supply; uint32 lastUpdate; }',
  'function getMarketCurrentIndex(uint256 marketId) view returns (Index)',
  'function getMarketSupplyInterestRateApr(uint256 marketId) view returns (uint256)',
]);

describe('rates of dolomite', () => {
  const { row, reader, scope, before, after } = openRates('dolomite');
  const margin = row.contracts['margin'] as Address;
  const judge = (block: typeof before) =>
    readAll(scope, 'judge', block, (plan) =>
      [0n, 1n, 2n].map((id) => ({
        index: plan.call(margin, judgeAbi, 'getMarketCurrentIndex', [id]),
        supplyApr: plan.call(margin, judgeAbi, 'getMarketSupplyInterestRateApr', [id]),
      })),
    );

  it('are those by which debts and supplies grow in 30 days, as the contract counts them', async () => {
    const rates = (await reader.readRates(before))!;
    expect(rates).toHaveLength(3);
    const [first, later] = await Promise.all([judge(before), judge(after)]);
    const seconds = after.timestamp - before.timestamp;
    for (const [id, { supply, borrow }] of rates.entries()) {
      const [{ index, supplyApr }, then] = [first[id]!, later[id]!];
      // The rate is that of the last action, which was in the block before.
      const grown = (index.borrow * (WAD + borrow!.raw * seconds)) / WAD;
      expect(Number(then.index.borrow) / Number(grown)).toBeCloseTo(1, 8);
      const earned = Number(then.index.supply - index.supply) / Number(index.supply);
      if (supplyApr === 0n) expect([supply!.raw, earned]).toEqual([0n, 0]);
      else {
        expect((Number(supply!.raw) * YEAR) / Number(supplyApr)).toBeCloseTo(1, 6);
        expect(earned / (Number(supply!.raw * seconds) / 1e18)).toBeCloseTo(1, 6);
      }
    }
    expect(rates.filter(({ borrow }) => borrow!.raw > 0n)).toHaveLength(2);
    expect(rates.map(({ symbol }) => symbol)).toEqual(['USDX', 'WETHX', 'IDLE']);
  });
});
