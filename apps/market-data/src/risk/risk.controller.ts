import { Controller, Get, Query } from '@nestjs/common';
import {
  type MarketHealth,
  Problem,
  type RiskHistory,
  RiskHistoryQuery,
  type RiskIndex,
} from '@plimsoll/contracts';
import { Clock } from '@plimsoll/service-kit';
import { type IndexRecord, historyItem, marketHealth, riskIndex } from './risk-responses';
import { RiskRepository } from './risk.repository';

const DAY_MS = 86_400_000;

@Controller('v1/risk')
export class RiskController {
  constructor(
    private readonly repository: RiskRepository,
    private readonly clock: Clock,
  ) {}

  @Get('index')
  async index(): Promise<RiskIndex> {
    return riskIndex(await this.current());
  }

  @Get('market-health')
  async health(): Promise<MarketHealth> {
    return marketHealth(await this.current());
  }

  @Get('index/history')
  async history(@Query() { days }: RiskHistoryQuery): Promise<RiskHistory> {
    const records = await this.repository.since(this.clock.now() - days * DAY_MS);
    return { history: records.map(historyItem), count: records.length, days };
  }

  private async current(): Promise<IndexRecord> {
    const record = await this.repository.current();
    if (record) return record;
    throw new Problem(
      'upstream_unavailable',
      'The index is not known yet: it needs daily prices of BTC or ETH. Try again in a minute.',
      { headers: { 'retry-after': '60' } },
    );
  }
}
