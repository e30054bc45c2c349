import { COOLDOWN_MS } from '../../lifecycle/alert';
import type { AlertMemory } from '../../lifecycle/known-alerts';
import { type DropInput, evaluateDrop } from './collateral-drop-condition';

const NOW = 1_800_000_000_000;
const idle: AlertMemory = { isActive: false, lastResolvedAtMs: null };
const active: AlertMemory = { isActive: true, lastResolvedAtMs: null };
const dropped = (collateralDrop: number, over: Partial<DropInput> = {}): DropInput => ({
  closed: false,
  watched: true,
  isDust: false,
  hasDebt: true,
  isInDanger: false,
  collateralDrop,
  dropChangesAtMs: NOW + 60_000,
  ...over,
});
const kinds = (position: DropInput, memory = idle): string[] =>
  evaluateDrop(position, memory, NOW).map(({ kind }) => kind);

describe('evaluateDrop', () => {
  it('opens at 20 % and stays open down to 15 %', () => {
    expect(kinds(dropped(0.1999))).toEqual([]);
    expect(kinds(dropped(0.2))).toEqual(['open', 'wait']);
    expect(kinds(dropped(0.15), active)).toEqual(['wait']);
    expect(kinds(dropped(0.1499), active)).toEqual(['resolve']);
  });

  it('is evaluated again when the window moves, because constant prices produce no event', () => {
    expect(evaluateDrop(dropped(0.3), active, NOW)).toEqual([{ kind: 'wait', dueAtMs: NOW + 60_000 }]);
  });

  it.each<[string, Partial<DropInput>]>([
    ['without debt', { hasDebt: false }],
    ['in danger', { isInDanger: true }],
    ['of dust', { isDust: true }],
    ['that is closed', { closed: true }],
    ['that no account watches', { watched: false }],
  ])('opens nothing on a position %s', (_, over) => expect(kinds(dropped(0.5, over))).toEqual([]));

  it('resolves with the reason', () => {
    const reason = (over: Partial<DropInput>) => evaluateDrop(dropped(0.5, over), active, NOW);
    expect(reason({ hasDebt: false })).toEqual([{ kind: 'resolve', reason: 'recovered' }]);
    expect(reason({ isDust: true })).toEqual([{ kind: 'resolve', reason: 'dust' }]);
    expect(reason({ isInDanger: true })).toEqual([{ kind: 'resolve', reason: 'escalated' }]);
    expect(reason({ closed: true })).toEqual([{ kind: 'resolve', reason: 'closed' }]);
    expect(reason({ watched: false })).toEqual([{ kind: 'resolve', reason: 'unwatched' }]);
  });

  it('waits for the end of the cooldown, and opens exactly then', () => {
    const after = (agoMs: number): AlertMemory => ({ isActive: false, lastResolvedAtMs: NOW - agoMs });
    expect(evaluateDrop(dropped(0.5), after(1_000), NOW)).toEqual([
      { kind: 'wait', dueAtMs: NOW - 1_000 + COOLDOWN_MS },
    ]);
    expect(kinds(dropped(0.5), after(COOLDOWN_MS))).toEqual(['open', 'wait']);
  });
});
