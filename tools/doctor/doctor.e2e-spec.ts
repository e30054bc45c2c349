import { deployDevnet, registryOverlay } from '@plimsoll/devnet';
import { loadRegistry, mergeOverlay, parseOverlay } from '@plimsoll/evm';
import { type OwnPart, startOwnEvm } from '@plimsoll/testing';
import { probeChain } from './probe-chain';
import { toTable } from './main';

jest.setTimeout(30_000);

let node: OwnPart;
let registry: Awaited<ReturnType<typeof loadRegistry>>;
beforeAll(async () => {
  node = await startOwnEvm({ chainId: 1 });
  const overlay = registryOverlay(await deployDevnet({ rpcUrl: node.url, chainId: 1 }));
  const nowhere = `0x${'13'.repeat(20)}`;
  const more = [
    { id: 'compound-v3', chains: { 1: { comets: { usdc: nowhere } } } },
    { id: 'fluid', chains: { 1: { vaultResolver: nowhere } } },
  ];
  const known = await loadRegistry();
  // Every family of the registry has a reader, so one is renamed to simulate a new protocol.
  const protocols = known.protocols.map((row) => (row.id === 'fluid' ? { ...row, family: 'fluid-v9' } : row));
  registry = mergeOverlay(
    { ...known, protocols },
    parseOverlay({ ...overlay, protocols: [...overlay.protocols, ...more] }),
  );
}, 60_000);
afterAll(() => node?.dispose());

describe('npm run doctor', () => {
  it('names rows that work, rows that fail, and rows without a reader', async () => {
    const report = await probeChain(registry, { chainId: 1, rpcUrl: node.url });
    expect(report.problem).toBeNull();
    const states = report.rows.map(({ protocol, market, state, reason }) => [
      protocol,
      market,
      state,
      reason,
    ]);
    expect(states).toEqual(
      expect.arrayContaining([
        ['aave-v3', 'AaveV3Local', 'ok', undefined],
        ['compound-v3', 'usdc', 'failing', 'call_failed'],
        ['fluid', 'fluid', 'not_read', undefined],
      ]),
    );
    expect(states).toHaveLength(3);
    expect(toTable([report])).toContain('1 rows work, 1 fail, 1 are not read');
  });

  it('reports a node of another chain, and reads nothing', async () => {
    const report = await probeChain(registry, { chainId: 10, rpcUrl: node.url });
    expect(report).toMatchObject({ head: null, rows: [], problem: expect.stringContaining('chain 1') });
  });

  it('reports an unavailable node', async () => {
    const report = await probeChain(registry, { chainId: 1, rpcUrl: 'http://127.0.0.1:1' });
    expect(report).toMatchObject({ head: null, rows: [], problem: expect.stringContaining('RPC_URL_1') });
  });
});
