import fc from 'fast-check';
import { type ListPositionsQuery, POSITION_ORDERS, type PositionListItem } from '@plimsoll/contracts';
import { type Ordered, compareBy, compareByHealth, matches, pageOfPositions } from './position-order';

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

describe('the filters of positions', () => {
  const one = {
    protocol: 'aave-v3',
    chainId: 1,
    riskLevel: 'moderate',
    healthFactor: 1.3,
    totalDebtUsd: 500,
  } as PositionListItem;
  const isShown = (filter: Partial<ListPositionsQuery>, over: Partial<PositionListItem> = {}): boolean =>
    matches(filter as ListPositionsQuery, { ...one, ...over });

  it('show every position without a filter', () => expect(isShown({})).toBe(true));

  it.each<[string, Partial<ListPositionsQuery>, Partial<ListPositionsQuery>]>([
    ['protocol', { protocol: 'aave-v3' }, { protocol: 'spark' }],
    ['chain', { chainId: 1 }, { chainId: 10 }],
    ['risk level', { riskLevel: 'moderate' }, { riskLevel: 'critical' }],
    ['highest health factor', { maxHealthFactor: 1.3 }, { maxHealthFactor: 1.29 }],
    ['lowest debt', { minDebtUsd: 500 }, { minDebtUsd: 500.01 }],
  ])('show and hide by %s', (_, shown, hidden) => {
    expect([isShown(shown), isShown(hidden)]).toEqual([true, false]);
    // Every filter applies.
    expect(isShown({ ...shown, protocol: 'none' })).toBe(false);
  });

  it('a highest health factor hides positions without debt', () =>
    expect(isShown({ maxHealthFactor: 1e9 }, { healthFactor: null })).toBe(false));
});
