import type { ChainV1 } from '@plimsoll/contracts';
import type { ProtocolRow } from '@plimsoll/evm';
import { protocolDetail, protocolItem } from './protocol-view';

const NOW_MS = Date.parse('2026-11-21T12:00:00.000Z');
const row = (more: Partial<ProtocolRow> = {}): ProtocolRow => ({
  id: 'aave-v2',
  name: 'Aave V2',
  family: 'aave-v2',
  category: 'lending',
  riskTier: 'low',
  chains: { '1': {} },
  ...more,
});
const state = (totals: ChainV1['markets'][number]['totals'], failure: string | null = null): ChainV1 => ({
  chainId: 1,
  status: 'operational',
  head: null,
  lagBlocks: 0,
  avgBlockTime: 12,
  markets: [{ protocol: 'aave-v2', market: 'Market', failure, totals }],
  updatedAt: '2026-11-21T11:59:59.000Z',
  heartbeatMs: 60_000,
});
const lent = { suppliedUsd: 90e6, borrowedUsd: 60e6, utilisation: 0.9, block: 7 };

describe('a protocol without configured markets', () => {
  const item = protocolItem(row(), [], undefined, NOW_MS);

  it('has no size and no risk tier, and states the reason', () => {
    expect(item).toMatchObject({
      tvl: 0,
      tvlSource: 'none',
      tvlBracket: 'unknown',
      riskTier: 'unknown',
      status: 'unconfigured',
    });
    expect(item.tvlReason).toContain('No chain of this protocol has a node here');
    expect(item.riskTierReason).toContain('No chain of this protocol has a node here');
  });

  it('has both if DefiLlama states its value', () => {
    expect(protocolItem(row(), [], { protocol: 'aave-v2', tvlUsd: 2e9 }, NOW_MS)).toMatchObject({
      tvl: 2e9,
      tvlSource: 'defillama',
      tvlReason: null,
      tvlBracket: '1b_10b',
      riskTier: 'low',
      status: 'unconfigured',
    });
  });
});

describe('a protocol with configured markets', () => {
  it('has a risk tier before its markets are read, and no size', () => {
    const item = protocolItem(row(), [state(null, 'rpc_unavailable')], undefined, NOW_MS);
    expect(item).toMatchObject({ tvl: 0, tvlSource: 'none', tvlBracket: 'unknown', riskTier: 'low' });
    expect(item.tvlReason).toContain('could not be read');
  });

  it('has the size of its markets; an empty market is small, not unknown', () => {
    expect(protocolItem(row(), [state(lent)], undefined, NOW_MS)).toMatchObject({
      tvl: 30e6,
      tvlSource: 'chain',
      tvlReason: null,
      tvlBracket: '10m_100m',
    });
    const empty = { suppliedUsd: 0, borrowedUsd: 0, utilisation: 0, block: 7 };
    expect(protocolItem(row(), [state(empty)], undefined, NOW_MS)).toMatchObject({
      tvl: 0,
      tvlSource: 'chain',
      tvlBracket: 'under_10m',
    });
  });

  it('has the utilisation of the total supply and debt, beside the one weighted by assets', () => {
    const [market] = protocolDetail(row(), [state(lent)], undefined, NOW_MS).markets;
    expect(market).toMatchObject({ suppliedUsd: 90e6, borrowedUsd: 60e6, utilisation: 60 / 90 });
    expect(market?.debtWeightedUtilisation).toBe(0.9);
  });

  it('has no utilisation if debt is minted or nothing was read', () => {
    const minted = { suppliedUsd: 90e6, borrowedUsd: 60e6, utilisation: 0, block: 7 };
    const cdp = protocolDetail(row({ category: 'cdp' }), [state(minted)], undefined, NOW_MS).markets;
    expect(cdp).toMatchObject([{ utilisation: null, debtWeightedUtilisation: null }]);
    const empty = { suppliedUsd: 0, borrowedUsd: 0, utilisation: 0, block: 7 };
    const none = protocolDetail(row(), [state(empty)], undefined, NOW_MS).markets;
    expect(none).toMatchObject([{ utilisation: 0, debtWeightedUtilisation: 0 }]);
    const unread = protocolDetail(row(), [state(null)], undefined, NOW_MS).markets;
    expect(unread).toMatchObject([{ utilisation: null, debtWeightedUtilisation: null }]);
  });
});
