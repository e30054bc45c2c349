import { type Drift, type PriceSource, type RiskModel, priceSymbol } from '@plimsoll/contracts';
import { type RiskPosition, type SimulationTask, assetsOf, seedOf } from '@plimsoll/risk-math';
import type { HeldPosition } from '@plimsoll/risk-position';
import type { Covariances } from '../market/covariances';
import { type DriftBasis, driftOver, withDrift } from '../market/drift';
import type { HistoryBasis, PriceHistories } from '../market/price-histories';

/** The part of a position that a simulation needs. */
export type SimulatedPosition = HeldPosition;

/** The parameters of a simulation of a position. */
export interface SimulationRequest {
  model: RiskModel;
  horizonDays: number;
  iterations: number;
  /** The days of the probability; default: the horizon. Only for fhs. */
  withinDays?: number | undefined;
  /** Default: none. */
  drift?: Drift | undefined;
  /** Absent: derived from the position's assets and the settings. */
  seed?: number | undefined;
}

/** The basis of a result. */
export interface SimulationBasis extends HistoryBasis {
  drift: DriftBasis;
}

/** A task for the pool, with the basis of its result. */
export interface PreparedSimulation {
  task: SimulationTask;
  basis: SimulationBasis;
}

/**
 * The assets of each side, the model, the drift and the history determine the paths, so that equal positions
 * get equal figures on every chain and for every owner. Amounts, prices, days and iterations do not: a figure
 * changes with them, not with other paths, and the first days of a longer horizon are those of a shorter one.
 */
function seedFor(
  { collateralAssets, debtAssets }: SimulatedPosition,
  { model, drift = 'none' }: SimulationRequest,
  { historySource, historyWindow }: HistoryBasis,
): number {
  const symbols = (legs: readonly { asset: string }[]): string =>
    [...new Set(legs.map(({ asset }) => priceSymbol(asset)))].toSorted().join(',');
  const history: [PriceSource[], string] = [historySource.toSorted(), historyWindow.to];
  return seedOf([symbols(collateralAssets), symbols(debtAssets), model, drift, ...history].join(' '));
}

/** @throws upstream_unavailable naming the assets without history or covariances */
export function prepareSimulation(
  detail: SimulatedPosition,
  position: RiskPosition,
  request: SimulationRequest,
  histories: PriceHistories,
  covariances: Covariances,
): PreparedSimulation {
  const { model, horizonDays, iterations: paths, withinDays, drift: asked = 'none' } = request;
  const assets = assetsOf(position);
  const drift = driftOver(assets, asked, () => histories.of(assets).history);
  const optionsOn = (basis: HistoryBasis) => ({
    horizonDays,
    paths,
    seed: request.seed ?? seedFor(detail, request, basis),
  });
  if (model === 'fhs') {
    const { history, ...basis } = histories.of(assets);
    const annualDrift = assets.map((asset) => drift.annualised[asset] ?? 0);
    const options = { ...optionsOn(basis), ...(withinDays !== undefined && { withinDays }) };
    return { task: { model, position, options, history, annualDrift }, basis: { ...basis, drift } };
  }
  const { market, ...basis } = covariances.of(assets, horizonDays);
  return {
    task: { model, position, options: optionsOn(basis), market: withDrift(market, drift) },
    basis: { ...basis, drift },
  };
}
