import type { Severity } from '@plimsoll/contracts';
import { COOLDOWN_MS } from '../../lifecycle/alert';
import { type AssetCondition, moveSeverity, nextCondition } from './asset-condition';

const NOW = 1_800_000_000_000;
const of = { asset: 'ETH', type: 'price_move' as const };
const texts = { met: { title: 'met', message: 'met' }, over: { title: 'over', message: 'over' } };
const next = (known: AssetCondition | null, seen: Severity | 'held' | null, nowMs = NOW) =>
  nextCondition(of, known, seen, texts, nowMs);
const met = (severity: Severity): AssetCondition => next(null, severity)!;
const over = (severity: Severity, clearedAtMs = NOW): AssetCondition =>
  next(met(severity), null, clearedAtMs)!;

describe('moveSeverity', () => {
  it.each([
    [0.1, 'medium'],
    [-0.1, 'medium'],
    [0.1999, 'medium'],
    [-0.2, 'high'],
    [0.0999, 'held'],
    [0.075, 'held'],
    [-0.0749, null],
    [0, null],
  ])('of a move of %d with a threshold of 10 %% is %s', (move, severity) =>
    expect(moveSeverity(move, 0.1)).toBe(severity),
  );
});

describe('nextCondition', () => {
  it('starts, worsens, and improves only when it ends', () => {
    expect(met('medium')).toMatchObject({ severity: 'medium', title: 'met', clearedAtMs: null });
    expect(next(met('medium'), 'high')).toMatchObject({ severity: 'high' });
    expect(next(met('high'), 'medium')).toBeNull();
    expect(next(met('high'), 'held')).toBeNull();
    expect(over('high')).toMatchObject({
      severity: null,
      title: 'over',
      lastSeverity: 'high',
      clearedAtMs: NOW,
    });
  });

  it('does not change without a change of the asset', () => {
    expect(next(null, null)).toBeNull();
    expect(next(null, 'held')).toBeNull();
    expect(next(met('medium'), 'medium')).toBeNull();
    expect(next(over('medium'), null)).toBeNull();
  });

  it('has a cooldown after it ended, unless the next one is worse', () => {
    expect(next(over('medium'), 'medium', NOW + COOLDOWN_MS - 1)).toBeNull();
    expect(next(over('high'), 'medium', NOW + 1)).toBeNull();
    expect(next(over('medium'), 'medium', NOW + COOLDOWN_MS)).toMatchObject({ severity: 'medium' });
    expect(next(over('medium'), 'high', NOW + 1)).toMatchObject({ severity: 'high' });
  });
});
