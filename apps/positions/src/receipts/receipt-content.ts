import type { BlockRef, ChainRecording, MarketRow } from '@plimsoll/evm';
import type { RawPosition } from '@plimsoll/protocols';
import { FORMULAS, wordReader } from '@plimsoll/protocols/math';
import type { ReceiptContent } from '@plimsoll/receipts';
import { version } from '../../../../package.json';
import { idOf } from '../figures/position-key';
import { contractsOf, newestFormula } from '../receipt-signing/receipt-market';
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
  const { row, block, position, recording } = reading;
  const all = callsOf(recording);
  const used = callsOfFormula(reading, all);
  const calls = used ?? [...all.values()];
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
    contracts: contractsOf(row),
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
    formula: used && newestFormula(row.family),
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

function callsOf(recording: ChainRecording): Map<string, StoredCall> {
  const calls = new Map<string, StoredCall>();
  for (const [to, results] of Object.entries(recording.toJson().calls))
    for (const [data, text] of Object.entries(results)) {
      const ok = !text.startsWith(REVERTED);
      calls.set(`${to} ${data}`, { to, data, ok, result: ok ? text : '0x' });
    }
  return calls;
}

/** The calls that the formula of the family reads. Null: none is published, or it does not give these figures. */
function callsOfFormula(
  { row, block, position }: RecordedPosition,
  all: ReadonlyMap<string, StoredCall>,
): StoredCall[] | null {
  const compute = FORMULAS[row.family]?.[newestFormula(row.family)?.version ?? 0];
  if (!compute || position.proxy) return null;
  const used = new Set<StoredCall>();
  const read = wordReader((to, data) => {
    const call = all.get(`${to} ${data}`);
    if (call) used.add(call);
    return call && (call.ok ? call.result : null);
  });
  try {
    const contracts = Object.entries(contractsOf(row)).map(
      ([name, address]) => [name, BigInt(address)] as const,
    );
    const { wallet, subId } = position;
    const market = { wallet: BigInt(wallet), subId, timestamp: block.timestamp };
    const own = compute({ contracts: Object.fromEntries(contracts), ...market }, read);
    return textOf(own) === textOf(figuresOf(position)) ? [...used] : null;
  } catch {
    // The market is of a form that the formula does not know.
    return null;
  }
}

function figuresOf(position: RawPosition): ReturnType<(typeof FORMULAS)[string][number]> {
  return {
    legs: position.legs.map((leg) => ({
      asset: BigInt(leg.address),
      side: leg.side,
      amount: leg.amountRaw,
      price: leg.priceRaw,
      priceDecimals: leg.priceDecimals,
      oracle: BigInt(leg.oracle),
      liquidationThresholdBps: leg.liquidationThresholdBps,
      usedAsCollateral: leg.usedAsCollateral,
    })),
    totalCollateral: position.totalCollateralRaw,
    totalDebt: position.totalDebtRaw,
    healthFactor: position.healthFactorRaw,
  };
}

/** The same figures are the same text, in whatever order their fields are. */
function textOf({ legs, totalCollateral, totalDebt, healthFactor }: ReturnType<typeof figuresOf>): string {
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
