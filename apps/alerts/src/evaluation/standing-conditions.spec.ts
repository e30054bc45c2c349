import { BANDS, type Band, bandRank } from '@plimsoll/contracts';
import fc from 'fast-check';
import { COOLDOWN_MS } from './cooldown';
import {
  type ConditionInput,
  type StandingMemory,
  type StandingType,
  evaluateStandingConditions,
} from './standing-conditions';

type Memory = Record<StandingType, StandingMemory>;

const NOW = 1_800_000_000_000;
const nothing = (): Memory => ({
  health_factor_warning: idle,
  liquidation_risk: idle,
  collateral_drop: idle,
});
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
  hasDebt: true,
  collateralDrop: 0,
  dropChangesAtMs: NOW + 60_000,
  ...over,
});

function actions(position: ConditionInput, memory: Partial<Memory> = {}): string[] {
  const full: Memory = { ...nothing(), ...memory };
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
    const memory = { ...nothing(), liquidation_risk: active, health_factor_warning: active };
    expect(evaluateStandingConditions(position, memory, NOW)).toEqual([
      { kind: 'resolve', type: 'liquidation_risk', reason },
      { kind: 'resolve', type: 'health_factor_warning', reason },
    ]);
  });

  it('waits for the end of the cooldown, and opens at its very end', () => {
    const memory = (agoMs: number): Memory => ({
      ...nothing(),
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
  const anyMemories = fc.record({
    health_factor_warning: anyMemory,
    liquidation_risk: anyMemory,
    collateral_drop: anyMemory,
  });
  const anyPosition = fc.record({
    band: fc.constantFrom(...BANDS),
    closed: fc.boolean(),
    watched: fc.boolean(),
    hasDebt: fc.boolean(),
    collateralDrop: fc.double({ min: 0, max: 1, noNaN: true }),
    dropChangesAtMs: fc.constant(NOW + 60_000),
  });

  it('opens only what is not active, resolves only what is, and never does both to a type', () => {
    fc.assert(
      fc.property(anyPosition, anyMemories, (position, memory) => {
        const done = evaluateStandingConditions(position, memory, NOW).filter(({ kind }) => kind !== 'wait');
        expect(new Set(done.map(({ type }) => type)).size).toBe(done.length);
        for (const { kind, type } of done) expect(memory[type].isActive).toBe(kind === 'resolve');
      }),
    );
  });

  it('comes to rest: what it did once, it does not do again in the same state', () => {
    fc.assert(
      fc.property(anyPosition, anyMemories, (position, memory) => {
        const after = { ...memory };
        for (const action of evaluateStandingConditions(position, memory, NOW)) {
          if (action.kind === 'open') after[action.type] = { ...after[action.type], isActive: true };
          if (action.kind === 'resolve') {
            after[action.type] = resolved(action.type === 'health_factor_warning' ? 'high' : 'critical', 0);
          }
        }
        const again = evaluateStandingConditions(position, after, NOW);
        expect(again.filter(({ kind }) => kind !== 'wait')).toEqual([]);
      }),
    );
  });

  it('never leaves a dangerous, watched position without an alert or a time at which it comes', () => {
    fc.assert(
      fc.property(anyMemories, fc.constantFrom(...BANDS), (memory, band) => {
        fc.pre(bandRank(band) >= bandRank('critical'));
        const found = evaluateStandingConditions(at(band), memory, NOW);
        expect(
          memory.liquidation_risk.isActive || found.some(({ type }) => type === 'liquidation_risk'),
        ).toBe(true);
      }),
    );
  });

  describe('collateral_drop', () => {
    const dropped = (collateralDrop: number, over: Partial<ConditionInput> = {}): ConditionInput =>
      at('low', { collateralDrop, ...over });

    it('opens at 20 % and holds down to 15 %', () => {
      expect(actions(dropped(0.1999))).toEqual([]);
      expect(actions(dropped(0.2))).toEqual(['open collateral_drop', 'wait collateral_drop']);
      expect(actions(dropped(0.15), { collateral_drop: active })).toEqual(['wait collateral_drop']);
      expect(actions(dropped(0.1499), { collateral_drop: active })).toEqual(['resolve collateral_drop']);
    });

    it('is looked at again when the hour moves on: prices that stand still make no event', () => {
      const memory = { ...nothing(), collateral_drop: active };
      expect(evaluateStandingConditions(dropped(0.3), memory, NOW)).toEqual([
        { kind: 'wait', type: 'collateral_drop', dueAtMs: NOW + 60_000 },
      ]);
    });

    it('is nothing to a position without debt, and cools down whatever the band', () => {
      expect(actions(dropped(0.5, { hasDebt: false }))).toEqual([]);
      expect(
        actions(dropped(0.5, { band: 'critical' }), { collateral_drop: resolved('high', 1_000) }),
      ).toEqual(['open liquidation_risk', 'wait collateral_drop']);
    });
  });
});
