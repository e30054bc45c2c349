import { contractOf, readAll } from '@plimsoll/evm';
import { type Address, parseAbi } from 'viem';
import { openRecording } from '../../test/open-recording';
import { fraxlendAbi } from './market';

const WAD = 10n ** 18n;
const DAY = 86_400n;
/** The words that the functions return: interest, fees and shares, and then those of the rate and the totals. */
const previewAbi = parseAbi(['function previewAddInterest() view returns (uint256[12])']);
const accrualAbi = parseAbi(['function addInterest() view returns (uint256[4])']);

describe('rates of fraxlend', () => {
  it('borrow is the rate at which the interest of 400 days is added, to the last digit; supply is its lent part', async () => {
    const { scope, reader, block } = openRecording('fraxlend/fraxlend-400-days');
    const rates = (await reader.readRates(block))!;
    expect(rates).toHaveLength(4);
    const states = await readAll(scope, 'totals', block, (plan) =>
      rates.map(({ subId }) => ({
        borrowed: plan.call(subId as Address, fraxlendAbi, 'totalBorrow', []),
        preview: plan.call(subId as Address, previewAbi, 'previewAddInterest', []),
      })),
    );
    let accrued = 0;
    for (const [index, { supply, borrow }] of rates.entries()) {
      const { borrowed, preview } = states[index]!;
      const [interest, , , , fee, lastTimestamp, , , lent, , owed] = preview as unknown as bigint[];
      const seconds = block.timestamp - lastTimestamp!;
      // A pair whose interest is paused adds none.
      if (interest! > 0n) {
        expect((seconds * borrowed[0] * borrow!.raw) / WAD).toBe(interest);
        expect(seconds).toBeGreaterThan(390n * DAY);
        accrued += 1;
      }
      const ofSuppliers = Number(borrow!.raw * owed!) * (1 - Number(fee!) / 1e5);
      expect(Number(supply!.raw * lent!) / ofSuppliers).toBeCloseTo(1, 6);
    }
    expect(accrued).toBeGreaterThanOrEqual(3);
  });

  it('a pair of the first version states the rate at which it adds interest, and no fee', async () => {
    const { row, scope, reader, block } = openRecording('fraxlend/fraxlend-v1-400-days');
    const rates = (await reader.readRates(block))!;
    const pairs = await readAll(scope, 'registry', block, (plan) =>
      plan.call(contractOf(row, 'registry'), fraxlendAbi, 'getAllPairAddresses', []),
    );
    expect(rates.map(({ subId }) => subId)).toEqual(pairs.map((pair) => pair.toLowerCase()));
    const states = await readAll(scope, 'totals', block, (plan) =>
      rates.map(({ subId }) => ({
        borrowed: plan.call(subId as Address, fraxlendAbi, 'totalBorrow', []),
        accrual: plan.call(subId as Address, accrualAbi, 'addInterest', []),
      })),
    );
    let accrued = 0;
    for (const [index, { supply, borrow }] of rates.entries()) {
      const { borrowed, accrual } = states[index]!;
      const [interest] = accrual as unknown as bigint[];
      expect(supply).toBeNull();
      expect(borrow!.statedBy).toBe('addInterest.newRate');
      if (interest === 0n) continue;
      // No function states the time. It is a whole number of seconds that gives the interest to the last digit.
      const perSecond = borrowed[0] * borrow!.raw;
      const seconds = (interest! * WAD + perSecond - 1n) / perSecond;
      expect((seconds * perSecond) / WAD).toBe(interest);
      expect(seconds).toBeGreaterThan(390n * DAY);
      expect(seconds).toBeLessThan(410n * DAY);
      accrued += 1;
    }
    expect(accrued).toBeGreaterThanOrEqual(3);
  });

  it('a pair whose oracle fails has rates all the same', async () => {
    const { reader, block } = openRecording('fraxlend/fraxlend-dead-feed');
    const rates = (await reader.readRates(block))!;
    expect(rates.map(({ borrow }) => borrow !== null)).toEqual(Array(4).fill(true));
  });
});
