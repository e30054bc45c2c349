import { Injectable, Logger } from '@nestjs/common';
import { type MonteCarloAnswer, isStableAsset } from '@plimsoll/contracts';
import { type RiskPosition, healthFactor } from '@plimsoll/risk-math';
import { type EModePosition, changedPosition, inEMode, riskPosition } from '@plimsoll/risk-position';
import type { Reading } from '../facts/reading';
import { type ChanceError, RiskReader } from '../facts/risk.reader';
import { isReached } from './aim-reached';
import type { Plan } from './plan';

const HORIZON_DAYS = 30;
/** The tolerance for the interest between two reads. */
const SAME = 1e-6;

/** A plan with its effect. */
export interface Proof {
  plan: Plan;
  healthFactorAfter: number | null;
  /** Null while the price history is missing. */
  before: Chance | null;
  after: Chance | null;
}

/** A probability of liquidation within 30 days with its error. */
export interface Chance extends ChanceError {
  probability: number;
}

/** Computes the effect of plans: on the legs here, and in the simulation service on today's paths. */
@Injectable()
export class Prover {
  private readonly logger = new Logger(Prover.name);

  constructor(private readonly risk: RiskReader) {}

  /** The plans that reach their target. None if the position's prices moved meanwhile. */
  async prove(
    reading: Reading,
    held: EModePosition & { id: string },
    position: RiskPosition,
    plans: readonly Plan[],
  ): Promise<Proof[]> {
    const positionId = held.id;
    const today = await this.risk.chances(reading, positionId, HORIZON_DAYS);
    const proofs = await Promise.all(
      plans.map((plan) => this.proof(reading, held, position, plan, today && chanceOf(today.answer))),
    );
    return proofs.flatMap((proof) => proof ?? []);
  }

  private async proof(
    reading: Reading,
    held: EModePosition & { id: string },
    position: RiskPosition,
    plan: Plan,
    before: Chance | null,
  ): Promise<Proof | null> {
    if (plan.type === 'set_alert')
      return { plan, healthFactorAfter: healthFactor(position), before, after: before };
    const positionId = held.id;
    const changed = positionAfter(held, position, plan);
    const healthFactorAfter = healthFactor(changed);
    if (!isReached(plan.aim, changed, isStableAsset)) {
      this.logger.warn({
        msg: 'a suggestion misses its target and is left out',
        positionId,
        type: plan.type,
      });
      return null;
    }
    if (before === null) return { plan, healthFactorAfter, before, after: null };
    const simulated = await this.risk.chances(reading, positionId, HORIZON_DAYS, {
      ...(plan.eMode ? { eMode: plan.eMode.id } : { changes: plan.changes }),
      name: plan.type,
    });
    if (simulated === null) return null;
    const { changedHealthFactor = null } = simulated.answer;
    return isSame(changedHealthFactor, healthFactorAfter)
      ? { plan, healthFactorAfter: changedHealthFactor, before, after: chanceOf(simulated.answer) }
      : null;
  }
}

function chanceOf({ liquidationProbability, standardError, upperBound95 }: MonteCarloAnswer): Chance {
  return { probability: liquidationProbability, standardError, upperBound95 };
}

/** The position after a plan. */
function positionAfter(held: EModePosition, position: RiskPosition, { eMode, changes }: Plan): RiskPosition {
  const moved = eMode && inEMode(held, eMode.id);
  return moved ? riskPosition(moved) : changedPosition(position, changes);
}

function isSame(a: number | null, b: number | null): boolean {
  if (a === null || b === null) return a === b;
  return Math.abs(a - b) <= SAME * Math.max(1, Math.abs(b));
}
