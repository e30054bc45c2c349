import { Type, type Static } from '@sinclair/typebox';
import { PRICE_SOURCES } from '../prices';
import { defineEvent } from './define-event';
import { Day, Nullable, Timestamp, oneOf } from './fields';

const Prices = Type.Array(Nullable(Type.Number({ exclusiveMinimum: 0 })), { minItems: 1, maxItems: 3_660 });

/**
 * The whole daily history of an asset in USD, in columns: element i of each is the UTC day firstDay + i, the last is
 * lastDay. A day without a bar is a gap: null in all four. Only days that are over.
 */
const PriceHistoryV1Schema = Type.Object({
  /** As priceSymbol gives it. */
  asset: Type.String({ minLength: 1 }),
  /** Rises with every day added and every bar corrected. */
  version: Type.Integer({ minimum: 1 }),
  historySource: oneOf(PRICE_SOURCES),
  firstDay: Day,
  lastDay: Day,
  open: Prices,
  high: Prices,
  low: Prices,
  close: Prices,
  /** Bars that were corrected after they were first published, with the version that did so. */
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
