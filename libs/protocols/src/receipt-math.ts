/** Returns the 32-byte words of a call's result. The arguments are words too. */
export interface ReadWords {
  /** @throws when the call is missing or reverted */
  (to: bigint, selector: string, ...words: readonly bigint[]): readonly bigint[];
  /** Null for a call that reverted. @throws when the call is missing */
  attempt(to: bigint, selector: string, ...words: readonly bigint[]): readonly bigint[] | null;
}

/** The position that a formula computes. Addresses are numbers. */
export interface Market {
  contracts: Readonly<Record<string, bigint>>;
  wallet: bigint;
  /** Market id or other number inside the market. Empty: the market has one position for a wallet. */
  subId: string;
  /** Unix seconds of the block. */
  timestamp: bigint;
}

/** The figures that a formula computes. */
export interface FormulaResult {
  legs: readonly {
    asset: bigint;
    side: 'collateral' | 'debt';
    amount: bigint;
    price: bigint;
    priceDecimals: number;
    /** The contract that provides the price. */
    oracle: bigint;
    liquidationThresholdBps: bigint;
    usedAsCollateral: boolean;
  }[];
  totalCollateral: bigint;
  totalDebt: bigint;
  /** Wad. Null without debt. */
  healthFactor: bigint | null;
}

/** A version of a formula. A landed version never changes: receipts name it. */
export type Formula = (market: Market, read: ReadWords) => FormulaResult;

/** A call whose result a formula needs, and the receipt lacks. */
export class CallMissing extends Error {
  override readonly name = 'CallMissing';
}

const WORD = 64;

/** An address as the lower-case text of a receipt. */
export function addressText(value: bigint): string {
  return `0x${value.toString(16).padStart(40, '0')}`;
}

/** Words as the digits of call data and of results. */
export function wordDigits(words: readonly bigint[]): string {
  return words.map((word) => word.toString(16).padStart(WORD, '0')).join('');
}

/**
 * Reads words of stored results for a formula.
 * @param resultOf the result of a call, null for a revert and undefined for a call that is not stored
 */
export function wordReader(resultOf: (to: string, data: string) => string | null | undefined): ReadWords {
  const attempt: ReadWords['attempt'] = (to, selector, ...words) => {
    const data = selector + wordDigits(words);
    const result = resultOf(addressText(to), data);
    if (result === undefined) throw new CallMissing(`${data} of ${addressText(to)}`);
    return result === null
      ? null
      : (result.slice(2).match(/.{64}/g) ?? []).map((each) => BigInt(`0x${each}`));
  };
  const read = (...call: Parameters<typeof attempt>): readonly bigint[] => {
    const words = attempt(...call);
    if (words === null || words.length === 0)
      throw new CallMissing(`${call[1]} of ${addressText(call[0])} has no result`);
    return words;
  };
  return Object.assign(read, { attempt });
}
