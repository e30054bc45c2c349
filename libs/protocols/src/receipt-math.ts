type Call = [to: bigint, selector: string, ...args: readonly bigint[]];

/** At least `Count` words. */
export type Words<Count extends number, Known extends readonly bigint[] = []> = Known['length'] extends Count
  ? readonly [...Known, ...bigint[]]
  : Words<Count, readonly [...Known, bigint]>;

/**
 * Returns the 32-byte words of a call's result. The arguments are words too. Each throws CallMissing when the receipt
 * lacks the call, and all but the attempts also when it reverted or returned fewer words.
 */
export interface ReadWords {
  /** One word or more. */
  (...call: Call): readonly bigint[];
  /** The first word. */
  word(...call: Call): bigint;
  /** The first words. */
  words<Count extends number>(count: Count, ...call: Call): Words<Count>;
  /** The entries of a list, when the result is one. */
  list(...call: Call): readonly bigint[];
  /** Null for a call that reverted. */
  attempt(...call: Call): readonly bigint[] | null;
  /** The first word. Null also for a contract without code, which returns nothing. */
  attemptWord(...call: Call): bigint | null;
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
    /** Decimals of the amount. */
    decimals: number;
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

/** The list at a place of a result with several parts: its head has the offset in bytes. @throws CallMissing */
export function listAt(words: readonly bigint[], head: number, wordsPerEntry = 1): readonly bigint[] {
  const at = Number((words[head] ?? 0n) / BigInt(WORD / 2));
  const length = Number(words[at] ?? 0n) * wordsPerEntry;
  const entries = words.slice(at + 1, at + 1 + length);
  if (at === 0 || entries.length !== length) throw new CallMissing('a list of a result is incomplete');
  return entries;
}

const NUMBER = /^(0x[0-9a-f]+|[0-9]*)$/;

/** A sub-id, or a part of it, as a number. @throws when it is none */
export function numberOf(text: string): bigint {
  if (!NUMBER.test(text)) throw new Error(`${text} is no number`);
  return BigInt(text);
}

/** The number of a word in two's complement. */
export function signed(word: bigint): bigint {
  return BigInt.asIntN(256, word);
}

/** The whole words of a result. */
export function wordsOf(result: string): bigint[] {
  const words: bigint[] = [];
  for (let at = 2; at + WORD <= result.length; at += WORD)
    words.push(BigInt(`0x${result.slice(at, at + WORD)}`));
  return words;
}

/**
 * Reads words of stored results for a formula.
 * @param resultOf the result of a call, null for a revert and undefined for a call that is not stored
 */
export function wordReader(resultOf: (to: string, data: string) => string | null | undefined): ReadWords {
  return parsedWordReader((to, data) => {
    const result = resultOf(to, data);
    return typeof result === 'string' ? wordsOf(result) : result;
  });
}

/** As wordReader, over words that are parsed already. */
export function parsedWordReader(
  parsed: (to: string, data: string) => readonly bigint[] | null | undefined,
): ReadWords {
  const attempt: ReadWords['attempt'] = (to, selector, ...args) => {
    const data = selector + wordDigits(args);
    const found = parsed(addressText(to), data);
    if (found === undefined) throw new CallMissing(`${data} of ${addressText(to)}`);
    return found;
  };
  const words = <Count extends number>(count: Count, ...call: Call): Words<Count> => {
    const found = attempt(...call);
    if (found === null || found.length < count)
      throw new CallMissing(`${call[1]} of ${addressText(call[0])} has no such result`);
    return found as unknown as Words<Count>;
  };
  const read = (...call: Call): readonly bigint[] => words(1, ...call);
  return Object.assign(read, {
    word: (...call: Call) => words(1, ...call)[0],
    words,
    list: (...call: Call) => listAt(words(2, ...call), 0),
    attempt,
    attemptWord: (...call: Call) => attempt(...call)?.[0] ?? null,
  });
}
