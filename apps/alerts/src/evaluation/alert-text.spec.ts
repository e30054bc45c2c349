import { type PositionV1, derivedId } from '@plimsoll/contracts';
import { samplePosition, sampleWallet } from '@plimsoll/testing';
import { stablePair } from '../../test/samples';
import { confidenceBasis } from '../content/confidence-score';
import { positionContent } from '../content/position-content';
import { positionState } from '../positions/position-state';
import { ALERT_TEXT_VARIANTS, alertText } from '../sources/position/alert-text';
import { RuleIndex } from '../sources/rule/rule';
import { PositionEvaluator } from './position-evaluator';

const WALLET = sampleWallet(1);
const ACCOUNT = derivedId('acc', 1);
const START = 1_800_000_000_000;
const MINUTE_MS = 60_000;

/** One state and its observer in a test scene. */
interface Moment {
  event: PositionV1;
  watched?: boolean;
  minUsd?: number;
  /** Share of the collateral lost through prices within the hour. */
  drop?: number;
  prices?: Readonly<Record<string, number>>;
}

/** Returns the variants that a series of states produces, a minute apart. */
function variantsOf(moments: readonly Moment[]): (string | null)[] {
  let made = 0;
  let nowMs = START;
  const newId = (prefix: 'alt' | 'evt' | 'exec'): string => derivedId(prefix, (made += 1));
  let alerts: ConstructorParameters<typeof PositionEvaluator>[0]['alerts'] = [];
  return moments.flatMap(({ event, watched = true, minUsd = 10, drop = 0, prices = {} }) => {
    nowMs += MINUTE_MS;
    const evaluator = new PositionEvaluator(
      {
        alerts,
        watchers: new Map(watched ? [[WALLET, new Map([[ACCOUNT, null]])]] : []),
        preferences: new Map([[ACCOUNT, { minUsd, targetHealthFactor: 1.5 }]]),
        rules: new RuleIndex([]),
        prices,
      },
      { nowMs, newId },
    );
    const position = {
      ...positionState(event),
      peaks: { index: 1 - drop, bucket: Math.floor(nowMs / 300_000), peaks: [1] },
    };
    evaluator.evaluate({
      position,
      previous: null,
      atMs: nowMs,
      ageBlocks: 0,
      ...(event.orphanedFrom !== undefined && { orphanedFrom: event.orphanedFrom }),
      cause: {},
    });
    const { opened, changed, resolved, events } = evaluator.outcome;
    const moved = new Map([...opened, ...changed, ...resolved].map((alert) => [alert.id, alert]));
    alerts = [...alerts.filter(({ id }) => !moved.has(id)), ...moved.values()];
    return events.map(({ text }) => text);
  });
}

const at = (
  sequence: number,
  band: Parameters<typeof samplePosition>[2],
  over: Partial<PositionV1> = {},
): Moment => ({ event: samplePosition(WALLET, sequence, band, over) });
const moved = (moment: Moment, healthFactor: number): Moment => ({
  ...moment,
  event: {
    ...moment.event,
    healthFactor,
    healthFactorRaw: String(BigInt(Math.round(healthFactor * 1e6)) * 10n ** 12n),
  },
});

/** A USDC/DAI pair at a health factor of 1.010, with USDC at a market price. Null: no fresh price. */
const pairAt = (sequence: number, usdc: number | null): Moment => ({
  event: stablePair(WALLET, sequence),
  prices: { DAI: 1, ...(usdc !== null && { USDC: usdc }) },
});

const SCENES: readonly (readonly Moment[])[] = [
  [
    at(1, 'high'),
    moved(at(2, 'high'), 1.15),
    at(3, 'critical'),
    moved(at(4, 'critical'), 1.08),
    at(5, 'high'),
    at(6, 'low'),
  ],
  [
    at(1, 'critical'),
    at(2, 'liquidatable'),
    moved(at(3, 'liquidatable'), 0.9),
    at(4, 'none', { closed: true }),
  ],
  [at(1, 'high'), { ...at(2, 'high'), watched: false }],
  [at(1, 'liquidatable'), { ...at(2, 'liquidatable'), minUsd: 1e6 }],
  [at(1, 'high'), at(2, 'critical'), at(3, 'high', { block: 102, orphanedFrom: 102 })],
  [at(1, 'high'), at(2, 'low', { block: 101, orphanedFrom: 101 })],
  [pairAt(1, 0.995), pairAt(2, 0.994), pairAt(3, 0.98), pairAt(4, 1)],
  [pairAt(1, 0.995), pairAt(2, null)],
  [{ ...at(1, 'low'), drop: 0.3 }, at(2, 'low')],
  [
    { ...at(1, 'low'), drop: 0.3 },
    { ...at(2, 'liquidatable'), drop: 0.4 },
  ],
];

describe('the text of an alert', () => {
  it('is reached by the evaluator in every variant', () => {
    const reached = new Set(SCENES.flatMap(variantsOf));
    expect([...reached].sort()).toEqual([...ALERT_TEXT_VARIANTS].sort());
  });

  const input = (healthFactor: number | null) => {
    const position = positionState(
      samplePosition(WALLET, 1, 'critical', {
        healthFactor,
        ...(healthFactor === null && { healthFactorRaw: null }),
      }),
    );
    const confidence = confidenceBasis(0, null);
    const facts = { position, previous: null, threshold: null, targetHealthFactor: 1.5 };
    const content = positionContent({ ...facts, confidenceBasis: confidence });
    return { position, content, collateralDrop: 0.25, minUsd: 10, market: {} };
  };

  it('never shows a health factor as better than it is', () => {
    expect(alertText('opened.critical', input(0.99999)).title).toContain('0.9999');
  });

  it('has a wording for a position without debt', () => {
    expect(alertText('resolved.recovered', input(null)).title).toContain('no debt');
  });
});
