import type {
  ChainMarketV1,
  ChainV1,
  ProtocolCategory,
  ProtocolDetail,
  ProtocolItem,
  ProtocolMarket,
  ProtocolStatus,
  TvlBracket,
} from '@plimsoll/contracts';
import type { ProtocolRow } from '@plimsoll/evm';
import { statusOf } from '../chains/chain-view';

const NOT_FOLLOWED = 'No chain of this protocol has a node here, and no outside source states its value.';
const NOT_READ = 'The markets of this protocol could not be read here yet.';
const CLASSIFIED = 'Classified by age, audits and incidents.';

/** A protocol's value locked from an API. */
export interface TvlView {
  protocol: string;
  tvlUsd: number;
}

/**
 * Returns the list form of a protocol.
 * @param stated value from an API; undefined: the sum over the chains that are read
 */
export function protocolItem(
  row: ProtocolRow,
  states: readonly ChainV1[],
  stated: TvlView | undefined,
  nowMs: number,
): ProtocolItem {
  const markets = marketsOf(row, states, nowMs);
  const counted = markets.filter(({ tvlUsd }) => tvlUsd !== null);
  const tvl = stated?.tvlUsd ?? counted.reduce((sum, { tvlUsd }) => sum + (tvlUsd ?? 0), 0);
  const tvlSource = stated ? 'defillama' : counted.length > 0 ? 'chain' : 'none';
  const status = statusOfMarkets(markets);
  const isKnown = tvlSource !== 'none';
  return {
    id: row.id,
    name: row.name,
    chains: Object.keys(row.chains)
      .map(Number)
      .sort((a, b) => a - b),
    tvl,
    tvlSource,
    tvlReason: isKnown ? null : status === 'unconfigured' ? NOT_FOLLOWED : NOT_READ,
    category: row.category as ProtocolCategory,
    ...riskTierOf(row, isKnown || status !== 'unconfigured'),
    tvlBracket: isKnown ? tvlBracket(tvl) : 'unknown',
    status,
  };
}

/** @param isFollowed whether the protocol has data besides its registry row */
function riskTierOf(
  { riskTier }: ProtocolRow,
  isFollowed: boolean,
): Pick<ProtocolItem, 'riskTier' | 'riskTierReason'> {
  return isFollowed
    ? { riskTier, riskTierReason: CLASSIFIED }
    : { riskTier: 'unknown', riskTierReason: NOT_FOLLOWED };
}

/** Returns the detail form of a protocol. */
export function protocolDetail(
  row: ProtocolRow,
  states: readonly ChainV1[],
  stated: TvlView | undefined,
  nowMs: number,
): ProtocolDetail {
  return { ...protocolItem(row, states, stated, nowMs), markets: marketsOf(row, states, nowMs) };
}

function marketsOf(row: ProtocolRow, states: readonly ChainV1[], nowMs: number): ProtocolMarket[] {
  return states.flatMap((state) =>
    state.markets
      .filter(({ protocol }) => protocol === row.id)
      .map(({ market, failure, totals }) => ({
        chainId: state.chainId,
        market,
        status: statusOf(state, nowMs) === 'down' ? 'down' : failure === null ? 'operational' : 'degraded',
        // Borrowed amounts are not locked, as in DefiLlama's measure.
        tvlUsd: totals && totals.suppliedUsd - totals.borrowedUsd,
        suppliedUsd: totals && totals.suppliedUsd,
        borrowedUsd: totals && totals.borrowedUsd,
        ...utilisationsOf(row, totals),
      })),
  );
}

/** A protocol that mints debt does not lend supplied assets, so it has no utilisation. */
function utilisationsOf(
  { category }: ProtocolRow,
  totals: ChainMarketV1['totals'],
): Pick<ProtocolMarket, 'utilisation' | 'debtWeightedUtilisation'> {
  if (totals === null || category === 'cdp') return { utilisation: null, debtWeightedUtilisation: null };
  const { suppliedUsd, borrowedUsd, utilisation: debtWeightedUtilisation } = totals;
  return { utilisation: suppliedUsd > 0 ? borrowedUsd / suppliedUsd : 0, debtWeightedUtilisation };
}

function statusOfMarkets(markets: readonly ProtocolMarket[]): ProtocolStatus {
  if (markets.length === 0) return 'unconfigured';
  if (markets.every(({ status }) => status === 'operational')) return 'operational';
  return markets.every(({ status }) => status === 'down') ? 'down' : 'degraded';
}

/** Returns the TVL bracket of a value in USD. */
function tvlBracket(tvlUsd: number): TvlBracket {
  if (tvlUsd < 10e6) return 'under_10m';
  if (tvlUsd < 100e6) return '10m_100m';
  if (tvlUsd < 1e9) return '100m_1b';
  return tvlUsd <= 10e9 ? '1b_10b' : 'over_10b';
}
