import type { Fact, FactUnit } from '../facts/fact';
import type { FactSheet } from '../facts/fact-sheet';
import type { PositionFacts } from '../facts/position-facts';
import type { Proof } from './prover';
import type { ProvedFacts } from './suggestion-texts';

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
  const { plan, healthFactorAfter, chanceBefore, chanceAfter } = proof;
  const { time, source, isStale } = position.healthFactor;
  const add = (name: string, label: string, value: Fact['value'], unit: FactUnit, from: string): Fact =>
    sheet.add(`suggestion.${position.raw.id}.${plan.type}.${name}`, label, value, unit, {
      time,
      source: from,
      ...(isStale !== undefined && { isStale }),
    });
  const [now, edge] = [position.raw.healthFactor, plan.aim.value];
  const hasFall = plan.type === 'set_alert' && now !== null;
  const days = chanceBefore === null || chanceAfter === null ? null : HORIZON_DAYS;
  return {
    eMode: plan.eMode ? add('eMode', 'e-mode to enter', plan.eMode.label, 'text', source) : null,
    usd: plan.usd === null ? null : add('usd', 'value to move', plan.usd, 'usd', source),
    before: position.healthFactor,
    after: add('after', 'health factor after it', healthFactorAfter, 'ratio', SIMULATED),
    aim: add('aim', 'what it reaches', edge, AIM_UNIT[plan.aim.kind], source),
    chanceBefore:
      days && add('chanceBefore', 'probability of liquidation now', chanceBefore, 'fraction', SIMULATED),
    chanceAfter:
      days && add('chanceAfter', 'probability of liquidation after it', chanceAfter, 'fraction', SIMULATED),
    days: days && add('days', 'horizon of the probability', days, 'days', SIMULATED),
    fall: hasFall
      ? add('fall', 'fall that brings the alert', (1 - edge / now) * 100, 'percent', source)
      : null,
  };
}
