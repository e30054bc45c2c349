import fc from 'fast-check';
import { POSITION_ORDERS } from '@plimsoll/contracts';
import { type Ordered, compareBy, compareByHealth, pageOfPositions } from './position-order';

const position: fc.Arbitrary<Ordered> = fc.record({
  id: fc.string({ minLength: 1, maxLength: 4 }),
  healthFactorRaw: fc.option(fc.bigInt({ min: 0n, max: 10n ** 20n }).map(String)),
  totalDebtUsd: fc.integer({ min: 0, max: 3 }),
  totalCollateralUsd: fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }),
});
const positions = fc.uniqueArray(position, { selector: ({ id }) => id, maxLength: 40 });

describe('the order of positions', () => {
  it('compares numbers, not texts, and puts positions without debt last', () => {
    const list = [
      { id: 'c', healthFactorRaw: null },
      { id: 'b', healthFactorRaw: '9000000000000000000' },
      { id: 'a', healthFactorRaw: '10000000000000000000' },
      { id: 'd', healthFactorRaw: '0' },
    ].map((each) => ({ ...each, totalDebtUsd: 0, totalCollateralUsd: 0 }));
    expect(list.sort(compareByHealth).map(({ id }) => id)).toEqual(['d', 'b', 'a', 'c']);
  });

  it('puts the largest amount first', () => {
    const list = [1, 3, 2].map((usd) => ({
      id: String(usd),
      healthFactorRaw: null,
      totalDebtUsd: usd,
      totalCollateralUsd: -usd,
    }));
    expect(list.toSorted(compareBy('totalDebtUsd')).map(({ id }) => id)).toEqual(['3', '2', '1']);
    expect(list.toSorted(compareBy('totalCollateralUsd')).map(({ id }) => id)).toEqual(['1', '2', '3']);
  });

  it.each(POSITION_ORDERS)('pages by %s contain every position once and in order', (sort) => {
    fc.assert(
      fc.property(positions, fc.integer({ min: 1, max: 10 }), (list, limit) => {
        const ordered = [...list].sort(compareBy(sort));
        const seen: Ordered[] = [];
        let cursor: string | undefined;
        do {
          const { page, nextCursor } = pageOfPositions(ordered, limit, {
            sort,
            ...(cursor !== undefined && { cursor }),
          });
          seen.push(...page);
          cursor = nextCursor ?? undefined;
        } while (cursor !== undefined);
        expect(seen).toEqual(ordered);
      }),
    );
  });

  it.each(['%%%', 'W10', Buffer.from('["x","y"]').toString('base64url')])(
    'refuses the cursor %p',
    (cursor) => {
      for (const sort of POSITION_ORDERS)
        expect(() => pageOfPositions([], 10, { cursor, sort })).toThrow(
          expect.objectContaining({ code: 'invalid_request' }),
        );
    },
  );

  it('refuses the cursor of another order', () => {
    const position = { healthFactorRaw: '1', totalDebtUsd: 1, totalCollateralUsd: 1 };
    const list = [
      { ...position, id: 'a' },
      { ...position, id: 'b' },
    ];
    const { nextCursor } = pageOfPositions(list, 1, { sort: 'totalDebtUsd' });
    for (const sort of ['healthFactor', 'totalCollateralUsd'] as const)
      expect(() => pageOfPositions(list, 1, { cursor: nextCursor!, sort })).toThrow(
        expect.objectContaining({ code: 'invalid_request' }),
      );
  });
});
