import { Injectable } from '@nestjs/common';
import { TIER_LIMITS } from '@plimsoll/access';
import {
  type MonteCarloAnswer,
  type MonteCarloBody,
  type PositionDetail,
  Problem,
  TIERS,
  type Tier,
  invalidRequest,
} from '@plimsoll/contracts';
import { type RiskPosition, healthFactor } from '@plimsoll/risk-math';
import { changedPosition, riskPosition, type HeldPosition, inEMode } from '@plimsoll/risk-position';
import type { Caller } from '@plimsoll/service-kit';
import type { Requester } from '../pool/pending-job';
import { positionBasis } from '../position/position-basis';
import { PositionSource } from '../position/position-source';
import { ReceiptSource } from '../receipts/receipt-source';
import { type Forecast, LiquidationForecaster } from './liquidation-forecaster';
import { exactHealthFactorOf } from '../position/exact-health';

@Injectable()
export class MonteCarloService {
  constructor(
    private readonly positions: PositionSource,
    private readonly forecaster: LiquidationForecaster,
    private readonly receipts: ReceiptSource,
  ) {}

  async simulate(
    tier: Tier,
    caller: Caller,
    {
      positionId,
      iterations,
      horizonDays,
      model = 'fhs',
      seed,
      drift,
      changes,
      eMode,
      receipt,
    }: MonteCarloBody,
    requester: Requester,
  ): Promise<MonteCarloAnswer> {
    refuseAboveCap(tier, iterations);
    const detail = await this.positions.read(caller, positionId, requester.left);
    const request = { model, horizonDays, iterations, seed, drift };
    const position = changedBy(detail, changes, eMode);
    const { result, run, ...basis } = await this.forecaster.run(detail, request, requester, position);
    const { liquidationProbability, standardError, upperBound95, percentiles, method } = result;
    const signed = receipt
      ? await this.receipts.sign(
          caller,
          { detail, isHypothetical: position !== undefined, result, ...ranWith(run) },
          requester.left,
        )
      : undefined;
    const at = (name: 'p5' | 'p50' | 'p95') => ({ healthFactor: percentiles?.[name] ?? null });
    return {
      ...positionBasis(detail),
      iterations,
      horizonDays,
      liquidationProbability,
      ...(position && { changedHealthFactor: healthFactor(position) }),
      percentiles: { p5: at('p5'), p50: at('p50'), p95: at('p95') },
      method,
      model,
      standardError,
      upperBound95,
      ...basis,
      ...(signed && { receipt: signed }),
    };
  }
}

/** @throws invalid_request without debt: nothing ran */
function ranWith(run: Forecast['run']): NonNullable<Forecast['run']> {
  if (run) return run;
  const message = 'The position has no debt, so no simulation ran. Send the request without receipt.';
  throw invalidRequest([{ field: 'receipt', code: 'not_available', message }]);
}

/** The hypothetical position. Undefined: the current one. @throws invalid_request */
function changedBy(
  detail: PositionDetail,
  changes: MonteCarloBody['changes'],
  eMode: number | undefined,
): RiskPosition | undefined {
  if (!changes && eMode === undefined) return undefined;
  const position = eMode === undefined ? detail : movedPosition(detail, eMode);
  return changedPosition(riskPosition(position), changes ?? []);
}

/** @throws tier_limit_exceeded naming the cap and the tier with a higher one. Iterations are never clamped */
function refuseAboveCap(tier: Tier, iterations: number): void {
  const cap = TIER_LIMITS[tier].iterations;
  if (iterations <= cap) return;
  const lifting = TIERS.find((other) => TIER_LIMITS[other].iterations >= iterations);
  const remedy = lifting
    ? `Request fewer, or move to the ${lifting} tier, which takes ${TIER_LIMITS[lifting].iterations}.`
    : 'Request fewer.';
  throw new Problem(
    'tier_limit_exceeded',
    `${iterations} iterations were requested; one request accepts ${cap} on the ${tier} tier. ${remedy}`,
    {
      errors: [{ field: 'iterations', code: 'tier_limit_exceeded', message: remedy }],
      ...(lifting && { requiredTier: lifting }),
    },
  );
}

const WAD = 1e18;

/**
 * The position in an e-mode that it may enter. Its health factor is recomputed in the contract's own
 * arithmetic, or as read from the chain if that is unknown.
 * @throws invalid_request for an e-mode that is not among those of the position
 */
function movedPosition(detail: PositionDetail, eMode: number): HeldPosition {
  const moved = inEMode(detail, eMode);
  if (moved === null) {
    const message = 'The position may not enter this e-mode, or is no safer in it. Take one of its eModes.';
    throw invalidRequest([{ field: 'eMode', code: 'not_available', message }]);
  }
  const exact = exactHealthFactorOf(detail, moved);
  return exact === null
    ? moved
    : { ...moved, healthFactorRaw: exact.toString(), healthFactor: Number(exact) / WAD };
}
