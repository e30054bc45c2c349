import type { SuggestionSeverity } from '@plimsoll/contracts';
import fc from 'fast-check';
import type { Plan } from './plan';
import { bySeverity, isSettled, severityOf } from './severity';

const TYPES = ['repay_debt', 'add_collateral', 'set_alert', 'close_position'] as const;
const anyCandidate = fc.record({
  health: fc.double({ min: 0.5, max: 2.5, noNaN: true }),
  plans: fc.array(fc.record({ type: fc.constantFrom<Plan['type']>(...TYPES), isProved: fc.boolean() }), {
    minLength: 1,
    maxLength: 5,
  }),
});

describe('isSettled', () => {
  it('leaves out no candidate that would have changed the suggestions, in any order', () => {
    let spared = 0;
    fc.assert(
      fc.property(
        fc.array(anyCandidate, { maxLength: 8 }),
        fc.integer({ min: 1, max: 8 }),
        (all, maxCount) => {
          const suggestions = all.map(({ health, plans }, at) =>
            plans
              .filter(({ isProved }) => isProved)
              .map((plan, index) => ({ id: `${at}.${index}`, severity: severityOf(health, plan) })),
          );
          const best = (some: { id: string; severity: SuggestionSeverity }[]) =>
            some.toSorted((a, b) => bySeverity(a.severity, b.severity)).slice(0, maxCount);
          const found: { id: string; severity: SuggestionSeverity }[] = [];
          for (const [at, own] of suggestions.entries()) {
            const severities = found.map(({ severity }) => severity);
            if (isSettled(severities, all.slice(at), maxCount)) {
              spared += 1;
              break;
            }
            found.push(...own);
          }
          expect(best(found)).toEqual(best(suggestions.flat()));
        },
      ),
      { numRuns: 2_000 },
    );
    expect(spared).toBeGreaterThan(100);
  });

  it('waits for a position that may add a more severe suggestion', () => {
    const risky = { health: 1.05, plans: [{ type: 'repay_debt' as const }] };
    const calm = { health: 1.4, plans: [{ type: 'repay_debt' as const }] };
    expect(isSettled(['warning'], [risky], 1)).toBe(false);
    expect(isSettled(['critical'], [risky], 1)).toBe(true);
    expect(isSettled(['warning'], [calm], 1)).toBe(true);
    expect(isSettled(['warning'], [calm], 2)).toBe(false);
  });
});
