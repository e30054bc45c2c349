import type { Json } from './canonical';
import { address, digits, hash, listOf, object, only, signature, text, upTo, whole } from './checks';
import { BLOCK, type Receipt, type ReceiptContent } from './receipt';

/** The probability that a position can be liquidated within some days, if its owner does not change it. */
export interface StatedForecast {
  horizonDays: number;
  /** Unix milliseconds of its end. */
  expiresAt: number;
  /** With 18 decimals, as the standard error. */
  probability: string;
  standardError: string;
}

/**
 * The signed part of the receipt of forecasts: those of one position at one time. The log shows that they were made before their outcome, and
 * not changed since.
 */
export interface ForecastContent {
  version: 1;
  kind: 'forecast';
  /** The release that made them. */
  build: string;
  chainId: number;
  position: { id: string; protocol: string; market: string; subId: string; wallet: string };
  /** The block of the amounts and prices from which they were made. */
  block: ReceiptContent['block'];
  /** Of the position at the block, with 18 decimals. */
  healthFactor: string;
  model: { name: string; version: string };
  /** Unix milliseconds. */
  madeAt: number;
  forecasts: readonly StatedForecast[];
}

/** The receipt of forecasts. */
export interface ForecastReceipt extends Omit<Receipt, 'content'> {
  content: ForecastContent;
}

const MOST_DAYS = 365;

const content = object({
  version: only(1),
  kind: only('forecast'),
  build: text,
  chainId: whole,
  position: object({ id: text, protocol: text, market: text, subId: text, wallet: address }),
  block: BLOCK,
  healthFactor: digits,
  model: object({ name: text, version: text }),
  madeAt: whole,
  forecasts: listOf(
    object({ horizonDays: upTo(MOST_DAYS), expiresAt: whole, probability: digits, standardError: digits }),
  ),
});
const receipt = object({ content, hash, signature });

/** The path of the first part that is wrong before a receipt is signed, empty for all of it. Null: none is. */
export function wrongUnsignedForecastPart(value: Json | undefined): string | null {
  return content(value, '')?.slice(1) ?? null;
}

/** The path of the first part of a value that no receipt of forecasts has. Null: the value has its form. */
export function wrongForecastPart(value: Json): string | null {
  return receipt(value, 'receipt');
}
