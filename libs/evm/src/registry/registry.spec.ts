import { positionId } from '@plimsoll/contracts';
import { getAddress } from 'viem';
import { loadRegistry } from './load-registry';
import { allMarkets, labelsOf, LABEL_KINDS } from './registry';
import labelsJson from './label-table.json';
import { mergeOverlay } from './overlay';

describe('rows of the registry', () => {
  it('have a unique name in their protocol and chain', async () => {
    const rows = allMarkets(await loadRegistry());
    const names = rows.map(({ protocol, chainId, market }) =>
      `${protocol}|${chainId}|${market}`.toLowerCase(),
    );
    expect(new Set(names).size).toBe(rows.length);
  });

  it.each([
    ['aave-v3', 1, 'AaveV3Ethereum', 'pos_0By7qI40HP6g7dmn8k1CfK'],
    ['aave-v3', 8453, 'AaveV3Base', 'pos_0HxTMP5ZJhuUMShEN83rjk'],
    ['spark', 1, 'spark', 'pos_5anrOo0hZBhyQbjazTOAbq'],
  ])(
    'a position in %s on chain %d keeps the id that it was published under',
    async (protocol, chainId, market, id) => {
      const names = allMarkets(await loadRegistry(), chainId)
        .filter((row) => row.protocol === protocol)
        .map((row) => row.market);
      expect(names).toContain(market);
      const wallet = '0x00000000000000000000000000000000000000aa';
      expect(positionId({ protocol, chainId, market, subId: '', wallet })).toBe(id);
    },
  );
});

const BINANCE = '0x28c6c06298d514db089934071355e5743bf21d60';
const LOCAL = '0x00000000000000000000000000000000000000a1';

describe('the label table', () => {
  it('has checksummed addresses, known kinds and sources, and each address once for each chain', () => {
    for (const { address, kind, name, source } of labelsJson.labels) {
      expect(getAddress(address)).toBe(address);
      expect(LABEL_KINDS).toContain(kind);
      expect([name.length, source.length].every((length) => length > 0)).toBe(true);
    }
    const places = labelsJson.labels.map(({ chainId, address }) => `${chainId} ${address}`);
    expect(new Set(places).size).toBe(places.length);
  });
});

describe('labelsOf', () => {
  it('labels exchanges of the table and contracts of the registry, on their chain only', async () => {
    const registry = await loadRegistry();
    const labels = labelsOf(registry, 1);
    expect(labels.get(BINANCE)).toEqual({ kind: 'exchange', name: 'Binance' });
    expect(labels.get('0x87870bca3f3fd6335c3f4ce8392d69350b4fa4e2')?.kind).toBe('protocol');
    expect(labelsOf(registry, 8453).get(BINANCE)).toBeUndefined();
  });

  it("uses only the overlay's labels on a local chain", async () => {
    const registry = mergeOverlay(await loadRegistry(), {
      chains: [{ id: 1, multicall3: LOCAL }],
      protocols: [],
      labels: [{ chainId: 1, address: LOCAL, kind: 'deployer', name: 'Deployer of the local market' }],
    });
    expect([...labelsOf(registry, 1)]).toEqual([
      [LOCAL, { kind: 'deployer', name: 'Deployer of the local market' }],
    ]);
  });
});
