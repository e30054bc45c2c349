import { readAll } from '@plimsoll/evm';
import { type Address, parseAbi } from 'viem';
import { openRates } from '../../test/open-rates';
import type { AssetRates } from '../reader/asset-rates';
import { rayPow } from '../maker/math';

const RAY = 10n ** 27n;
const judgeAbi = parseAbi([
  'function interestAccumulator() view returns (uint256)',
  'function convertToAssets(uint256 shares) view returns (uint256)',
]);

describe('rates of euler v2', () => {
  const { reader, scope, before, after } = openRates('euler-v2');
  const seconds = after.timestamp - before.timestamp;
  let rates: readonly AssetRates[];
  let grown: { accumulator: bigint; assets: bigint }[][];
  beforeAll(async () => {
    rates = (await reader.readRates(before))!;
    grown = await Promise.all(
      [before, after].map((block) =>
        readAll(scope, 'judge', block, (plan) =>
          rates.map(({ subId }) => ({
            accumulator: plan.call(subId as Address, judgeAbi, 'interestAccumulator', []),
            assets: plan.call(subId as Address, judgeAbi, 'convertToAssets', [10n ** 18n]),
          })),
        ),
      ),
    );
  });

  it('borrow is the rate by which the debts of a vault grow in a day, to the last digit', () => {
    const [first, later] = grown as [(typeof grown)[0], (typeof grown)[0]];
    expect(rates).toHaveLength(3);
    for (const [index, { borrow }] of rates.entries()) {
      const factor = rayPow(borrow!.raw + RAY, seconds);
      expect((first[index]!.accumulator * factor) / RAY).toBe(later[index]!.accumulator);
    }
    expect(rates.filter(({ borrow }) => borrow!.raw > 0n)).toHaveLength(2);
  });

  it('supply is the part of it that shares earn, less the fee', () => {
    const [first, later] = grown as [(typeof grown)[0], (typeof grown)[0]];
    for (const [index, { supply, borrow }] of rates.entries()) {
      if (borrow!.raw === 0n) {
        expect(supply!.raw).toBe(0n);
        continue;
      }
      const earned = Number(later[index]!.assets - first[index]!.assets) / Number(first[index]!.assets);
      expect(earned / (Number(supply!.raw * seconds) / 1e27)).toBeCloseTo(1, 3);
    }
  });
});
