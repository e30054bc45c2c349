import { Injectable } from '@nestjs/common';
import { type PriceList, priceSymbol } from '@plimsoll/contracts';
import type { RawLeg, RawPosition } from '@plimsoll/protocols';
import { type Caller, InnerClient, ServiceCalls } from '@plimsoll/service-kit';
import { ExecutionConfig } from '../config';
import { Refusal } from './refusal';

const BPS = 10_000;

/**
 * Compares the protocol's own prices with those of GET /v1/prices, so that no execution relies on a price
 * that only one of them has.
 */
@Injectable()
export class PriceCheck {
  private readonly market: InnerClient;

  constructor(
    private readonly config: ExecutionConfig,
    calls: ServiceCalls,
  ) {
    this.market = new InnerClient(calls, 'market-data', config.UPSTREAM_MARKET_DATA, 'The price');
  }

  /**
   * Every price that both know must agree. Prices of `moved`, which is sold or repaid, must be known.
   * @throws Refusal price_mismatch, price_unknown
   */
  async check(caller: Caller, position: RawPosition, moved: readonly RawLeg[]): Promise<void> {
    const legs = position.legs.filter(({ side, usedAsCollateral }) => side === 'debt' || usedAsCollateral);
    const bySymbol = await this.read(
      caller,
      legs.map(({ symbol }) => symbol),
    );
    for (const leg of legs) {
      const known = bySymbol.get(priceSymbol(leg.symbol));
      const own = priceUsd(leg, position);
      if (!known || known.isStale || own === null) {
        if (moved.includes(leg)) throw unknownPrice(leg);
        continue;
      }
      const difference = Math.abs(own - known.usd) / known.usd;
      if (difference * BPS > this.config.PRICE_TOLERANCE_BPS) throw mismatch(leg, own, known.usd);
    }
  }

  /** Returns null when GET /v1/prices has no price, or only a stale one. */
  async freshPriceUsd(caller: Caller, symbol: string): Promise<number | null> {
    const known = (await this.read(caller, [symbol])).get(priceSymbol(symbol));
    return known && !known.isStale ? known.usd : null;
  }

  private async read(
    caller: Caller,
    symbols: readonly string[],
  ): Promise<Map<string, PriceList['prices'][string]>> {
    const query = new URLSearchParams({ symbols: [...new Set(symbols)].join(',') });
    const list = await this.market.get<PriceList>(`/v1/prices?${query}`, caller);
    return new Map(Object.entries(list?.prices ?? {}).map(([symbol, entry]) => [priceSymbol(symbol), entry]));
  }
}

/**
 * Returns the price of one whole token from the protocol's oracle in USD, or null when its base currency has
 * no price.
 */
export function priceUsd(leg: RawLeg, { usdPerBaseRaw }: RawPosition): number | null {
  if (usdPerBaseRaw === null || usdPerBaseRaw === 0n) return null;
  return (Number(leg.priceRaw) / 10 ** leg.priceDecimals) * (Number(usdPerBaseRaw) / 1e18);
}

function unknownPrice({ symbol }: RawLeg): Refusal {
  return new Refusal(
    'price_unknown',
    `There is no fresh price of ${symbol} to compare the protocol’s with. Try again when GET /v1/prices has one.`,
  );
}

function mismatch({ symbol }: RawLeg, own: number, known: number): Refusal {
  return new Refusal(
    'price_mismatch',
    `The protocol has ${own.toPrecision(6)} USD for ${symbol}, GET /v1/prices ${known.toPrecision(6)}. Try again when they agree.`,
  );
}
