import type { Fact } from '../facts/fact';
import { type ConfidenceBasis, confidenceOf } from './confidence';

const NOW = Date.parse('2026-11-22T12:00:00Z');
const fact = (id: string, over: Partial<Fact> = {}): Fact => ({
  id,
  label: 'debt',
  value: 1,
  unit: 'usd',
  time: '2026-11-22T12:00:00Z',
  source: 'GET /v1/positions',
  ...over,
});
const confidence = (
  facts: readonly Fact[],
  over: Partial<ConfidenceBasis> = {},
  figures = { direct: 1, derived: 0 },
) =>
  confidenceOf({
    draft: { claims: [{ text: 'It is 1 USD.', factIds: [] }], cannotAnswer: null },
    verification: {
      ok: true,
      unsupported: [],
      usedFactIds: facts.map(({ id }) => id),
      shownFactIds: facts.map(({ id }) => id),
      figures,
      found: [],
    },
    wanted: new Set(facts.map(({ id }) => id)),
    facts: new Map(facts.map((each) => [each.id, each])),
    isAboutThePast: false,
    isMended: false,
    nowMs: NOW,
    ...over,
  });

describe('confidenceOf', () => {
  it('is 1 for fresh figures that are facts, and 0 for no answer', () => {
    expect(confidence([fact('a'), fact('b')])).toBe(1);
    expect(confidence([fact('a')], { draft: { claims: [], cannotAnswer: 'No.' } })).toBe(0);
  });

  it('falls with the number of missing sources', () => {
    expect(confidence([fact('a')], { wanted: new Set(['a', 'b']) })).toBe(0.5);
    expect(confidence([fact('a'), fact('b', { value: null })])).toBe(0.5);
  });

  it('falls with age to one half at a day, immediately if the source is marked as old, and not for the past', () => {
    expect(confidence([fact('a', { time: '2026-11-22T11:51:00Z' })])).toBe(1);
    expect(confidence([fact('a', { time: '2026-11-21T12:00:00Z' })])).toBe(0.5);
    expect(confidence([fact('a', { time: '2020-01-01T00:00:00Z' })])).toBe(0.5);
    expect(confidence([fact('a', { isStale: true }), fact('b')])).toBe(0.75);
    expect(confidence([fact('a', { time: '2020-01-01T00:00:00Z' })], { isAboutThePast: true })).toBe(1);
  });

  it('falls with computed figures and corrected drafts', () => {
    expect(confidence([fact('a')], {}, { direct: 0, derived: 1 })).toBe(0.95);
    expect(confidence([fact('a')], { isMended: true })).toBe(0.9);
  });
});
