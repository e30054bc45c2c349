import { type Band, type PositionV1, derivedId } from '@plimsoll/contracts';
import { sampleWallet } from '@plimsoll/testing';
import fc from 'fast-check';
import { wethPosition } from '../../test/samples';
import type { PositionAlert } from '../lifecycle/alert';
import type { AlertEvent } from '../lifecycle/alert-event';
import { DROP_WINDOW_MS } from '../positions/collateral-drop';
import { type PositionState, positionState } from '../positions/position-state';
import { RuleIndex } from '../sources/rule/rule';
import { PositionEvaluator } from './position-evaluator';

const START = 1_800_000_000_000;
const MINUTE_MS = 60_000;
const WALLET = sampleWallet(1);
const ACCOUNT = derivedId('acc', 1);
const THRESHOLD = 0.8;

/**
 * One position of WETH against USDC through prices and repayments, from the rows that the service stores
 * between two blocks.
 */
class Walk {
  nowMs = START;
  rows = new Map<string, PositionAlert>();
  state: PositionState | null = null;
  private made = 0;

  /** Adds a block, one minute later by default. Returns the events that it publishes. */
  block(ethUsd: number, { usdc = 10_000, laterMs = MINUTE_MS } = {}): AlertEvent[] {
    this.nowMs += laterMs;
    const previous = this.state;
    const position = positionState(
      eventAt(ethUsd, usdc, this.nowMs, (previous?.sequence ?? 0) + 1),
      previous,
    );
    this.state = position;
    const known = [...this.rows.values()].filter(
      ({ resolvedAtMs }) => resolvedAtMs === null || resolvedAtMs > this.nowMs - DROP_WINDOW_MS,
    );
    const evaluator = new PositionEvaluator(
      {
        alerts: JSON.parse(JSON.stringify(known)) as PositionAlert[],
        watchers: new Map([[WALLET, new Map([[ACCOUNT, null]])]]),
        preferences: new Map(),
        rules: new RuleIndex([]),
        prices: {},
      },
      { nowMs: this.nowMs, newId: (prefix) => derivedId(prefix, (this.made += 1)) },
    );
    evaluator.evaluate({ position, previous, atMs: this.nowMs, ageBlocks: 0, cause: {} });
    const { opened, resolved, changed, events } = evaluator.outcome;
    for (const alert of [...opened, ...resolved, ...changed]) this.rows.set(alert.id, alert);
    return events;
  }

  get active(): PositionAlert[] {
    return [...this.rows.values()].filter(({ resolvedAtMs }) => resolvedAtMs === null);
  }
}

function eventAt(ethUsd: number, usdc: number, atMs: number, sequence: number): PositionV1 {
  const healthFactor = (10 * ethUsd * THRESHOLD) / usdc;
  const band: Band =
    healthFactor < 1
      ? 'liquidatable'
      : healthFactor < 1.1
        ? 'critical'
        : healthFactor < 1.25
          ? 'high'
          : 'low';
  return wethPosition(WALLET, sequence, band, ethUsd, {
    usdc,
    healthFactor,
    healthFactorRaw: String(BigInt(Math.round(healthFactor * 1e12)) * 1_000_000n),
    blockTime: new Date(atMs).toISOString(),
  });
}

const published = (events: readonly AlertEvent[]): string[] =>
  events.map(({ value }) => `${value.status} ${value.type}`);

describe('a fall of the collateral beside a danger', () => {
  it.each([
    ['below 1', 1_200, 'liquidation_risk'],
    ['close to liquidation', 1_330, 'liquidation_risk'],
    ['at high risk', 1_500, 'health_factor_warning'],
  ])('opens one alert, which reports the fall, when it leaves the position %s', (_, ethUsd, type) => {
    const walk = new Walk();
    walk.block(2_000);
    const events = walk.block(ethUsd);
    expect(published(events)).toEqual([`active ${type}`]);
    expect(events[0]?.value.content?.collateralDropPercent).toBeCloseTo(100 * (1 - ethUsd / 2_000), 9);
  });

  it('states the total of several falls within the hour', () => {
    const walk = new Walk();
    walk.block(2_000);
    walk.block(1_700);
    const [event] = walk.block(1_530);
    expect(event?.value.message).toContain(
      'Prices alone took 23.5 % of the value of its collateral within an hour.',
    );
  });

  it('does not repeat the price of its cause', () => {
    const walk = new Walk();
    walk.block(2_000);
    const [event] = walk.block(1_200);
    expect(event?.value.message).not.toContain('Prices alone');
  });

  it('resolves the alert of an earlier fall in the block in which the danger opens another', () => {
    const walk = new Walk();
    walk.block(2_100);
    expect(published(walk.block(1_600))).toEqual(['active collateral_drop']);
    const events = walk.block(1_200);
    expect(published(events)).toEqual(['active liquidation_risk', 'resolved collateral_drop']);
    expect(events[1]?.value).toMatchObject({
      resolveReason: 'escalated',
      escalatedTo: events[0]?.value.alertId,
    });
  });

  it('is not notified again when a repayment ends the danger', () => {
    const walk = new Walk();
    walk.block(2_000);
    walk.block(1_200);
    expect(published(walk.block(1_200, { usdc: 5_000 }))).toEqual(['resolved liquidation_risk']);
    for (let minute = 0; minute < 70; minute += 1)
      expect(published(walk.block(1_200, { usdc: 5_000 }))).toEqual([]);
  });

  it('is notified when it happens after the danger', () => {
    const walk = new Walk();
    walk.block(2_000);
    walk.block(1_200);
    walk.block(1_200, { usdc: 3_000 });
    walk.block(1_200, { usdc: 3_000, laterMs: 10 * MINUTE_MS });
    expect(published(walk.block(950, { usdc: 3_000 }))).toEqual(['active collateral_drop']);
  });

  it('never leaves two alerts open, and opens one for each fall below 1', () => {
    const step = fc.record({
      ethUsd: fc.integer({ min: 900, max: 2_400 }),
      usdc: fc.constantFrom(10_000, 10_000, 10_000, 6_000),
      laterMs: fc.constantFrom(1_000, MINUTE_MS, 10 * MINUTE_MS, DROP_WINDOW_MS),
    });
    fc.assert(
      fc.property(fc.array(step, { minLength: 2, maxLength: 25 }), (steps) => {
        const walk = new Walk();
        let wasBelow = false;
        for (const { ethUsd, usdc, laterMs } of steps) {
          const events = walk.block(ethUsd, { usdc, laterMs });
          expect(walk.active.length).toBeLessThanOrEqual(1);
          const isBelow = (walk.state?.healthFactor ?? 2) < 1;
          const below = events.filter(
            ({ topic, value }) =>
              topic === 'alert.v1' && value.status === 'active' && (value.position?.healthFactor ?? 2) < 1,
          );
          expect(published(below)).toEqual(isBelow && !wasBelow ? ['active liquidation_risk'] : []);
          wasBelow = isBelow;
        }
      }),
      { numRuns: 300 },
    );
  });
});
