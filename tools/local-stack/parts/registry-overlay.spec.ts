import { mergeOverlays } from './registry-overlay';

const overlay = (id: number): Parameters<typeof mergeOverlays>[0][number] => {
  const address = `0x${String(id).padStart(40, '0')}` as const;
  const market = {
    pool: address,
    addressesProvider: address,
    oracle: address,
    protocolDataProvider: address,
  };
  return {
    chains: [{ id, multicall3: address }],
    execution: [{ chainId: id }],
    labels: [{ chainId: id, address, kind: 'deployer', name: 'Deployer' }],
    priceFeeds: [{ chainId: id, source: 'local-market', sequencer: null, feeds: [] }],
    protocols: [{ id: 'aave-v3', chains: { [String(id)]: { markets: { AaveV3Local: market } } } }],
  };
};

describe('mergeOverlays', () => {
  it('gives a protocol on two chains both', () => {
    const merged = mergeOverlays([overlay(1), overlay(8453)]);
    expect(merged.chains.map(({ id }) => id)).toEqual([1, 8453]);
    expect(merged.priceFeeds.map(({ chainId }) => chainId)).toEqual([1, 8453]);
    expect(merged.labels.map(({ chainId }) => chainId)).toEqual([1, 8453]);
    expect(merged.protocols).toHaveLength(1);
    expect(Object.keys(merged.protocols[0]?.chains ?? {})).toEqual(['1', '8453']);
  });

  it('is empty when no market is local', () => {
    expect(mergeOverlays([])).toEqual({
      chains: [],
      priceFeeds: [],
      execution: [],
      labels: [],
      protocols: [],
    });
  });
});
