import { BANDS, type Band, bandRank } from '@plimsoll/contracts';
import fc from 'fast-check';
import {
  COOLDOWN_MS,
  type ConditionInput,
  type StandingMemory,
  type StandingType,
  evaluateStandingConditions,
} from './standing-conditions';

type Memory = Record<StandingType, StandingMemory>;

const NOW = 1_800_000_000_000;
const idle: StandingMemory = { isActive: false, lastResolved: null };
const active: StandingMemory = { isActive: true, lastResolved: null };
const resolved = (openedBand: Band, agoMs: number): StandingMemory => ({
  isActive: false,
  lastResolved: { openedBand, resolvedAtMs: NOW - agoMs },
});
const at = (band: Band, over: Partial<ConditionInput> = {}): ConditionInput => ({
  band,
  closed: false,
  watched: true,
  ...over,
});

function actions(position: ConditionInput, memory: Partial<Memory> = {}): string[] {
  const full: Memory = { health_factor_warning: idle, liquidation_risk: idle, ...memory };
  return evaluateStandingConditions(position, full, NOW).map(({ kind, type }) => `${kind} ${type}`);
}

describe('evaluateStandingConditions', () => {
  it.each<[Band, string[]]>([
    ['none', []],
    ['low', []],
    ['moderate', []],
    ['high', ['open health_factor_warning']],
    ['critical', ['open liquidation_risk']],
    ['liquidatable', ['open liquidation_risk']],
  ])('opens at band %s: %j', (band, expected) => expect(actions(at(band))).toEqual(expected));

  it('tells a worsening from high to critical as a second alert', () => {
    expect(actions(at('critical'), { health_factor_warning: active })).toEqual(['open liquidation_risk']);
  });

  it('tells nothing new when a critical position becomes liquidatable', () => {
    expect(actions(at('liquidatable'), { liquidation_risk: active })).toEqual([]);
  });

  it('turns liquidation risk into a warning on the way back, unless one is open', () => {
    expect(actions(at('high'), { liquidation_risk: active })).toEqual([
      'resolve liquidation_risk',
      'open health_factor_warning',
    ]);
    expect(actions(at('high'), { liquidation_risk: active, health_factor_warning: active })).toEqual([
      'resolve liquidation_risk',
    ]);
  });

  it.each(['recovered', 'closed', 'unwatched'] as const)('resolves both when %s', (reason) => {
    const position = {
      recovered: at('moderate'),
      closed: at('critical', { closed: true }),
      unwatched: at('critical', { watched: false }),
    }[reason];
    const memory = { liquidation_risk: active, health_factor_warning: active };
    expect(evaluateStandingConditions(position, memory, NOW)).toEqual([
      { kind: 'resolve', type: 'liquidation_risk', reason },
      { kind: 'resolve', type: 'health_factor_warning', reason },
    ]);
  });

  it('waits for the end of the cooldown, and opens at its very end', () => {
    const memory = (agoMs: number): Memory => ({
      liquidation_risk: idle,
      health_factor_warning: resolved('high', agoMs),
    });
    expect(evaluateStandingConditions(at('high'), memory(1_000), NOW)).toEqual([
      { kind: 'wait', type: 'health_factor_warning', dueAtMs: NOW - 1_000 + COOLDOWN_MS },
    ]);
    expect(actions(at('high'), memory(COOLDOWN_MS - 1))).toEqual(['wait health_factor_warning']);
    expect(actions(at('high'), memory(COOLDOWN_MS))).toEqual(['open health_factor_warning']);
  });

  it('does not wait when the level is worse than at the opening of the resolved one', () => {
    expect(actions(at('liquidatable'), { liquidation_risk: resolved('critical', 1_000) })).toEqual([
      'open liquidation_risk',
    ]);
    expect(actions(at('critical'), { liquidation_risk: resolved('liquidatable', 1_000) })).toEqual([
      'wait liquidation_risk',
    ]);
  });

  it('lets the cooldown of one type not touch the other', () => {
    expect(actions(at('critical'), { health_factor_warning: resolved('high', 1_000) })).toEqual([
      'open liquidation_risk',
    ]);
  });

  const anyMemory = fc.oneof(
    fc.constant(idle),
    fc.constant(active),
    fc
      .tuple(fc.constantFrom(...BANDS), fc.integer({ min: 0, max: 2 * COOLDOWN_MS }))
      .map(([band, agoMs]) => resolved(band, agoMs)),
  );
  const anyPosition = fc.record({
    band: fc.constantFrom(...BANDS),
    closed: fc.boolean(),
    watched: fc.boolean(),
  });

  it('opens only what is not active, resolves only what is, one action a type', () => {
    fc.assert(
      fc.property(anyPosition, anyMemory, anyMemory, (position, warning, risk) => {
        const memory = { health_factor_warning: warning, liquidation_risk: risk };
        const found = evaluateStandingConditions(position, memory, NOW);
        expect(new Set(found.map(({ type }) => type)).size).toBe(found.length);
        for (const { kind, type } of found) expect(memory[type].isActive).toBe(kind === 'resolve');
      }),
    );
  });

  it('comes to rest: what it did once, it does not do again in the same state', () => {
    fc.assert(
      fc.property(anyPosition, anyMemory, anyMemory, (position, warning, risk) => {
        const memory: Memory = { health_factor_warning: warning, liquidation_risk: risk };
        const found = evaluateStandingConditions(position, memory, NOW);
        const after: Memory = { health_factor_warning: { ...warning }, liquidation_risk: { ...risk } };
        for (const action of found) {
          if (action.kind === 'open') after[action.type].isActive = true;
          if (action.kind === 'resolve') {
            after[action.type] = resolved(action.type === 'liquidation_risk' ? 'critical' : 'high', 0);
          }
        }
        const again = evaluateStandingConditions(position, after, NOW);
        expect(again.filter(({ kind }) => kind !== 'wait')).toEqual([]);
      }),
    );
  });

  it('never leaves a dangerous, watched position without an alert or a time at which it comes', () => {
    fc.assert(
      fc.property(anyMemory, anyMemory, fc.constantFrom(...BANDS), (warning, risk, band) => {
        fc.pre(bandRank(band) >= bandRank('critical'));
        const memory = { health_factor_warning: warning, liquidation_risk: risk };
        const found = evaluateStandingConditions(at(band), memory, NOW);
        expect(risk.isActive || found.some(({ kind }) => kind !== 'resolve')).toBe(true);
      }),
    );
  });
});
