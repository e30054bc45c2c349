import { Type } from '@sinclair/typebox';
import { PRICE_SOURCES } from '../prices';
import { DriftBasis } from './drift';
import { nullable, oneOf, recordId, timestamp, utcDay } from './fields';
import { BlockStamp } from './positions';

/** Model of the price paths: filtered historical simulation, or geometric Brownian motion (docs/model.md). */
export const RISK_MODELS = ['fhs', 'gbm'] as const;
export type RiskModel = (typeof RISK_MODELS)[number];

/** Position and block behind a figure. */
export const PositionBasis = Type.Composite([
  Type.Object({
    positionId: recordId('pos', 'The position.'),
    currentHealthFactor: nullable(
      Type.Number({ minimum: 0 }),
      'From the contract at asOfBlock. Null without debt.',
    ),
    priceTime: timestamp('Time of the block whose oracle prices are the starting point.'),
    block: Type.Optional(
      Type.Integer({
        minimum: 0,
        description: 'Block of the position. Present only when it could not be read at asOfBlock.',
      }),
    ),
  }),
  BlockStamp,
]);

/** The price history behind a figure. */
export const HistoryBasis = Type.Object({
  historySource: Type.Array(oneOf(PRICE_SOURCES), { description: 'Source of the daily prices.' }),
  historyWindow: Type.Object({
    from: utcDay('First UTC day whose price is used.'),
    to: utcDay('Last UTC day whose price is used.'),
    days: Type.Integer({ minimum: 1, description: 'Daily changes in the window.' }),
  }),
});

/** Both fields, for responses that may use no history. */
export const MaybeHistoryBasis = Type.Object({
  historySource: nullable(
    HistoryBasis.properties.historySource,
    'Source of the daily prices. Null when no history was needed, for example without debt.',
  ),
  historyWindow: nullable(
    HistoryBasis.properties.historyWindow,
    'The days used. Null when historySource is null.',
  ),
});

/** The model of a probability and its standard error. */
export const ModelBasis = Type.Composite([
  Type.Object({
    model: oneOf(RISK_MODELS, {
      description: 'fhs: filtered historical simulation; gbm: log-normal prices.',
    }),
    standardError: Type.Number({
      minimum: 0,
      description:
        'Standard error of the probability, from the number of iterations only. The probability ± 1.96 standard errors covers 95 %. 0 when it is exact, or when upperBound95 states more.',
    }),
    upperBound95: nullable(
      Type.Number({ minimum: 0, maximum: 1 }),
      'When no path was liquidated: the probability is below this value with 95 % confidence. Null otherwise and when the probability is exact.',
    ),
  }),
  DriftBasis,
]);
