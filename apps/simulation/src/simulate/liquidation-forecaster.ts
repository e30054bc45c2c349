import { Injectable } from '@nestjs/common';
import type { PriceSource } from '@plimsoll/contracts';
import { type RiskPosition, type TaskResult, NEVER, healthFactor } from '@plimsoll/risk-math';
import { riskPosition } from '@plimsoll/risk-position';
import { Covariances } from '../market/covariances';
import { type HistoryBasis, PriceHistories } from '../market/price-histories';
import type { Requester } from '../pool/pending-job';
import type { SimulationRun } from '../receipts/simulation-content';
import { SimulationPool } from '../pool/simulation-pool';
import {
  type SimulatedPosition,
  type SimulationBasis,
  type SimulationRequest,
  prepareSimulation,
} from './simulation-task';

/** A result with its basis. There is no history without debt. */
export interface Forecast {
  result: TaskResult;
  seed: number;
  historySource: PriceSource[] | null;
  historyWindow: HistoryBasis['historyWindow'] | null;
  drift: SimulationBasis['drift'];
  /** The task that ran. Null without debt. */
  run: Pick<SimulationRun, 'task' | 'basis'> | null;
}

const WITHOUT_DEBT: Forecast = {
  result: {
    liquidationProbability: 0,
    standardError: 0,
    upperBound95: null,
    percentiles: null,
    method: 'closed_form',
    firstPassageDays: NEVER,
  },
  seed: 0,
  historySource: null,
  historyWindow: null,
  drift: { method: 'none', annualised: {} },
  run: null,
};

/** Computes the liquidation probability of a position in the pool. */
@Injectable()
export class LiquidationForecaster {
  constructor(
    private readonly histories: PriceHistories,
    private readonly covariances: Covariances,
    private readonly pool: SimulationPool,
  ) {}

  /**
   * @param changed the position with the hypothetical amounts
   * @throws upstream_unavailable naming the assets without history, or with a full queue; upstream_timeout
   */
  async run(
    detail: SimulatedPosition,
    request: SimulationRequest,
    requester: Requester,
    changed?: RiskPosition,
  ): Promise<Forecast> {
    const owes = changed ? healthFactor(changed) : detail.healthFactor;
    if (owes === null) return { ...WITHOUT_DEBT, seed: request.seed ?? 0 };
    const { task, basis } = prepareSimulation(
      detail,
      changed ?? riskPosition(detail),
      request,
      this.histories,
      this.covariances,
    );
    const result = await this.pool.run(task, requester);
    return { result, seed: task.options.seed, ...basis, run: { task, basis } };
  }
}
