import { DEVNET_MARKET, SEED_PLANS, deployDevnet, registryOverlay, seedPositions } from '@plimsoll/devnet';
import { loadRegistry, mergeOverlay, parseOverlay } from '@plimsoll/evm';
import { type OwnPart, startOwnEvm } from '@plimsoll/testing';
import { probeChain } from './probe-chain';
import { toTable } from './main';
import { verifiedLines, verifyChain } from './verify-chain';

jest.setTimeout(30_000);

let node: OwnPart;
let devnet: Awaited<ReturnType<typeof deployDevnet>>;
let registry: Awaited<ReturnType<typeof loadRegistry>>;
beforeAll(async () => {
  node = await startOwnEvm({ chainId: 1 });
  devnet = await deployDevnet({ rpcUrl: node.url, chainId: 1 });
  const overlay = registryOverlay(devnet);
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

  it('compares positions with the verdicts of their contracts, and names families without', async () => {
    const [wallet] = await seedPositions(node.url, devnet, [SEED_PLANS[0]!]);
    const rows = await verifyChain(registry, { chainId: 1, rpcUrl: node.url }, [wallet!.address]);
    const aave = rows.find(({ market }) => market === DEVNET_MARKET);
    expect(aave).toMatchObject({ counts: { positions: 1, exact: 1, different: 0 }, isFailing: false });
    expect(verifiedLines(rows).join('\n')).toMatch(
      /1 positions, 1 exact, 0 different.*\n.*FAILS +compound-v3 usdc/,
    );
    expect(rows.find(({ protocol }) => protocol === 'fluid')).toMatchObject({
      reason: 'its family has no verdicts',
      isFailing: false,
    });
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
