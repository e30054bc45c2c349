import { Type, type Static } from '@sinclair/typebox';
import { PRICE_SOURCES } from '../prices';
import { defineEvent } from './define-event';
import { Day, Nullable, Timestamp, oneOf } from './fields';

const Prices = Type.Array(Nullable(Type.Number({ exclusiveMinimum: 0 })), { minItems: 1, maxItems: 3_660 });

/**
 * The complete daily history of an asset in USD, in columns. Element i of each column is the UTC day firstDay
 * + i, and the last is lastDay. A missing day is null in all four columns. It contains only completed days.
 */
const PriceHistoryV1Schema = Type.Object({
  /** Named by priceSymbol. */
  asset: Type.String({ minLength: 1 }),
  /** Increases with every added day and every corrected bar. */
  version: Type.Integer({ minimum: 1 }),
  historySource: oneOf(PRICE_SOURCES),
  firstDay: Day,
  lastDay: Day,
  open: Prices,
  high: Prices,
  low: Prices,
  close: Prices,
  /** Bars corrected after their first publication, with the version of the correction. */
  corrections: Type.Array(Type.Object({ day: Day, version: Type.Integer({ minimum: 2 }) })),
  updatedAt: Timestamp,
});

export type PriceHistoryV1 = Static<typeof PriceHistoryV1Schema>;

export const priceHistoryV1 = defineEvent({
  topic: 'price-history.v1',
  schema: PriceHistoryV1Schema,
  compacted: true,
  keyOf: (value) => value.asset,
});
