import type { Json } from './canonical';
import { digits, hash, mapOf, object, only, orNull, address, signature, text, whole } from './checks';
import { LEVELS, type Level } from './level';
import {
  BLOCK,
  FIGURES,
  FORMULA,
  POSITION,
  type Receipt,
  type ReceiptContent,
  type ReceiptFigures,
} from './receipt';

/** A position at a block. */
export interface CrossingReading extends ReceiptFigures {
  block: ReceiptContent['block'];
  /** The level of these figures. */
  level: Level;
  /** Probability of liquidation within 7 days, with 18 decimals, where it decides the level. It is stated, and not proved. */
  probability7d: string | null;
}

/**
 * The signed part of the receipt of a crossing: two readings of a position between which its level changed, or its
 * band, which is the level with hysteresis. It has no calls: a formula derives them.
 */
export interface CrossingContent {
  version: 1;
  kind: 'crossing';
  /** The release that made the readings. */
  build: string;
  chainId: number;
  position: ReceiptContent['position'];
  contracts: ReceiptContent['contracts'];
  /** The published formula that gives the figures of both readings. Null: none is published for this position. */
  formula: ReceiptContent['formula'];
  /** The reading of the last event before. Null: there was none. */
  before: CrossingReading | null;
  after: CrossingReading;
}

/** The receipt of a crossing. */
export interface CrossingReceipt extends Omit<Receipt, 'content'> {
  content: CrossingContent;
}

const reading = object({ block: BLOCK, ...FIGURES, level: only(...LEVELS), probability7d: orNull(digits) });
const receipt = object({
  content: object({
    version: only(1),
    kind: only('crossing'),
    build: text,
    chainId: whole,
    position: POSITION,
    contracts: mapOf(address),
    formula: FORMULA,
    before: orNull(reading),
    after: reading,
  }),
  hash,
  signature,
});

/** The path of the first part of a value that no receipt of a crossing has. Null: the value has its form. */
export function wrongCrossingPart(value: Json): string | null {
  return receipt(value, 'receipt');
}
