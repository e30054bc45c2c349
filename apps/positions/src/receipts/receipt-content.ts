import type { BlockRef, CallResult, ChainRecording, MarketRow } from '@plimsoll/evm';
import { type RawPosition, figuresOf, isProxiedSubId, namedContracts } from '@plimsoll/protocols';
import {
  FORMULAS,
  type Formula,
  type FormulaResult,
  parsedWordReader,
  wordsOf,
} from '@plimsoll/protocols/math';
import {
  CanonicalText,
  type Json,
  type ReceiptCall,
  type ReceiptContent,
  canonicalJson,
  levelOf,
  liquidationPrices,
} from '@plimsoll/receipts';
import type { Address, Hex } from 'viem';
import { version } from '../../../../package.json';
import { idOf } from '../figures/position-key';
import { newestFormula } from '../receipt-signing/receipt-market';
import { sha256Hex } from '../receipt-signing/sha-256';
import { statedProbability } from '../receipt-signing/stated-probability';

/** The reading of one position, with every call of it. */
export interface RecordedPosition {
  row: MarketRow;
  block: BlockRef;
  position: RawPosition;
  recording: ChainRecording;
  /** Of liquidation within 7 days, where it decides the level. Default: the health factor decides. */
  probability7d?: number | null;
}

/** A content with the results of its calls, in order. */
export interface ContentWithResults {
  content: ReceiptContent;
  /** Its canonical JSON. */
  text: CanonicalText;
  results: string[];
}

/**
 * The content of a receipt. It names a formula only where that formula gives these very figures from these calls, and
 * it then has only the calls that the formula reads. Otherwise it has all of them.
 */
export function receiptContent(reading: RecordedPosition): ContentWithResults {
  return formulaContent(reading) ?? contentOf(reading, allCalls(reading.recording), null);
}

/** The content with the calls that the formula reads. Null: no formula gives these figures. */
export function formulaContent(reading: RecordedPosition): ContentWithResults | null {
  const newest = newestFormula(reading.row.family);
  if (newest === null) return null;
  const calls = callsOfFormula(reading, FORMULAS[newest.name]![newest.version]!);
  return calls && contentOf(reading, calls, newest);
}

function contentOf(
  { row, block, position, recording, probability7d = null }: RecordedPosition,
  calls: readonly KnownCall[],
  formula: ReceiptContent['formula'],
): ContentWithResults {
  const figures = {
    inputs: position.legs.map((leg) => ({
      amount: String(leg.amountRaw),
      asset: leg.address.toLowerCase(),
      decimals: leg.decimals,
      liquidationThresholdBps: String(leg.liquidationThresholdBps),
      side: leg.side,
      usedAsCollateral: leg.usedAsCollateral,
    })),
    outputs: {
      healthFactor: position.healthFactorRaw?.toString() ?? null,
      totalCollateral: String(position.totalCollateralRaw),
      totalDebt: String(position.totalDebtRaw),
    },
    prices: position.legs.map((leg) => ({
      asset: leg.address.toLowerCase(),
      decimals: leg.priceDecimals,
      oracle: leg.oracle.toLowerCase(),
      price: String(leg.priceRaw),
      symbol: leg.symbol,
    })),
  };
  const probability = statedProbability(probability7d);
  const contracts = Object.entries(namedContracts(row)).sort(([a], [b]) => (a < b ? -1 : 1));
  // In the canonical order, so that a response has the canonical text without another parsing.
  const content: ReceiptContent = {
    block: { hash: block.hash, number: Number(block.number), timestamp: Number(block.timestamp) },
    build: version,
    caller: recording.multicall3.toLowerCase(),
    calls: calls.map(({ call }) => call),
    chainId: row.chainId,
    contracts: Object.fromEntries(contracts),
    formula,
    inputs: figures.inputs,
    kind: 'position',
    outputs: {
      healthFactor: figures.outputs.healthFactor,
      level: levelOf(position.healthFactorRaw, probability === null ? null : BigInt(probability)),
      liquidationPrices: liquidationPrices(figures),
      probability7d: probability,
      totalCollateral: figures.outputs.totalCollateral,
      totalDebt: figures.outputs.totalDebt,
    },
    position: {
      family: row.family,
      id: idOf(position),
      market: row.market,
      protocol: row.protocol,
      subId: position.subId,
      wallet: position.wallet.toLowerCase(),
    },
    prices: figures.prices,
    version: 1,
  };
  const callTexts = new CanonicalText(`[${calls.map(({ text }) => text).join(',')}]`);
  const fields = { ...content, calls: callTexts } as unknown as Record<string, Json | CanonicalText>;
  const text = new CanonicalText(canonicalJson(fields));
  return { content, text, results: calls.map(({ result }) => result) };
}

/** A call of a recording with what receipts need of it. */
interface KnownCall {
  call: ReceiptCall;
  /** Its canonical JSON. */
  text: string;
  /** Empty for a revert: nodes return its reason in different forms. */
  result: string;
  /** Null for a revert. */
  words: readonly bigint[] | null;
}

/** Made once for all receipts that share a recording. */
const known = new WeakMap<ChainRecording, Map<CallResult, KnownCall>>();

/** Undefined: not recorded. */
function knownCall(recording: ChainRecording, to: string, data: string): KnownCall | undefined {
  const recorded = recording.resultOf({ to: to as Address, data: data as Hex });
  if (!recorded) return undefined;
  const ofRecording = known.get(recording) ?? new Map<CallResult, KnownCall>();
  known.set(recording, ofRecording);
  const made = ofRecording.get(recorded);
  if (made) return made;
  const { ok } = recorded;
  const result = ok ? recorded.data : '0x';
  const resultHash = sha256Hex(Buffer.from(result.slice(2), 'hex'));
  const call = { data, ok, resultHash, to };
  // Its texts have hexadecimal digits only, and its names are in order.
  const text = `{"data":"${data}","ok":${ok},"resultHash":"${resultHash}","to":"${to}"}`;
  const own = { call, text, result, words: ok ? wordsOf(result) : null };
  ofRecording.set(recorded, own);
  return own;
}

function allCalls(recording: ChainRecording): KnownCall[] {
  return Object.entries(recording.toJson().calls).flatMap(([to, results]) =>
    Object.keys(results).map((data) => knownCall(recording, to, data)!),
  );
}

/** The calls that a formula reads. Null: it does not give these figures. */
function callsOfFormula(
  { row, block, position, recording }: RecordedPosition,
  compute: Formula,
): KnownCall[] | null {
  // A formula finds only the proxies that the protocol itself knows.
  if (isProxiedSubId(position.subId)) return null;
  const used = new Set<KnownCall>();
  const read = parsedWordReader((to, data) => {
    const call = knownCall(recording, to, data);
    if (!call) return undefined;
    used.add(call);
    return call.words;
  });
  try {
    const contracts = Object.entries(namedContracts(row)).map(
      ([name, address]) => [name, BigInt(address)] as const,
    );
    const { wallet, subId } = position;
    const market = { wallet: BigInt(wallet), subId, timestamp: block.timestamp };
    const own = compute({ contracts: Object.fromEntries(contracts), ...market }, read);
    return isSame(own, figuresOf(position)) ? [...used] : null;
  } catch {
    // The market is of a form that the formula does not know.
    return null;
  }
}

function isSame(own: FormulaResult, other: FormulaResult): boolean {
  return (
    own.totalCollateral === other.totalCollateral &&
    own.totalDebt === other.totalDebt &&
    own.healthFactor === other.healthFactor &&
    own.legs.length === other.legs.length &&
    own.legs.every((leg, index) => {
      const stated = other.legs[index]!;
      return (Object.keys(leg) as (keyof typeof leg)[]).every((name) => leg[name] === stated[name]);
    })
  );
}
