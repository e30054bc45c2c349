import { Controller, Get, Query } from '@nestjs/common';
import { MarketHealth, Problem, RiskHistory, RiskHistoryQuery, RiskIndex } from '@plimsoll/contracts';
import { Documented } from '@plimsoll/openapi';
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
  @Documented({
    operationId: 'getRiskIndex',
    tag: 'Risk',
    summary: 'One figure for the risk of the market',
    description:
      'From 0 to 100: volatility of BTC and ETH, the share of the tracked debt that a fall of 20 % makes liquidatable, and strain on protocols.',
    responses: [{ status: 200, description: 'The index.', schema: RiskIndex }],
  })
  async index(): Promise<RiskIndex> {
    return riskIndex(await this.current());
  }

  @Get('market-health')
  @Documented({
    operationId: 'getMarketHealth',
    tag: 'Risk',
    summary: 'Health of the market in words',
    description:
      'The risk index as words, from the same measurement as the index, so that both always agree.',
    responses: [{ status: 200, description: 'The health.', schema: MarketHealth }],
  })
  async health(): Promise<MarketHealth> {
    return marketHealth(await this.current());
  }

  @Get('index/history')
  @Documented({
    operationId: 'listRiskIndexHistory',
    tag: 'Risk',
    summary: 'The risk index by hour',
    description: 'The index at the end of each hour, newest first. Hours without a measurement are absent.',
    responses: [{ status: 200, description: 'The hours.', schema: RiskHistory }],
  })
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
