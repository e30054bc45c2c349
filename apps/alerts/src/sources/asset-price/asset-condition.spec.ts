import type { Severity } from '@plimsoll/contracts';
import { COOLDOWN_MS } from '../../lifecycle/alert';
import {
  type AssetCondition,
  DEVIATION_LASTS_MS,
  deviationSeverity,
  moveSeverity,
  nextCondition,
  nextLastingCondition,
} from './asset-condition';

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

describe('deviationSeverity', () => {
  it.each([
    [0, null],
    [-0.999, null],
    [-1, 'held'],
    [1.999, 'held'],
    [(0.98 - 1) * 100, 'medium'],
    [2, 'medium'],
    [-4.999, 'medium'],
    [-5, 'high'],
    [12, 'high'],
  ])('of %d %% is %s', (percent, severity) => expect(deviationSeverity(percent)).toBe(severity));
});

describe('nextLastingCondition', () => {
  /** Passes prices, one a minute, and returns the changes of the severity as `minute severity`. */
  const changesOf = (...seen: (Severity | 'held' | null)[]): string[] => {
    let known: AssetCondition | null = null;
    const changes: string[] = [];
    for (const [minute, each] of seen.entries()) {
      const atMs = NOW + minute * 60_000;
      const time = { nowMs: atMs, atMs, lastsMs: DEVIATION_LASTS_MS };
      const before: AssetCondition | null = known;
      known = nextLastingCondition(of, before, each, texts, time) ?? before;
      const severity = known?.severity ?? null;
      if (severity !== (before?.severity ?? null)) changes.push(`${minute} ${severity}`);
    }
    return changes;
  };
  const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value);

  it('opens with the first price after the time, at the severity of that price', () => {
    expect(changesOf(...times(5, 'medium' as const))).toEqual([]);
    expect(changesOf(...times(6, 'medium' as const))).toEqual(['5 medium']);
    expect(changesOf(...times(5, 'medium' as const), 'high')).toEqual(['5 high']);
  });

  it('starts the time again with each price that does not meet it', () => {
    const four = times(4, 'high' as const);
    expect(changesOf(...four, 'held', ...four, null, ...four)).toEqual([]);
    expect(changesOf(...four, 'held', ...four, 'high', 'high')).toEqual(['10 high']);
  });

  it('worsens and ends immediately once it is open', () => {
    const open = times(6, 'medium' as const);
    expect(changesOf(...open, 'held', 'high', 'medium', 'held', null, 'high')).toEqual([
      '5 medium',
      '7 high',
      '10 null',
    ]);
  });

  it('must last again after it ended', () => {
    const open = times(6, 'medium' as const);
    expect(changesOf(...open, null, ...open, 'medium')).toEqual(['5 medium', '6 null', '12 medium']);
  });
});
