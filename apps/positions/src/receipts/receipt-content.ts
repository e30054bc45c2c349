import type { BlockRef, ChainRecording, MarketRow } from '@plimsoll/evm';
import { type RawPosition, figuresOf, isProxiedSubId, namedContracts } from '@plimsoll/protocols';
import { FORMULAS, type Formula, type FormulaResult, wordReader } from '@plimsoll/protocols/math';
import type { ReceiptContent } from '@plimsoll/receipts';
import type { Address, Hex } from 'viem';
import { version } from '../../../../package.json';
import { idOf } from '../figures/position-key';
import { newestFormula } from '../receipt-signing/receipt-market';
import { sha256Hex } from '../receipt-signing/sha-256';

/** The reading of one position, with every call of it. */
export interface RecordedPosition {
  row: MarketRow;
  block: BlockRef;
  position: RawPosition;
  recording: ChainRecording;
}

/** A content with the results of its calls, in order. */
export interface ContentWithResults {
  content: ReceiptContent;
  results: string[];
}

const REVERTED = '!';

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
  { row, block, position, recording }: RecordedPosition,
  calls: readonly StoredCall[],
  formula: ReceiptContent['formula'],
): ContentWithResults {
  const content: ReceiptContent = {
    version: 1,
    kind: 'position',
    build: version,
    chainId: row.chainId,
    block: { number: Number(block.number), hash: block.hash, timestamp: Number(block.timestamp) },
    position: {
      id: idOf(position),
      protocol: row.protocol,
      family: row.family,
      market: row.market,
      subId: position.subId,
      wallet: position.wallet.toLowerCase(),
    },
    contracts: namedContracts(row),
    caller: recording.multicall3.toLowerCase(),
    calls: calls.map(({ to, data, ok, result }) => ({ to, data, ok, resultHash: hashOf(result) })),
    prices: position.legs.map((leg) => ({
      asset: leg.address.toLowerCase(),
      symbol: leg.symbol,
      oracle: leg.oracle.toLowerCase(),
      price: String(leg.priceRaw),
      decimals: leg.priceDecimals,
    })),
    inputs: position.legs.map((leg) => ({
      asset: leg.address.toLowerCase(),
      side: leg.side,
      amount: String(leg.amountRaw),
      liquidationThresholdBps: String(leg.liquidationThresholdBps),
      usedAsCollateral: leg.usedAsCollateral,
    })),
    formula,
    outputs: {
      totalCollateral: String(position.totalCollateralRaw),
      totalDebt: String(position.totalDebtRaw),
      healthFactor: position.healthFactorRaw?.toString() ?? null,
    },
  };
  return { content, results: calls.map(({ result }) => result) };
}

interface StoredCall {
  to: string;
  data: string;
  ok: boolean;
  /** Empty for a revert: nodes return its reason in different forms. */
  result: string;
}

function allCalls(recording: ChainRecording): StoredCall[] {
  return Object.entries(recording.toJson().calls).flatMap(([to, results]) =>
    Object.entries(results).map(([data, text]) => {
      const ok = !text.startsWith(REVERTED);
      return { to, data, ok, result: ok ? text : '0x' };
    }),
  );
}

/** The calls that a formula reads. Null: it does not give these figures. */
function callsOfFormula(
  { row, block, position, recording }: RecordedPosition,
  compute: Formula,
): StoredCall[] | null {
  // A formula finds only the proxies that the protocol itself knows.
  if (isProxiedSubId(position.subId)) return null;
  const used = new Map<string, StoredCall>();
  const read = wordReader((to, data) => {
    const result = recording.resultOf({ to: to as Address, data: data as Hex });
    if (!result) return undefined;
    const { ok } = result;
    used.set(`${to} ${data}`, { to, data, ok, result: ok ? result.data : '0x' });
    return ok ? result.data : null;
  });
  try {
    const contracts = Object.entries(namedContracts(row)).map(
      ([name, address]) => [name, BigInt(address)] as const,
    );
    const { wallet, subId } = position;
    const market = { wallet: BigInt(wallet), subId, timestamp: block.timestamp };
    const own = compute({ contracts: Object.fromEntries(contracts), ...market }, read);
    return textOf(own) === textOf(figuresOf(position)) ? [...used.values()] : null;
  } catch {
    // The market is of a form that the formula does not know.
    return null;
  }
}

/** The same figures are the same text, in whatever order their fields are. */
function textOf({ legs, totalCollateral, totalDebt, healthFactor }: FormulaResult): string {
  const parts = legs.map((leg) =>
    Object.entries(leg)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .join(),
  );
  return [...parts, totalCollateral, totalDebt, healthFactor].join('\n');
}

function hashOf(result: string): string {
  return sha256Hex(Buffer.from(result.slice(2), 'hex'));
}
