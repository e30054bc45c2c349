import { Type as Convert } from 'class-transformer';
import { IsIn, IsNotEmpty, IsString, MaxLength } from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import { Example, Field, Optional, TIMESTAMP } from '../fields';
import { RISK_MODELS, type RiskModel } from './risk-basis';

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

/** Horizons of the forecasts whose outcomes are recorded, days. */
export const TRACK_RECORD_HORIZONS = [1, 7, 30] as const;

/** Health factor bands of a position when it is forecast. */
export const TRACK_RECORD_BANDS = ['low', 'moderate', 'high', 'critical'] as const;

/** Query of GET /v1/risk/track-record. */
export class TrackRecordQuery {
  @JSONSchema({ description: 'Only forecasts of this protocol: its id, as in GET /v1/protocols.' })
  @Optional()
  @IsString()
  @IsNotEmpty()
  @MaxLength(64)
  protocol?: string;

  @JSONSchema({
    description:
      'Only positions whose main collateral is this token: its symbol in any case. ETH and WETH are one token.',
  })
  @Optional()
  @IsString()
  @IsNotEmpty()
  @MaxLength(32)
  asset?: string;

  @JSONSchema({ description: 'Only forecasts with this horizon in days.' })
  @Optional()
  @Convert(() => Number)
  @IsIn(TRACK_RECORD_HORIZONS)
  horizonDays?: (typeof TRACK_RECORD_HORIZONS)[number];

  @JSONSchema({
    description:
      'Only positions whose health factor was in this band at the forecast: critical below 1.1, high below 1.25, moderate below 1.5, low above.',
  })
  @Optional()
  @IsIn(TRACK_RECORD_BANDS)
  band?: (typeof TRACK_RECORD_BANDS)[number];
}

const count = (description: string) => Field.Integer(description, { min: 0 });

const score = (description: string) =>
  Field.Number(`${description} null while n is 0.`, { min: 0, nullable: true });

const share = (description: string) =>
  Field.Number(`${description} null while n is 0.`, { min: 0, max: 1, nullable: true });

/** Scores of forecasts against outcomes. */
class Scores {
  @count(
    'Forecasts whose horizon has passed and whose outcome is known. Forecasts of one position overlap in time.',
  )
  n!: number;

  @count(
    'Forecasts without an outcome: the owner changed the position within the horizon, or states of it are missing.',
  )
  censored!: number;

  @count('Forecasts whose horizon has not passed, whatever their outcome so far.') pending!: number;
  @score('Mean of (forecast − outcome)². Lower is better.') brier!: number | null;
  @score('Mean of −ln of the probability of the outcome. Lower is better.') logScore!: number | null;
  @share('Expected calibration error over ten bins with the same number of forecasts.') ece!: number | null;

  @share(
    'The ece of a perfectly calibrated forecast on these forecasts, if outcomes were independent. They are not, so it is a lower bound.',
  )
  expectedEce!: number | null;

  @share('Mean forecast probability.') meanForecast!: number | null;
  @share('Share of the forecasts whose position became liquidatable.') observedRate!: number | null;

  @Field.Number(
    'Standard error of observedRate − meanForecast, where all forecasts of one period as long as the horizon count as one draw. Null below five periods.',
    { min: 0, nullable: true },
  )
  standardError!: number | null;

  @Field.Number(
    'observedRate if no censored position had become liquidatable. Null when n and censored are 0.',
    { min: 0, max: 1, nullable: true },
  )
  observedRateLowest!: number | null;

  @Field.Number(
    'observedRate if all censored positions had become liquidatable. Null when n and censored are 0.',
    { min: 0, max: 1, nullable: true },
  )
  observedRateHighest!: number | null;

  @Field.Number('Mean forecast probability of the censored forecasts. Null when censored is 0.', {
    min: 0,
    max: 1,
    nullable: true,
  })
  meanForecastCensored!: number | null;
}

/** Scores of one horizon and model version over all requested forecasts. */
export class TrackRecordHorizon extends Scores {
  @Field.Integer('Horizon of the forecasts, days.', { min: 1 }) horizonDays!: number;
  @Field.Text('Version of the model that made the forecasts.') modelVersion!: string;
}

/** Scores of one group of forecasts. */
export class TrackRecordGroup extends Scores {
  @Field.Text('Protocol id.', { example: 'aave-v3' }) protocol!: string;
  @Field.Text('Price symbol of the main collateral.', { example: 'ETH' }) asset!: string;
  @Field.Integer('Horizon of the forecasts, days.', { min: 1 }) horizonDays!: number;

  @Field.Word(TRACK_RECORD_BANDS, 'Band of the health factor at the forecast.')
  band!: (typeof TRACK_RECORD_BANDS)[number];

  @Field.Text('Version of the model that made the forecasts.') modelVersion!: string;
}

class TrackRecordModels {
  @Field.Word(RISK_MODELS, 'As in the response of POST /v1/simulate/monte-carlo.')
  model!: RiskModel;

  @Field.Text('Version of the model that made the forecasts.') version!: string;
  @Field.Timestamp('When it made its first forecast in these figures.') since!: string;
}

class TrackRecordCalibrationAlert {
  @Field.Timestamp('When it opened.') since!: string;
  @Field.Text('Evidence against the forecasts.') reason!: string;
}

/** Response of GET /v1/risk/track-record. */
@Example({
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
})
export class TrackRecord {
  @Field.Timestamp('When the first forecast in these figures was made. Null without any.', { nullable: true })
  since!: string | null;

  @Field.Timestamp('When the last outcome in these figures became known. Null without any.', {
    nullable: true,
  })
  updatedAt!: string | null;

  @Field.Text('Why there are no scores. Null when there are.', { nullable: true }) reason!: string | null;

  @Field.Object(() => TrackRecordHorizon, 'By horizon and model version, the current version first.', {
    list: true,
  })
  overall!: TrackRecordHorizon[];

  @Field.Object(() => TrackRecordGroup, 'By protocol, asset, horizon, band and model version.', {
    list: true,
  })
  groups!: TrackRecordGroup[];

  @Field.ItemCount() count!: number;

  @Field.Object(() => TrackRecordModels, 'Models of the forecasts, newest first.', { list: true })
  models!: TrackRecordModels[];

  @Field.Object(
    () => TrackRecordCalibrationAlert,
    'Open while outcomes contradict the forecasts of the current model, whatever the request selects. Null otherwise.',
    { nullable: true },
  )
  calibrationAlert!: TrackRecordCalibrationAlert | null;
}
