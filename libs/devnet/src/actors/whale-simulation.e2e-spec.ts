import { type OwnPart, startOwnEvm } from '@plimsoll/testing';
import { type Address, type Hex, createPublicClient, http, parseAbi } from 'viem';
import type { DevnetAddresses } from '../addresses';
import { deployDevnet } from '../deploy-devnet';
import { connectAnvil } from '../evm/rpc';
import { ACTORS, TREASURIES } from './actors';
import { type CompletedAct, WhaleSimulation } from './whale-simulation';

jest.setTimeout(120_000);

const abi = parseAbi([
  'function getUserAccountData(address user) view returns (uint256 totalCollateralBase, uint256 totalDebtBase, uint256 availableBorrowsBase, uint256 currentLiquidationThreshold, uint256 ltv, uint256 healthFactor)',
  'function balanceOf(address account) view returns (uint256)',
]);
const STEPS = 60;

let node: OwnPart;
let addresses: DevnetAddresses;
let whales: WhaleSimulation;
const done: CompletedAct[] = [];

beforeAll(async () => {
  node = await startOwnEvm({ chainId: 1 });
  addresses = await deployDevnet({ rpcUrl: node.url, chainId: 1 });
  whales = new WhaleSimulation({ rpcUrl: node.url, addresses, seed: 1 });
  for (let count = 0; count < STEPS; count += 1) {
    const act = await whales.step();
    if (act) done.push(act);
  }
});
afterAll(async () => {
  await whales?.stop();
  await node?.dispose();
});

const viem = () => createPublicClient({ transport: http(node.url), cacheTime: 0 });

describe('WhaleSimulation', () => {
  it('sends transactions of its wallets, of every common kind, and keeps all positions safe', async () => {
    expect(done.length).toBeGreaterThan(STEPS / 2);
    expect(new Set(done.map(({ kind }) => kind)).size).toBeGreaterThanOrEqual(3);
    expect(new Set(done.map(({ name }) => name)).size).toBeGreaterThanOrEqual(6);
    for (const { wallet, transactionHash } of done.slice(0, 10)) {
      const { from } = await viem().getTransaction({ hash: transactionHash as Hex });
      expect(from.toLowerCase()).toBe(wallet.toLowerCase());
    }
    for (const { address } of ACTORS) {
      const [, debt, , , , healthFactor] = await viem().readContract({
        address: addresses.pool,
        abi,
        functionName: 'getUserAccountData',
        args: [address],
      });
      if (debt > 0n) expect(healthFactor).toBeGreaterThan(15n * 10n ** 17n);
    }
  });

  it('makes the wallets of a family act in the same way shortly after each other, in separate blocks', () => {
    const families = new Map(ACTORS.map(({ name, family }) => [name, family]));
    const followed = done.slice(1).filter((act, at) => {
      const before = done[at]!;
      const family = families.get(act.name);
      const isSame = act.kind === before.kind && act.symbol === before.symbol;
      return isSame && act.name !== before.name && family !== null && family === families.get(before.name);
    });
    expect(followed.length).toBeGreaterThan(0);
    expect(new Set(done.map(({ blockNumber }) => blockNumber)).size).toBe(done.length);
  });

  it('funds families from their own treasury, tokens and gas, and mints nothing on a second start', async () => {
    const [treasury] = TREASURIES.values();
    const before = await viem().getTransactionCount({ address: addresses.operator });
    expect(await viem().getTransactionCount({ address: treasury!.address })).toBeGreaterThanOrEqual(9);
    const again = new WhaleSimulation({ rpcUrl: node.url, addresses, seed: 2 });
    await again.list();
    expect(await viem().getTransactionCount({ address: addresses.operator })).toBe(before);
  });

  it('performs the given act exactly, or states why it cannot', async () => {
    const orca = ACTORS[0]!;
    const { aToken } = addresses.assets['WETH']!;
    const supplied = (): Promise<bigint> =>
      viem().readContract({
        address: aToken,
        abi,
        functionName: 'balanceOf',
        args: [orca.address as Address],
      });
    const before = await supplied();
    const rpc = connectAnvil(node.url);
    const act = await whales.act('orca-1', 'supply', '12.5', 'ETH');
    expect(act).toMatchObject({ name: 'orca-1', kind: 'supply', symbol: 'WETH', amount: '12.5' });
    // The interest of the seconds in between is added.
    expect(Number((await supplied()) - before) / 1e18).toBeCloseTo(12.5, 2);
    expect(Number(await rpc.request<Hex>('eth_blockNumber', []))).toBe(act.blockNumber);
    await expect(whales.act('moby', 'supply', '1', 'WETH')).rejects.toThrow('unknown whale moby');
    await expect(whales.act('narwhal', 'transfer', '1', 'WETH')).rejects.toThrow('no family');
    await expect(whales.act('orca-1', 'supply', '1', 'DOGE')).rejects.toThrow('unknown asset');
    await expect(whales.act('orca-1', 'withdraw', '9999999', 'WETH')).rejects.toThrow(/revert/i);
  });
});
