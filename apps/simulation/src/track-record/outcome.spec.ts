import type { PositionV1 } from '@plimsoll/contracts';
import fc from 'fast-check';
import { positionState } from '../../test/track-record-fixture';
import { followPosition, untouchedHealthFactor } from './outcome';

const AT = Date.parse('2026-11-21T12:00:00.000Z');

function state(
  sequence: number,
  over: Omit<Parameters<typeof positionState>[2], 'blockTimeMs'> & Partial<PositionV1> = {},
): PositionV1 {
  const { ethPriceUsd, debtUsd, eth, closed, ...fields } = over;
  const given = { ethPriceUsd, debtUsd, eth, closed, blockTimeMs: AT + sequence * 1_000 };
  const known = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  return { ...positionState('followed', sequence, known as typeof given), ...fields };
}
const follow = (...events: (PositionV1 | null)[]) =>
  followPosition(state(1), events).endings.map(({ outcome, reason, sequence }) => [
    outcome,
    reason,
    sequence,
  ]);

describe('followPosition', () => {
  it('ends no forecast while the position stays above 1, whatever prices and interest do', () => {
    const withInterest = state(3);
    withInterest.legs[1] = { ...withInterest.legs[1]!, amount: 16_010, amountRaw: `${16_010n * 10n ** 18n}` };
    expect(follow(state(2, { ethPriceUsd: 2_500 }), withInterest)).toEqual([]);
  });

  it('ends at the first state below 1, although it recovers', () => {
    expect(follow(state(2, { ethPriceUsd: 1_900 }), state(3))).toEqual([['liquidatable', null, 2]]);
  });

  it('is not liquidatable at exactly 1', () => {
    expect(follow(state(2, { healthFactor: 1 }))).toEqual([]);
  });

  it.each([
    ['a repayment', state(2, { debtUsd: 10_000 }), 'principal'],
    ['more collateral', state(2, { eth: 12 }), 'principal'],
    ['all repaid', state(2, { debtUsd: 0 }), 'principal'],
    ['closed', state(2, { closed: true }), 'closed'],
    ['the wallet is no longer watched', null, 'unwatched'],
  ])('%s is censored', (_, event, reason) => {
    expect(follow(event)).toEqual([['censored', reason, 2]]);
  });

  it('a liquidation in the block of the fall counts: the untouched position would be below 1', () => {
    expect(follow(state(2, { ethPriceUsd: 1_900, debtUsd: 8_000, eth: 5.5 }))).toEqual([
      ['liquidatable', null, 2],
    ]);
  });

  it('treats collateral that is switched off as an act of the owner', () => {
    const off = state(2);
    off.legs = off.legs.map((leg) => ({ ...leg, usedAsCollateral: false }));
    expect(follow(off)).toEqual([['censored', 'principal', 2]]);
  });

  it('censors states that are missing in the log, unless the rest shows that it was below 1', () => {
    expect(follow(state(3))).toEqual([['censored', 'missed', 3]]);
    expect(follow(state(3, { previousHealthFactor: 0.99 }))).toEqual([['liquidatable', null, 3]]);
    expect(follow(state(3, { ethPriceUsd: 1_900 }))).toEqual([['liquidatable', null, 3]]);
    expect(follow(state(3, { debtUsd: 9_000, previousHealthFactor: 0.99 }))).toEqual([
      ['censored', 'missed', 3],
    ]);
  });

  it('ignores states that it has processed', () => {
    expect(follow(state(1, { ethPriceUsd: 1_000 }))).toEqual([]);
    expect(followPosition(state(5), [state(4, { ethPriceUsd: 1_000 })]).latest?.sequence).toBe(5);
  });

  it('continues with a position that is watched again', () => {
    const { latest, endings } = followPosition(state(1), [null, state(1), state(2, { ethPriceUsd: 1_900 })]);
    expect(latest?.sequence).toBe(2);
    expect(endings.map(({ outcome }) => outcome)).toEqual(['censored', 'liquidatable']);
  });

  it('ends over random prices exactly when the first state is below 1', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1_500, max: 3_500 }), { maxLength: 20 }), (prices) => {
        const states = prices.map((ethPriceUsd, at) => state(at + 2, { ethPriceUsd }));
        const { endings } = followPosition(state(1), states);
        const firstBelow = states.find(({ healthFactor }) => healthFactor! < 1);
        expect(endings[0]?.sequence).toBe(firstBelow?.sequence);
      }),
    );
  });
});

describe('untouchedHealthFactor', () => {
  it('is the health factor of the old amounts at the new prices, whatever the owner did', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 500, max: 6_000, noNaN: true }),
        fc.double({ min: 0.01, max: 50, noNaN: true }),
        fc.double({ min: 1, max: 50_000, noNaN: true }),
        (ethPriceUsd, eth, debtUsd) => {
          const after = state(2, { ethPriceUsd, eth, debtUsd });
          const expected = (10 * ethPriceUsd * 0.825) / 16_000;
          expect(untouchedHealthFactor(state(1), after)! / expected).toBeCloseTo(1, 5);
        },
      ),
    );
  });

  it('keeps the last prices of removed legs', () => {
    expect(untouchedHealthFactor(state(1), state(2, { closed: true }))).toBeCloseTo(1.546875, 9);
  });
});
