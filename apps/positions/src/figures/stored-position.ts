import type { PositionV1 } from '@plimsoll/contracts';
import type { MarketRow } from '@plimsoll/evm';
import type { RawPosition } from '@plimsoll/protocols';
import type { Address, Hex } from 'viem';
import type { PositionStore } from '../tracking/position-store';
import { wadOf } from '../tracking/published-position';
import { annualRateOf } from '../amounts/leg-rate';
import { WAD_DECIMALS, toDouble } from '../amounts/units';

/** The most that a double holds beside the largest prices. */
const RATE_DECIMALS = 9;

/** The stored states of some wallets, for one request: each chain's are loaded once, when they are needed. */
export class StoredStates {
  private readonly byChain = new Map<number, Promise<PositionV1[]>>();

  constructor(
    private readonly store: PositionStore,
    private readonly wallets: readonly Address[],
  ) {}

  /** Closed positions included. */
  async in({ chainId, protocol, market }: MarketRow): Promise<PositionV1[]> {
    const loading = this.byChain.get(chainId) ?? this.load(chainId);
    this.byChain.set(chainId, loading);
    const events = await loading;
    return events.filter((event) => event.protocol === protocol && event.market === market);
  }

  private async load(chainId: number): Promise<PositionV1[]> {
    const states = await this.store.load(chainId, this.wallets);
    return states.map(({ event }) => event);
  }
}

/** The position of a stored event, in the form in which positions are read. */
export function storedPosition(event: PositionV1): RawPosition {
  return {
    protocol: event.protocol,
    chainId: event.chainId,
    market: event.market,
    subId: event.subId,
    wallet: event.wallet as Address,
    ...(event.proxy && { proxy: { kind: event.proxy.kind, address: event.proxy.address as Address } }),
    legs: event.legs.map((leg) => ({
      symbol: leg.asset,
      address: leg.address as Address,
      side: leg.side,
      amountRaw: BigInt(leg.amountRaw),
      scaledRaw: BigInt(leg.scaledRaw),
      decimals: leg.decimals,
      priceRaw: BigInt(leg.priceRaw),
      priceDecimals: leg.priceDecimals,
      oracle: leg.oracle as Address,
      ...(leg.marketPriceRaw !== undefined && { marketUsdRaw: BigInt(leg.marketPriceRaw) }),
      liquidationThresholdBps: BigInt(leg.liquidationThresholdBps),
      usedAsCollateral: leg.usedAsCollateral,
      ...annualRateOf(leg),
    })),
    totalCollateralRaw: BigInt(event.totalCollateralRaw),
    totalDebtRaw: BigInt(event.totalDebtRaw),
    priceDecimals: event.baseDecimals,
    usdPerBaseRaw: usdPerBaseOf(event),
    flags: event.flags ?? [],
    healthFactorRaw: wadOf(event.healthFactorRaw),
    blockNumber: BigInt(event.block),
    blockHash: event.blockHash as Hex,
    blockTimestamp: BigInt(Date.parse(event.blockTime) / 1_000),
    verification: event.verification ?? null,
  };
}

/** Events of versions without the rate have their totals in both currencies, and so the rate between them. */
function usdPerBaseOf(event: PositionV1): bigint {
  if (event.usdPerBaseRaw !== undefined) return BigInt(event.usdPerBaseRaw);
  const totals = [
    [event.totalCollateralUsd, toDouble(BigInt(event.totalCollateralRaw), event.baseDecimals)],
    [event.totalDebtUsd, toDouble(BigInt(event.totalDebtRaw), event.baseDecimals)],
    ...event.legs.map((leg) => [
      leg.usdValue,
      toDouble(BigInt(leg.amountRaw) * BigInt(leg.priceRaw), leg.decimals + leg.priceDecimals),
    ]),
  ];
  const [usd = 1, base = 1] = totals.find(([, inBase = 0]) => inBase > 0) ?? [];
  return BigInt(Math.round((usd / base) * 10 ** RATE_DECIMALS)) * 10n ** BigInt(WAD_DECIMALS - RATE_DECIMALS);
}
