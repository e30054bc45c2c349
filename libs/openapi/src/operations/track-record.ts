import { TrackRecord, TrackRecordQuery } from '@plimsoll/contracts';
import type { Operations } from '../operation';
import { TIMESTAMP } from './samples';

const SCORES = {
  n: 12_480,
  censored: 611,
  pending: 4_800,
  brier: 0.0141,
  logScore: 0.0622,
  ece: 0.0048,
  expectedEce: 0.0011,
  meanForecast: 0.0187,
  observedRate: 0.0171,
  standardError: 0.0042,
  observedRateLowest: 0.0163,
  observedRateHighest: 0.063,
  meanForecastCensored: 0.0312,
};
export const trackRecordOperations: Operations = {
  'GET /v1/risk/track-record': {
    operationId: 'getTrackRecord',
    tag: 'Risk',
    summary: 'Scores of past forecasts',
    description:
      'Liquidation probabilities that the service forecasts every hour for a fixed sample of open positions, with their outcomes. A forecast assumes that the owner does not change the position. When the owner does within the horizon, the forecast is censored and counted separately. Figures of two model versions are never mixed.',
    query: TrackRecordQuery,
    responses: [
      {
        status: 200,
        description: 'The record.',
        schema: TrackRecord,
        example: {
          since: TIMESTAMP,
          updatedAt: TIMESTAMP,
          reason: null,
          overall: [{ horizonDays: 7, modelVersion: '1', ...SCORES }],
          groups: [
            {
              protocol: 'aave-v3',
              asset: 'ETH',
              horizonDays: 7,
              band: 'moderate',
              modelVersion: '1',
              ...SCORES,
            },
          ],
          count: 1,
          models: [{ model: 'fhs', version: '1', since: TIMESTAMP }],
          calibrationAlert: null,
        },
      },
    ],
  },
};
