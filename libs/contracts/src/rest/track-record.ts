import { type Static, Type } from '@sinclair/typebox';
import { Type as Convert } from 'class-transformer';
import { IsIn, IsNotEmpty, IsString, MaxLength } from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import { itemCount, nullable, oneOf, timestamp } from './fields';
import { Optional } from './optional';
import { RISK_MODELS } from './risk-basis';

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

const count = (description: string) => Type.Integer({ minimum: 0, description });
const score = (description: string) =>
  nullable(Type.Number({ minimum: 0 }), `${description} null while n is 0.`);
const share = (description: string) =>
  nullable(Type.Number({ minimum: 0, maximum: 1 }), `${description} null while n is 0.`);

/** Scores of forecasts against outcomes. */
const SCORES = {
  n: count(
    'Forecasts whose horizon has passed and whose outcome is known. Forecasts of one position overlap in time.',
  ),
  censored: count(
    'Forecasts without an outcome: the owner changed the position within the horizon, or states of it are missing.',
  ),
  pending: count('Forecasts whose horizon has not passed, whatever their outcome so far.'),
  brier: score('Mean of (forecast − outcome)². Lower is better.'),
  logScore: score('Mean of −ln of the probability of the outcome. Lower is better.'),
  ece: share('Expected calibration error over ten bins with the same number of forecasts.'),
  expectedEce: share(
    'The ece of a perfectly calibrated forecast on these forecasts, if outcomes were independent. They are not, so it is a lower bound.',
  ),
  meanForecast: share('Mean forecast probability.'),
  observedRate: share('Share of the forecasts whose position became liquidatable.'),
  standardError: nullable(
    Type.Number({ minimum: 0 }),
    'Standard error of observedRate − meanForecast, where all forecasts of one period as long as the horizon count as one draw. Null below five periods.',
  ),
  observedRateLowest: nullable(
    Type.Number({ minimum: 0, maximum: 1 }),
    'observedRate if no censored position had become liquidatable. Null when n and censored are 0.',
  ),
  observedRateHighest: nullable(
    Type.Number({ minimum: 0, maximum: 1 }),
    'observedRate if all censored positions had become liquidatable. Null when n and censored are 0.',
  ),
  meanForecastCensored: nullable(
    Type.Number({ minimum: 0, maximum: 1 }),
    'Mean forecast probability of the censored forecasts. Null when censored is 0.',
  ),
};
const horizonDays = Type.Integer({ minimum: 1, description: 'Horizon of the forecasts, days.' });
const modelVersion = Type.String({ description: 'Version of the model that made the forecasts.' });

/** Scores of one horizon and model version over all requested forecasts. */
export const TrackRecordHorizon = Type.Object({ horizonDays, modelVersion, ...SCORES });
export type TrackRecordHorizon = Static<typeof TrackRecordHorizon>;

/** Scores of one group of forecasts. */
export const TrackRecordGroup = Type.Object({
  protocol: Type.String({ description: 'Protocol id.', examples: ['aave-v3'] }),
  asset: Type.String({
    description: 'Price symbol of the main collateral.',
    examples: ['ETH'],
  }),
  horizonDays,
  band: oneOf(TRACK_RECORD_BANDS, { description: 'Band of the health factor at the forecast.' }),
  modelVersion,
  ...SCORES,
});
export type TrackRecordGroup = Static<typeof TrackRecordGroup>;

/** Response of GET /v1/risk/track-record. */
export const TrackRecord = Type.Object({
  since: nullable(
    timestamp('A moment.'),
    'When the first forecast in these figures was made. Null without any.',
  ),
  updatedAt: nullable(
    timestamp('A moment.'),
    'When the last outcome in these figures became known. Null without any.',
  ),
  reason: nullable(Type.String(), 'Why there are no scores. Null when there are.'),
  overall: Type.Array(TrackRecordHorizon, {
    description: 'By horizon and model version, the current version first.',
  }),
  groups: Type.Array(TrackRecordGroup, {
    description: 'By protocol, asset, horizon, band and model version.',
  }),
  count: itemCount,
  models: Type.Array(
    Type.Object({
      model: oneOf(RISK_MODELS, { description: 'As in the response of POST /v1/simulate/monte-carlo.' }),
      version: modelVersion,
      since: timestamp('When it made its first forecast in these figures.'),
    }),
    { description: 'Models of the forecasts, newest first.' },
  ),
  calibrationAlert: nullable(
    Type.Object({
      since: timestamp('When it opened.'),
      reason: Type.String({ description: 'Evidence against the forecasts.' }),
    }),
    'Open while outcomes contradict the forecasts of the current model, whatever the request selects. Null otherwise.',
  ),
});
export type TrackRecord = Static<typeof TrackRecord>;
