import type { PositionDetail, RiskModel } from '@plimsoll/contracts';
import { type RiskPosition, assetsOf, seedOf } from '@plimsoll/risk-math';
import type { HeldPosition } from '@plimsoll/risk-position';
import type { Covariances } from '../market/covariances';
import type { HistoryBasis, PriceHistories } from '../market/price-histories';
import type { SimulationTask } from '../pool/job';

/** What a simulation takes of a position. */
export type SimulatedPosition = HeldPosition & Pick<PositionDetail, 'id'>;

/** What a simulation of a position is asked. */
export interface SimulationRequest {
  model: RiskModel;
  horizonDays: number;
  iterations: number;
  /** Absent: made of the position, its prices and the settings. */
  seed?: number | undefined;
}

/** A task for the pool, with what its result rests on. */
export interface PreparedSimulation {
  task: SimulationTask;
  basis: HistoryBasis;
}

/** The same position, prices and settings give the same paths; interest alone, which moves amounts every block, does not change them. */
function seedFor(
  { id, collateralAssets, debtAssets }: SimulatedPosition,
  request: SimulationRequest,
): number {
  const prices = [...collateralAssets, ...debtAssets].map(({ asset, priceRaw }) => `${asset}=${priceRaw}`);
  const { model, horizonDays, iterations } = request;
  return seedOf([id, model, horizonDays, iterations, ...prices.toSorted()].join(' '));
}

/** @throws upstream_unavailable naming the assets without history or covariances */
export function prepareSimulation(
  detail: SimulatedPosition,
  position: RiskPosition,
  request: SimulationRequest,
  histories: PriceHistories,
  covariances: Covariances,
): PreparedSimulation {
  const { model, horizonDays, iterations: paths } = request;
  const options = { horizonDays, paths, seed: request.seed ?? seedFor(detail, request) };
  const assets = assetsOf(position);
  if (model === 'fhs') {
    const { history, ...basis } = histories.of(assets);
    return { task: { model, position, options, history }, basis };
  }
  const { market, ...basis } = covariances.of(assets, horizonDays);
  return { task: { model, position, options, market }, basis };
}
