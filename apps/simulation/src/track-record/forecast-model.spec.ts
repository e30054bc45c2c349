import { sampleHistory } from '../../test/samples';
import { positionState } from '../../test/track-record-fixture';
import { PriceHistories } from '../market/price-histories';
import { Covariances } from '../market/covariances';
import { runJob } from '../pool/run-job';
import { prepareSimulation } from '../simulate/simulation-task';
import { HORIZONS_DAYS, MODEL_VERSION, RECORDED_MODEL } from './forecast-model';
import { estimatedPosition, heldPosition } from './tracked-position';

/**
 * Probabilities of one position by model version. If they change, raise MODEL_VERSION and add the new ones:
 * the track record must not mix forecasts of two models.
 */
const PROBABILITIES: Record<string, number[]> = {
  '1': [0, 0.2522, 0.5976],
  '2': [0, 0.2512, 0.5778],
};

describe('the recorded model', () => {
  it('returns the probabilities of its version', () => {
    const histories = new PriceHistories();
    for (const symbol of ['ETH', 'USDC']) histories.apply(symbol, sampleHistory(symbol));
    const position = positionState('recorded', 1, { debtUsd: 22_500, blockTimeMs: 0 });
    const probabilities = HORIZONS_DAYS.map((horizonDays) => {
      const request = { model: RECORDED_MODEL, horizonDays, iterations: 5_000, seed: 1 } as const;
      const estimated = estimatedPosition(position);
      const { task } = prepareSimulation(
        heldPosition(position),
        estimated,
        request,
        histories,
        new Covariances(),
      );
      const response = runJob({ id: 1, task, cancelled: new Int32Array(1) });
      if (!('result' in response)) throw new Error(JSON.stringify(response));
      return response.result.liquidationProbability;
    });
    expect(probabilities).toEqual(PROBABILITIES[MODEL_VERSION]);
  });
});
