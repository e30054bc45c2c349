import { Type, type Static } from '@sinclair/typebox';
import { PRICE_SOURCES } from '../prices';
import { defineEvent } from './define-event';
import { Day, Timestamp, oneOf } from './fields';

const MAX_ASSETS = 150;
const SquareMatrix = Type.Array(Type.Array(Type.Number(), { maxItems: MAX_ASSETS }), {
  maxItems: MAX_ASSETS,
});

/**
 * Covariances of daily log returns between all assets, about a mean of 0. Rows and columns are in the order
 * of `assets`. Over n days the average daily covariance is longRun + (today − longRun)·(1 − ρⁿ)/(n(1 − ρ))
 * with ρ = persistence. horizonCovariance of risk-math computes it.
 */
const CovarianceV1Schema = Type.Object({
  /** The key. The topic holds one matrix. */
  returns: oneOf(['daily_log'] as const),
  /** The last UTC day whose close is included. */
  asOf: Day,
  /** Increases with every publication. */
  version: Type.Integer({ minimum: 1 }),
  historySource: oneOf(PRICE_SOURCES),
  /** Named by priceSymbol. */
  assets: Type.Array(Type.String({ minLength: 1 }), { maxItems: MAX_ASSETS }),
  /** Exponentially weighted with lambda: the covariance of the day after asOf. */
  today: SquareMatrix,
  /** The mean over the window, to which the covariance returns. */
  longRun: SquareMatrix,
  lambda: Type.Number({ exclusiveMinimum: 0, exclusiveMaximum: 1 }),
  /** Share of the distance to the long-run level that remains after a day. */
  persistence: Type.Number({ exclusiveMinimum: 0, maximum: 1 }),
  /** Returns in the window. */
  windowDays: Type.Integer({ minimum: 0 }),
  /** Assets whose history is too short or has gaps in the window. They are in no matrix. */
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
