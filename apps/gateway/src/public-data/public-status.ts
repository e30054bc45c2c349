import { Injectable } from '@nestjs/common';
import type {
  ChainConditions,
  PublicStatus,
  StatusHistory,
  StatusMarket,
  StatusPart,
} from '@plimsoll/contracts';
import { UpstreamReadiness } from '../edge/status';
import { ChainConditionsReader } from './chain-conditions';
import { type DayRow, statusHistory } from './status-history';
import { PLATFORM, chainPart, conditionsByPart } from './status-parts';
import { type MarketRow, StatusRecords } from './status-records';
import { version } from '../../../../package.json';

/** The status that everyone may read: the present conditions, and the record of the last 90 days. */
@Injectable()
export class PublicStatusReport {
  constructor(
    private readonly readiness: UpstreamReadiness,
    private readonly chains: ChainConditionsReader,
    private readonly records: StatusRecords,
  ) {}

  async read(): Promise<PublicStatus> {
    const nowMs = Date.now();
    const [services, chains, days, markets] = await Promise.all([
      this.readiness.conditions(),
      this.chains.read(),
      this.records.days(nowMs),
      this.records.markets(),
    ]);
    const parts = conditionsByPart(services);
    const historyOf = historiesOf(days, nowMs);
    const firsts = days.map(({ firstMinute }) => firstMinute.getTime());
    return {
      condition: parts[PLATFORM],
      version,
      timestamp: new Date(nowMs).toISOString(),
      recordedSince: firsts.length > 0 ? new Date(Math.min(...firsts)).toISOString() : null,
      parts: Object.entries(parts).map(([id, condition]): StatusPart => ({
        id,
        condition,
        history: historyOf(id),
      })),
      chains: (chains?.chains ?? []).map((chain) => ({ ...chain, history: historyOf(chainPart(chain.id)) })),
      markets: marketsOf(chains, markets),
      chainsReadAt: chains && new Date(nowMs).toISOString(),
    };
  }
}

function historiesOf(days: readonly DayRow[], nowMs: number): (part: string) => StatusHistory {
  const byPart = new Map<string, DayRow[]>();
  for (const day of days) {
    const known = byPart.get(day.part);
    if (known) known.push(day);
    else byPart.set(day.part, [day]);
  }
  return (part) => statusHistory(byPart.get(part) ?? [], nowMs);
}

function marketsOf(chains: ChainConditions | null, rows: readonly MarketRow[]): StatusMarket[] {
  const keyOf = ({ chainId, protocol, market }: Pick<MarketRow, 'chainId' | 'protocol' | 'market'>): string =>
    `${chainId} ${protocol} ${market}`;
  const known = new Map(rows.map((row) => [keyOf(row), row]));
  return (chains?.markets ?? []).map((market) => {
    const {
      lastReadBlock = null,
      lastReadAt = null,
      unreadableSince = null,
    } = known.get(keyOf(market)) ?? {};
    const stored =
      lastReadBlock !== null && lastReadAt ? { number: lastReadBlock, time: lastReadAt.toISOString() } : null;
    return {
      ...market,
      // A restart of positions forgets when a market was read before.
      lastRead: market.lastRead ?? stored,
      unreadableSince: market.failure === null ? null : (unreadableSince?.toISOString() ?? null),
    };
  });
}
