import type { Fact, FactUnit } from '../facts/fact';
import type { FactOrigin, FactSheet } from '../facts/fact-sheet';
import type { PositionFacts } from '../facts/position-facts';
import { errorFacts } from '../facts/risk.reader';
import type { Chance, Proof } from './prover';
import type { ChanceFacts, ProvedFacts } from './suggestion-texts';

const SIMULATED = 'POST /v1/simulate/monte-carlo';
const HORIZON_DAYS = 30;
const AIM_UNIT = {
  health_factor: 'ratio',
  distance: 'percent',
  debt_share: 'fraction',
  debt: 'usd',
} as const;

/** The simulated figures as facts, under `suggestion.<position>.<type>.`. */
export function proofFacts(sheet: FactSheet, position: PositionFacts, proof: Proof): ProvedFacts {
  const { plan, healthFactorAfter, before, after } = proof;
  const { time, source, isStale } = position.healthFactor;
  const prefix = `suggestion.${position.raw.id}.${plan.type}`;
  const from = (origin: string): FactOrigin => ({
    time,
    source: origin,
    ...(isStale !== undefined && { isStale }),
  });
  const add = (name: string, label: string, value: Fact['value'], unit: FactUnit, origin: string): Fact =>
    sheet.add(`${prefix}.${name}`, label, value, unit, from(origin));
  const chance = (name: string, label: string, of: Chance): ChanceFacts => ({
    probability: add(name, label, of.probability, 'fraction', SIMULATED),
    ...errorFacts(sheet, `${prefix}.${name}`, of, from(SIMULATED)),
  });
  const [now, edge] = [position.raw.healthFactor, plan.aim.value];
  const hasFall = plan.type === 'set_alert' && now !== null;
  return {
    eMode: plan.eMode ? add('eMode', 'e-mode to enter', plan.eMode.label, 'text', source) : null,
    usd: plan.usd === null ? null : add('usd', 'value to move', plan.usd, 'usd', source),
    before: position.healthFactor,
    after: add('after', 'health factor after it', healthFactorAfter, 'ratio', SIMULATED),
    aim: add('aim', 'what it reaches', edge, AIM_UNIT[plan.aim.kind], source),
    chances: before &&
      after && {
        before: chance('chanceBefore', 'probability of liquidation now', before),
        after: chance('chanceAfter', 'probability of liquidation after it', after),
        days: add('days', 'horizon of the probability', HORIZON_DAYS, 'days', SIMULATED),
      },
    fall: hasFall
      ? add('fall', 'fall that brings the alert', (1 - edge / now) * 100, 'percent', source)
      : null,
  };
}
