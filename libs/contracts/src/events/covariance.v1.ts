import { Type, type Static } from '@sinclair/typebox';
import { PRICE_SOURCES } from '../prices';
import { defineEvent } from './define-event';
import { Day, Timestamp, oneOf } from './fields';

const MAX_ASSETS = 150;
const SquareMatrix = Type.Array(Type.Array(Type.Number(), { maxItems: MAX_ASSETS }), {
  maxItems: MAX_ASSETS,
});

/**
 * How all assets move together: covariances of daily log returns (of close to close, about 0), by rows in the order of
 * `assets`. Over n days the average daily covariance is longRun + (today − longRun)·(1 − ρⁿ)/(n(1 − ρ)) with ρ =
 * persistence, what horizonCovariance of risk-math works out.
 */
const CovarianceV1Schema = Type.Object({
  /** The key: there is one set of figures. */
  returns: oneOf(['daily_log'] as const),
  /** The last UTC day whose close is in the figures. */
  asOf: Day,
  /** Rises with every publication. */
  version: Type.Integer({ minimum: 1 }),
  historySource: oneOf(PRICE_SOURCES),
  /** As priceSymbol gives them. */
  assets: Type.Array(Type.String({ minLength: 1 }), { maxItems: MAX_ASSETS }),
  /** Exponentially weighted with lambda: the level of the day after asOf. */
  today: SquareMatrix,
  /** The mean over the window: the level that volatility goes back to. */
  longRun: SquareMatrix,
  lambda: Type.Number({ exclusiveMinimum: 0, exclusiveMaximum: 1 }),
  /** Share of the distance to the long-run level that is left after a day. */
  persistence: Type.Number({ exclusiveMinimum: 0, maximum: 1 }),
  /** Returns in the window. */
  windowDays: Type.Integer({ minimum: 0 }),
  /** Assets with a history that is too short or has gaps in the window; they are in no matrix. */
  excluded: Type.Array(
    Type.Object({
      asset: Type.String({ minLength: 1 }),
      reason: oneOf(['too_short', 'gap_in_window'] as const),
    }),
  ),
  updatedAt: Timestamp,
});

export type CovarianceV1 = Static<typeof CovarianceV1Schema>;

export const covarianceV1 = defineEvent({
  topic: 'covariance.v1',
  schema: CovarianceV1Schema,
  compacted: true,
  keyOf: (value) => value.returns,
});
