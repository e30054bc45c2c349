import { Injectable } from '@nestjs/common';
import {
  type PriceEntry,
  type PriceHistory,
  type PriceList,
  type ProtocolAnswer,
  type ProtocolDetail,
  type RiskHistory,
  type RiskIndex,
} from '@plimsoll/contracts';
import { Clock } from '@plimsoll/service-kit';
import type { Fact } from './fact';
import type { FactOrigin, FactSheet } from './fact-sheet';
import type { Reading } from './reading';
import { type Read, ServiceReader } from './service-reader';

export interface IndexFacts {
  gri: Fact;
  label: Fact;
  trend: Fact;
  volatility: Fact;
  liquidationPressure: Fact;
  protocolStability: Fact;
}
export interface PriceFacts {
  symbol: Fact;
  usd: Fact;
  change24h: Fact;
  raw: PriceEntry;
}
export interface ProtocolFacts {
  id: Fact;
  tvl: Fact;
  riskTier: Fact;
  category: Fact;
  status: Fact;
  markets: { utilisation: Fact; suppliedUsd: Fact; borrowedUsd: Fact }[];
  raw: ProtocolDetail;
}

/**
 * Prices, protocols and the risk index as facts. Null: it could not be read, and the sheet states the reason.
 */
@Injectable()
export class MarketReader {
  constructor(
    private readonly services: ServiceReader,
    private readonly clock: Clock,
  ) {}

  async index(reading: Reading): Promise<IndexFacts | null> {
    const source = 'GET /v1/risk/index';
    const read = await this.services.get<RiskIndex>(reading, 'market-data', '/v1/risk/index');
    if (read.state !== 'read') return null;
    const { gri, label, trend, components, updatedAt } = read.body;
    const at = { time: updatedAt, source };
    const { sheet } = reading;
    const part = (name: keyof typeof components, what: string): Fact =>
      sheet.add(`index.${name}`, what, components[name], 'score', at);
    return {
      gri: sheet.add('index.gri', 'global risk index', gri, 'score', at),
      label: sheet.add('index.label', 'label of the index', label, 'enum', at),
      trend: sheet.add('index.trend', 'trend of the index', trend, 'enum', at),
      volatility: part('volatility', 'volatility component of the index'),
      liquidationPressure: part('liquidationPressure', 'liquidation pressure component of the index'),
      protocolStability: part('protocolStability', 'protocol stability component of the index'),
    };
  }

  /** The history of the index, newest first. Empty when there is none. */
  async indexHistory(reading: Reading, days: number): Promise<{ at: string; gri: Fact }[]> {
    const path = `/v1/risk/index/history?days=${days}`;
    const read = await this.services.get<RiskHistory>(reading, 'market-data', path);
    if (read.state !== 'read') return [];
    const [newest, oldest] = [read.body.history[0], read.body.history.at(-1)];
    return [newest, oldest].flatMap((item, index) =>
      item
        ? [
            {
              at: item.at,
              gri: reading.sheet.add(`index.history.${index}`, 'global risk index then', item.gri, 'score', {
                time: item.at,
                source: 'GET /v1/risk/index/history',
              }),
            },
          ]
        : [],
    );
  }

  /** Prices of symbols, and the symbols without a price. */
  async prices(
    reading: Reading,
    symbols: readonly string[],
  ): Promise<{ prices: PriceFacts[]; missing: string[] } | null> {
    const query = new URLSearchParams({ symbols: symbols.join(',') });
    const read = await this.services.get<PriceList>(reading, 'market-data', `/v1/prices?${query}`);
    if (read.state !== 'read') return null;
    const prices = Object.entries(read.body.prices).map(([symbol, raw]) =>
      priceFacts(reading.sheet, symbol, raw),
    );
    return { prices, missing: read.body.missing };
  }

  /** Daily closes of an asset, oldest first. */
  async history(reading: Reading, symbol: string, days: number): Promise<PriceHistory | null> {
    const query = new URLSearchParams({ symbol, days: String(days) });
    const path = `/v1/prices/history?${query}`;
    const read = await this.services.get<PriceHistory>(reading, 'market-data', path);
    return read.state === 'read' ? read.body : null;
  }

  /** `not_found`: no such protocol. */
  async protocol(reading: Reading, id: string): Promise<ProtocolFacts | 'not_found' | null> {
    const path = `/v1/protocols/${encodeURIComponent(id)}`;
    const read: Read<ProtocolAnswer> = await this.services.get(reading, 'market-data', path);
    if (read.state !== 'read') return read.state === 'not_found' ? 'not_found' : null;
    const { protocol } = read.body;
    const isDown = protocol.status === 'down' || protocol.status === 'degraded';
    const at: FactOrigin = {
      time: new Date(this.clock.now()).toISOString(),
      source: `GET ${path}`,
      isStale: isDown,
    };
    const { sheet } = reading;
    const name = `protocol.${protocol.id}`;
    return {
      raw: protocol,
      id: sheet.add(`${name}.id`, 'protocol', protocol.id, 'id', at),
      tvl: sheet.add(
        `${name}.tvl`,
        'value locked in the protocol',
        protocol.tvlSource === 'none' ? null : protocol.tvl,
        'usd',
        at,
      ),
      riskTier: sheet.add(`${name}.riskTier`, 'risk tier of the protocol', protocol.riskTier, 'enum', at),
      category: sheet.add(`${name}.category`, 'category of the protocol', protocol.category, 'enum', at),
      status: sheet.add(`${name}.status`, 'status of the protocol', protocol.status, 'enum', at),
      markets: protocol.markets.map((market, index) => {
        const add = (
          field: 'utilisation' | 'suppliedUsd' | 'borrowedUsd',
          what: string,
          unit: Fact['unit'],
        ) => sheet.add(`${name}.market.${index}.${field}`, what, market[field], unit, at);
        return {
          utilisation: add('utilisation', 'utilisation of a market', 'fraction'),
          suppliedUsd: add('suppliedUsd', 'supplied to a market', 'usd'),
          borrowedUsd: add('borrowedUsd', 'borrowed from a market', 'usd'),
        };
      }),
    };
  }
}

function priceFacts(sheet: FactSheet, symbol: string, raw: PriceEntry): PriceFacts {
  const name = `price.${symbol.replace(/[^A-Za-z0-9_.-]/g, '_')}`;
  const at = { time: raw.observedAt, source: 'GET /v1/prices', isStale: raw.isStale };
  return {
    raw,
    symbol: sheet.add(`${name}.symbol`, 'symbol of an asset', symbol, 'text', at),
    usd: sheet.add(`${name}.usd`, 'price of an asset', raw.usd, 'usd', at),
    change24h: sheet.add(
      `${name}.change24h`,
      'change of a price over 24 hours',
      raw.change24h,
      'percent',
      at,
    ),
  };
}
