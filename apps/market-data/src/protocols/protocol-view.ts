import type { ProtocolRow } from '@plimsoll/chain';
import type {
  ChainV1,
  ProtocolCategory,
  ProtocolDetail,
  ProtocolItem,
  ProtocolMarket,
  ProtocolStatus,
} from '@plimsoll/contracts';
import { statusOf } from '../chains/chain-view';
import { tvlBracket } from './tvl-bracket';

/** A protocol's value locked as an API gives it. */
export interface ToldTvl {
  protocol: string;
  tvlUsd: number;
}

/** List form of a protocol. @param told what an API says; undefined: the sum over the chains that are read */
export function protocolItem(
  row: ProtocolRow,
  states: readonly ChainV1[],
  told: ToldTvl | undefined,
  nowMs: number,
): ProtocolItem {
  const markets = marketsOf(row, states, nowMs);
  const counted = markets.filter(({ tvlUsd }) => tvlUsd !== null);
  const tvl = told?.tvlUsd ?? counted.reduce((sum, { tvlUsd }) => sum + (tvlUsd ?? 0), 0);
  return {
    id: row.id,
    name: row.name,
    chains: Object.keys(row.chains)
      .map(Number)
      .sort((a, b) => a - b),
    tvl,
    tvlSource: told ? 'defillama' : counted.length > 0 ? 'chain' : 'none',
    category: row.category as ProtocolCategory,
    riskTier: row.riskTier,
    tvlBracket: tvlBracket(tvl),
    status: statusOfMarkets(markets),
  };
}

/** Detail form of a protocol. */
export function protocolDetail(
  row: ProtocolRow,
  states: readonly ChainV1[],
  told: ToldTvl | undefined,
  nowMs: number,
): ProtocolDetail {
  return { ...protocolItem(row, states, told, nowMs), markets: marketsOf(row, states, nowMs) };
}

function marketsOf(row: ProtocolRow, states: readonly ChainV1[], nowMs: number): ProtocolMarket[] {
  return states.flatMap((state) =>
    state.markets
      .filter(({ protocol }) => protocol === row.id)
      .map(({ market, failure, totals }) => ({
        chainId: state.chainId,
        market,
        status: statusOf(state, nowMs) === 'down' ? 'down' : failure === null ? 'operational' : 'degraded',
        // What is lent out is not locked: the same measure as DefiLlama's.
        tvlUsd: totals && totals.suppliedUsd - totals.borrowedUsd,
        suppliedUsd: totals && totals.suppliedUsd,
        borrowedUsd: totals && totals.borrowedUsd,
        utilisation: totals && totals.utilisation,
      })),
  );
}

function statusOfMarkets(markets: readonly ProtocolMarket[]): ProtocolStatus {
  if (markets.length === 0) return 'unconfigured';
  if (markets.every(({ status }) => status === 'operational')) return 'operational';
  return markets.every(({ status }) => status === 'down') ? 'down' : 'degraded';
}
