import { loadRegistry } from './load-registry';
import { mergeOverlay, parseOverlay } from './overlay';
import { marketsOf } from './registry';

const address = (digit: string): `0x${string}` => `0x${digit.repeat(40)}`;
const overlay = (chainId: number) =>
  parseOverlay({
    chains: [{ id: chainId, multicall3: address('c') }],
    protocols: [
      {
        id: 'aave-v3',
        chains: { [chainId]: { markets: { AaveV3Local: { addressesProvider: address('a') } } } },
      },
    ],
  });

describe('loadRegistry', () => {
  it('has 23 protocols on 13 chains, each with an address of Multicall3', async () => {
    const { chains, protocols } = await loadRegistry();
    expect(protocols).toHaveLength(23);
    expect(chains).toHaveLength(13);
    expect(chains.every(({ multicall3 }) => /^0x[0-9a-f]{40}$/i.test(multicall3))).toBe(true);
    const ids = new Set(chains.map(({ id }) => String(id)));
    expect(
      protocols.flatMap((protocol) => Object.keys(protocol.chains)).filter((id) => !ids.has(id)),
    ).toEqual([]);
  });

  it('rejects a missing overlay file', async () => {
    await expect(loadRegistry('no-such-file.json')).rejects.toThrow('no-such-file');
  });
});

describe('marketsOf', () => {
  it('lists every instance of a protocol, and a protocol without instances under its own id', async () => {
    const markets = marketsOf(await loadRegistry(), 'aave-v3', 1).map(({ market }) => market);
    expect(markets).toContain('AaveV3Ethereum');
    expect(markets).toContain('spark');
  });
});

describe('mergeOverlay', () => {
  it('uses only the overlay’s markets on a chain that it names', async () => {
    const merged = mergeOverlay(await loadRegistry(), overlay(1));
    expect(merged.protocols.filter((protocol) => '1' in protocol.chains).map(({ id }) => id)).toEqual([
      'aave-v3',
    ]);
    expect(marketsOf(merged, 'aave-v3', 1)).toMatchObject([{ market: 'AaveV3Local', chainId: 1 }]);
    expect(marketsOf(merged, 'aave-v3', 10)).toMatchObject([{ market: 'AaveV3Optimism' }]);
  });

  it('drops the registries of proxies of a real chain, which a local one does not have', async () => {
    const registry = await loadRegistry();
    expect(registry.chains[0]?.accounts).toBeDefined();
    expect(mergeOverlay(registry, overlay(1)).chains[0]?.accounts).toBeUndefined();
    const own = {
      ...overlay(1),
      chains: [{ ...overlay(1).chains[0]!, accounts: { summerGuard: address('d') } }],
    };
    expect(mergeOverlay(registry, parseOverlay(own)).chains[0]?.accounts).toEqual({
      summerGuard: address('d'),
    });
  });

  it('keeps the fields of a known chain that the overlay lacks, and adds an unknown chain', async () => {
    const registry = await loadRegistry();
    expect(mergeOverlay(registry, overlay(1)).chains[0]).toMatchObject({
      name: 'Ethereum',
      multicall3: address('c'),
    });
    const { chains } = mergeOverlay(registry, overlay(31_337));
    expect(chains.find(({ id }) => id === 31_337)).toMatchObject({ name: 'Chain 31337', avgBlockTime: null });
  });

  it('throws on a protocol that is not in the registry', async () => {
    const unknown = { chains: [], protocols: [{ id: 'nowhere', chains: {} }] };
    const registry = await loadRegistry();
    expect(() => mergeOverlay(registry, unknown)).toThrow('nowhere');
  });
});

describe('parseOverlay', () => {
  it('names the field that is wrong', () => {
    expect(() => parseOverlay({ chains: [{ id: 1, multicall3: 'x' }], protocols: [] })).toThrow(
      '/chains/0/multicall3',
    );
  });
});
