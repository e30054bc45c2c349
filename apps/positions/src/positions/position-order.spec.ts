import fc from 'fast-check';
import { type Ordered, compareByHealth, pageByHealth } from './position-order';

const position: fc.Arbitrary<Ordered> = fc.record({
  id: fc.string({ minLength: 1, maxLength: 4 }),
  healthFactorRaw: fc.option(fc.bigInt({ min: 0n, max: 10n ** 20n }).map(String)),
});
const positions = fc.uniqueArray(position, { selector: ({ id }) => id, maxLength: 40 });

describe('the order of positions', () => {
  it('compares numbers, not texts, and puts positions without debt last', () => {
    const list = [
      { id: 'c', healthFactorRaw: null },
      { id: 'b', healthFactorRaw: '9000000000000000000' },
      { id: 'a', healthFactorRaw: '10000000000000000000' },
      { id: 'd', healthFactorRaw: '0' },
    ];
    expect(list.sort(compareByHealth).map(({ id }) => id)).toEqual(['d', 'b', 'a', 'c']);
  });

  it('pages of any size contain every position once and in order', () => {
    fc.assert(
      fc.property(positions, fc.integer({ min: 1, max: 10 }), (list, limit) => {
        const ordered = [...list].sort(compareByHealth);
        const seen: Ordered[] = [];
        let cursor: string | undefined;
        do {
          const { page, nextCursor } = pageByHealth(ordered, limit, cursor);
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
      expect(() => pageByHealth([], 10, cursor)).toThrow(
        expect.objectContaining({ code: 'invalid_request' }),
      );
    },
  );
});
