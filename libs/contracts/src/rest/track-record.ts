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
      'Only positions whose main collateral is this token: its symbol in any case. ETH and WETH are one.',
  })
  @Optional()
  @IsString()
  @IsNotEmpty()
  @MaxLength(32)
  asset?: string;

  @JSONSchema({ description: 'Only forecasts over this many days.' })
  @Optional()
  @Convert(() => Number)
  @IsIn(TRACK_RECORD_HORIZONS)
  horizonDays?: (typeof TRACK_RECORD_HORIZONS)[number];

  @JSONSchema({
    description:
      'Only positions whose health factor was in this band when they were forecast: critical below 1.1, high below 1.25, moderate below 1.5, low above.',
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
    'Forecasts whose horizon is over and whose outcome is known. Those of one position overlap in time.',
  ),
  censored: count(
    'Forecasts without an answer: within the horizon the owner changed the position, or states of it are missing.',
  ),
  pending: count('Forecasts whose horizon is not over, whatever has come of them so far.'),
  brier: score('Mean of (forecast − outcome)²; lower is better.'),
  logScore: score('Mean of −ln of the probability given to what came; lower is better.'),
  ece: share('Expected calibration error over ten bins with equally many forecasts.'),
  expectedEce: share(
    'The ece that a perfectly calibrated forecast would get on these forecasts, were outcomes independent. They are not: it is a lower bound.',
  ),
  meanForecast: share('Mean forecast probability.'),
  observedRate: share('Share of the forecasts whose position became liquidatable.'),
  standardError: nullable(
    Type.Number({ minimum: 0 }),
    'Standard error of observedRate − meanForecast, with all forecasts of one horizon-long period taken as one draw; null below five periods.',
  ),
  observedRateLowest: nullable(
    Type.Number({ minimum: 0, maximum: 1 }),
    'observedRate if none of the censored positions had become liquidatable. null while n and censored are 0.',
  ),
  observedRateHighest: nullable(
    Type.Number({ minimum: 0, maximum: 1 }),
    'observedRate if all of the censored positions had become liquidatable. null while n and censored are 0.',
  ),
  meanForecastCensored: nullable(
    Type.Number({ minimum: 0, maximum: 1 }),
    'Mean forecast probability of the censored forecasts. null while censored is 0.',
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
    description: 'Price symbol of the collateral that secured most.',
    examples: ['ETH'],
  }),
  horizonDays,
  band: oneOf(TRACK_RECORD_BANDS, { description: 'Band of the health factor when it was forecast.' }),
  modelVersion,
  ...SCORES,
});
export type TrackRecordGroup = Static<typeof TrackRecordGroup>;

/** Response of GET /v1/risk/track-record. */
export const TrackRecord = Type.Object({
  since: nullable(timestamp('A moment.'), 'When the first forecast in these figures was made; null without.'),
  updatedAt: nullable(
    timestamp('A moment.'),
    'When the last outcome in these figures became known; null without.',
  ),
  reason: nullable(Type.String(), 'Why there are no scores; null where there are.'),
  overall: Type.Array(TrackRecordHorizon, {
    description: 'By horizon and model version, the current version first.',
  }),
  groups: Type.Array(TrackRecordGroup, {
    description: 'By protocol, asset, horizon, band and model version.',
  }),
  count: itemCount,
  models: Type.Array(
    Type.Object({
      model: oneOf(RISK_MODELS, { description: 'As in the answer of POST /v1/simulate/monte-carlo.' }),
      version: modelVersion,
      since: timestamp('When it made its first forecast in these figures.'),
    }),
    { description: 'What made the forecasts, newest first.' },
  ),
  calibrationAlert: nullable(
    Type.Object({
      since: timestamp('When it opened.'),
      reason: Type.String({ description: 'What contradicts the forecasts.' }),
    }),
    'Open while outcomes contradict the forecasts of the current model, whatever is asked for; null otherwise.',
  ),
});
export type TrackRecord = Static<typeof TrackRecord>;
