import type { Json } from './canonical';
import {
  address,
  bool,
  bytes,
  digits,
  hash,
  hex32,
  listOf,
  mapOf,
  object,
  only,
  orNull,
  signature,
  text,
  upTo,
  whole,
} from './checks';
import { LEVELS, type Level } from './level';

/** A call of the reading. `resultHash` is the SHA-256 of its result, or of its reason where it reverted. */
export interface ReceiptCall {
  to: string;
  data: string;
  ok: boolean;
  resultHash: string;
}

/** The price of an asset, as the oracle of the protocol stated it. */
export interface ReceiptPrice {
  asset: string;
  symbol: string;
  oracle: string;
  price: string;
  decimals: number;
}

/** A side of an asset in the position. */
export interface ReceiptInput {
  asset: string;
  side: 'collateral' | 'debt';
  amount: string;
  /** Decimals of the amount. */
  decimals: number;
  liquidationThresholdBps: string;
  usedAsCollateral: boolean;
}

/** The figures of a position. Addresses are in lower case, amounts are decimal digits. */
export interface ReceiptFigures {
  prices: readonly ReceiptPrice[];
  inputs: readonly ReceiptInput[];
  outputs: { totalCollateral: string; totalDebt: string; healthFactor: string | null };
}

/** The price of an asset at which the position is liquidated, with the decimals of its price. Null: no price does it. */
export interface LiquidationPrice {
  asset: string;
  price: string | null;
}

/** The signed part of a receipt. */
export interface ReceiptContent extends ReceiptFigures {
  version: 1;
  kind: 'position';
  /** The release that made the reading. */
  build: string;
  chainId: number;
  block: { number: number; hash: string; timestamp: number };
  position: {
    id: string;
    protocol: string;
    family: string;
    market: string;
    subId: string;
    wallet: string;
  };
  /** The contracts of the market in our registry, by name. */
  contracts: Record<string, string>;
  /** The sender of the calls. */
  caller: string;
  calls: readonly ReceiptCall[];
  /** The published formula that gives the outputs from the calls. Null: none is published for this position. */
  formula: { name: string; version: number } | null;
  outputs: ReceiptFigures['outputs'] & {
    /** Of each input, in the same order. */
    liquidationPrices: readonly LiquidationPrice[];
    level: Level;
    /** Probability of liquidation within 7 days, with 18 decimals, where it decides the level. It is stated, and not proved. */
    probability7d: string | null;
  };
}

/** A receipt. Its canonical JSON is one text. */
export interface Receipt {
  content: ReceiptContent;
  /** SHA-256 of the canonical JSON of the content, in hexadecimal digits. */
  hash: string;
  signature: { keyId: string; signedAt: number; value: string };
}

/** A receipt with the results of its calls, in the order of the calls. They are not signed: their hashes are. */
export type FullReceipt = Receipt & { results: readonly string[] };

/** The text that is signed. It names its purpose, so that no other signature of the key can serve as this one. */
export function signedText(hash: string, keyId: string, signedAt: number): string {
  return `plimsoll-receipt-1\n${hash}\n${keyId}\n${signedAt}`;
}

export const BLOCK = object({ number: whole, hash: hex32, timestamp: whole });
export const POSITION = object({
  id: text,
  protocol: text,
  family: text,
  market: text,
  subId: text,
  wallet: address,
});
export const FORMULA = orNull(object({ name: text, version: whole }));
/** The most decimals of an amount. */
const MOST_DECIMALS = 36;
const OUTPUTS = { totalCollateral: digits, totalDebt: digits, healthFactor: orNull(digits) };
export const FIGURES = {
  prices: listOf(object({ asset: address, symbol: text, oracle: address, price: digits, decimals: whole })),
  inputs: listOf(
    object({
      asset: address,
      side: only('collateral', 'debt'),
      amount: digits,
      decimals: upTo(MOST_DECIMALS),
      liquidationThresholdBps: digits,
      usedAsCollateral: bool,
    }),
  ),
  outputs: object(OUTPUTS),
};

const receipt = object(
  {
    content: object({
      version: only(1),
      kind: only('position'),
      build: text,
      chainId: whole,
      block: BLOCK,
      position: POSITION,
      contracts: mapOf(address),
      caller: address,
      calls: listOf(object({ to: address, data: bytes, ok: bool, resultHash: hash })),
      formula: FORMULA,
      ...FIGURES,
      outputs: object({
        ...OUTPUTS,
        liquidationPrices: listOf(object({ asset: address, price: orNull(digits) })),
        level: only(...LEVELS),
        probability7d: orNull(digits),
      }),
    }),
    hash,
    signature,
  },
  { results: listOf(bytes) },
);

/** The path of the first part of a value that no receipt has. Null: the value has the form of a receipt. */
export function wrongPart(value: Json): string | null {
  return receipt(value, 'receipt');
}
