import { Example, Field, PageQuery, TIMESTAMP } from '../fields';
import { RISK_MODELS, type RiskModel } from './risk-basis';

/** Outcomes of a recorded forecast. */
export const FORECAST_OUTCOMES = ['liquidatable', 'untouched', 'censored'] as const;

export type ForecastOutcome = (typeof FORECAST_OUTCOMES)[number];

/** Reasons for which a recorded forecast has no outcome. */
export const CENSOR_REASONS = ['principal', 'closed', 'missed', 'unwatched', 'stale'] as const;

export type ForecastCensorReason = (typeof CENSOR_REASONS)[number];

/** Query of GET /v1/positions/:id/forecasts. */
export class ListForecastsQuery extends PageQuery {}

/** A recorded forecast. */
export class ForecastRecord {
  @Field.Integer('Horizon, days.', { min: 1 }) horizonDays!: number;
  @Field.Timestamp('When it was made.') madeAt!: string;
  @Field.Timestamp('When its horizon is over.') expiresAt!: string;

  @Field.Number('Probability that the health factor is below 1 within the horizon.', { min: 0, max: 1 })
  probability!: number;

  @Field.Number('Its standard error, which depends on the number of paths.', { min: 0 })
  standardError!: number;
  @Field.Number('Health factor from which it was made.', { min: 0 }) healthFactor!: number;
  @Field.Integer('Block of the figures from which it was made.', { min: 0 }) block!: number;
  @Field.Word(RISK_MODELS, 'As in the response of POST /v1/simulate/monte-carlo.') model!: RiskModel;
  @Field.Text('Version of the model.') modelVersion!: string;

  @Field.Word(
    FORECAST_OUTCOMES,
    'liquidatable: the health factor was below 1 within the horizon. untouched: it was not. censored: see outcomeReason. Null: not known yet.',
    { nullable: true },
  )
  outcome!: ForecastOutcome | null;

  @Field.Word(
    CENSOR_REASONS,
    'Why there is no outcome. principal: the owner changed the position. closed: the position was closed. missed: states are missing. unwatched: the wallet is no longer watched. stale: the forecast was made from an old state. Null: it is not censored.',
    { nullable: true },
  )
  outcomeReason!: ForecastCensorReason | null;

  @Field.Integer('Block of the outcome. Null: none, or untouched.', { min: 0, nullable: true })
  outcomeBlock!: number | null;

  @Field.Timestamp('When the outcome became known. Null: it is not.', { nullable: true })
  resolvedAt!: string | null;

  @Field.Text('Hash of its receipt, for GET /v1/receipts/:hash.', { pattern: '^[0-9a-f]{64}$' })
  receiptHash!: string;
}

/** Response of GET /v1/positions/:id/forecasts. */
@Example({
  forecasts: [
    {
      horizonDays: 7,
      madeAt: TIMESTAMP,
      expiresAt: '2026-11-27T12:00:00.000Z',
      probability: 0.0312,
      standardError: 0.0021,
      healthFactor: 1.32,
      block: 21_000_000,
      model: 'fhs',
      modelVersion: '2',
      outcome: null,
      outcomeReason: null,
      outcomeBlock: null,
      resolvedAt: null,
      receiptHash: 'cd'.repeat(32),
    },
  ],
  count: 1,
  nextCursor: null,
})
export class ForecastRecordList {
  @Field.Object(() => ForecastRecord, 'Newest first.', { list: true }) forecasts!: ForecastRecord[];
  @Field.ItemCount() count!: number;
  @Field.NextCursor() nextCursor!: string | null;
}
