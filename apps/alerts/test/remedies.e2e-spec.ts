import {
  ASSETS,
  type AnvilRpc,
  type DevnetAddresses,
  STABLE_E_MODE,
  SEED_PLANS,
  type SeededWallet,
  connectAnvil,
  deployDevnet,
  devnetAsset,
  seedPositions,
} from '@plimsoll/devnet';
import type { AlertRemedy } from '@plimsoll/contracts';
import { type OwnPart, startOwnEvm } from '@plimsoll/testing';
import {
  type Hex,
  createPublicClient,
  encodeFunctionData,
  http,
  numberToHex,
  parseAbi,
  type PublicClient,
} from 'viem';
import { remediesOf } from '../src/content/remedies';
import type { ContractFigures, StoredLeg } from '../src/positions/holdings';

const abi = parseAbi([
  'function getUserAccountData(address user) view returns (uint256, uint256, uint256, uint256, uint256, uint256)',
  'function getAssetPrice(address asset) view returns (uint256)',
  'function balanceOf(address account) view returns (uint256)',
  'function repay(address asset, uint256 amount, uint256 interestRateMode, address onBehalfOf) returns (uint256)',
  'function supply(address asset, uint256 amount, address onBehalfOf, uint16 referralCode)',
]);
const CHAIN_ID = 31_337;
const TARGET = 1.5;
const TARGET_WAD = 15n * 10n ** 17n;
const VARIABLE = 2n;

/**
 * Several collaterals and debts in different decimals, and an e-mode, because the contract truncates
 * differently.
 */
const PLANS = SEED_PLANS.filter(
  ({ healthFactor, borrows, supplies }) =>
    healthFactor !== null &&
    healthFactor < 1.45 &&
    borrows.every(({ rate }) => rate === 'variable') &&
    supplies.every(({ asCollateral }) => asCollateral),
);
const CHOSEN = [
  ...PLANS.filter(({ supplies, borrows }) => supplies.length > 1 && borrows.length > 1).slice(0, 3),
  ...PLANS.filter(({ supplies, borrows }) => supplies.length === 1 && borrows.length === 2).slice(0, 2),
  ...PLANS.filter(({ supplies, borrows }) => supplies.length === 1 && borrows.length === 1).slice(0, 4),
  ...PLANS.filter(({ eMode }) => eMode).slice(0, 2),
];

let node: OwnPart;
let rpc: AnvilRpc;
let addresses: DevnetAddresses;
let wallets: SeededWallet[];
let viem: PublicClient;

beforeAll(async () => {
  node = await startOwnEvm({ chainId: CHAIN_ID, codeSizeLimitBytes: 60_000 });
  rpc = connectAnvil(node.url);
  addresses = await deployDevnet({ rpcUrl: node.url, chainId: CHAIN_ID });
  wallets = await seedPositions(node.url, addresses, CHOSEN);
  viem = createPublicClient({ transport: http(node.url), cacheTime: 0 });
}, 90_000);
afterAll(() => node?.dispose());

const read = <T>(address: Hex, functionName: 'balanceOf' | 'getAssetPrice', arg: Hex): Promise<T> =>
  viem.readContract({ address, abi, functionName, args: [arg] }) as Promise<T>;

async function healthOf(wallet: Hex): Promise<bigint> {
  const args = [wallet] as const;
  const data = await viem.readContract({
    address: addresses.pool,
    abi,
    functionName: 'getUserAccountData',
    args,
  });
  return data[5];
}

async function legOf(wallet: SeededWallet, symbol: string, side: StoredLeg['side']): Promise<StoredLeg> {
  const { address, decimals, aToken, variableDebtToken } = devnetAsset(addresses, symbol);
  const amountRaw = await read<bigint>(
    side === 'debt' ? variableDebtToken : aToken,
    'balanceOf',
    wallet.address,
  );
  const priceRaw = await read<bigint>(addresses.oracle, 'getAssetPrice', address);
  const own = ASSETS.find((listing) => listing.symbol === symbol)!;
  const thresholdBps = Number(
    wallet.plan.eMode ? STABLE_E_MODE.liquidationThresholdBps : own.liquidationThresholdBps,
  );
  return {
    asset: symbol,
    address,
    side,
    amountRaw: amountRaw.toString(),
    scaledRaw: amountRaw.toString(),
    decimals,
    priceRaw: priceRaw.toString(),
    priceDecimals: 8,
    thresholdBps: side === 'debt' ? 0 : thresholdBps,
    amount: Number(amountRaw) / 10 ** decimals,
    priceUsd: Number(priceRaw) / 1e8,
  };
}

async function figuresOf(wallet: SeededWallet): Promise<ContractFigures> {
  const { supplies, borrows } = wallet.plan;
  const legs = await Promise.all([
    ...supplies.map(({ symbol }) => legOf(wallet, symbol, 'collateral')),
    ...borrows.map(({ symbol }) => legOf(wallet, symbol, 'debt')),
  ]);
  const healthFactorRaw = (await healthOf(wallet.address)).toString();
  return { healthFactorRaw, baseDecimals: 8, isUsdKnown: true, legs };
}

async function execute(wallet: Hex, { action, address, amountRaw }: AlertRemedy): Promise<void> {
  const amount = BigInt(amountRaw);
  const asset = address as Hex;
  const data =
    action === 'repay'
      ? encodeFunctionData({ abi, functionName: 'repay', args: [asset, amount, VARIABLE, wallet] })
      : encodeFunctionData({ abi, functionName: 'supply', args: [asset, amount, wallet, 0] });
  const call = { from: addresses.operator, to: addresses.pool, data, gas: numberToHex(1_500_000n) };
  const { status } = await rpc.request<{ status: Hex }>('eth_sendTransactionSync', [call]);
  if (status !== '0x1') throw new Error(`${action} of ${amountRaw} reverted`);
}

/** Runs `work` in a block of the given time, and reverts it: the actions use the state from that block. */
async function inBlockAt<T>(timestamp: bigint, work: () => Promise<T>): Promise<T> {
  const snapshot = await rpc.request<Hex>('evm_snapshot', []);
  await rpc.request('evm_setNextBlockTimestamp', [numberToHex(timestamp)]);
  try {
    return await work();
  } finally {
    await rpc.request('evm_revert', [snapshot]);
  }
}

describe('remedies on the genuine bytecode of Aave v3', () => {
  it('each bring the health factor of the contract to the target, and at most a millionth above it', async () => {
    const { timestamp } = await viem.getBlock();
    const at = timestamp + 60n;
    let executed = 0;
    for (const wallet of wallets) {
      const figures = await inBlockAt(at, async () => {
        await rpc.request('anvil_mine', [numberToHex(1n)]);
        return figuresOf(wallet);
      });
      const { remedies, remediesReason } = remediesOf(figures, TARGET, 'aave-v3');
      expect({ plan: wallet.plan.label, remediesReason }).toEqual({
        plan: wallet.plan.label,
        remediesReason: null,
      });
      for (const remedy of remedies) {
        const reached = await inBlockAt(at, async () => {
          await execute(wallet.address, remedy);
          return healthOf(wallet.address);
        });
        const { action, asset, amountRaw } = remedy;
        const of = `${wallet.plan.label}: ${action} ${amountRaw} ${asset}`;
        expect({ of, isReached: reached >= TARGET_WAD, reached }).toMatchObject({ of, isReached: true });
        expect(Number(reached - TARGET_WAD) / Number(TARGET_WAD)).toBeLessThan(1e-6);
        executed += 1;
      }
    }
    expect(executed).toBeGreaterThanOrEqual(20);
  }, 120_000);
});
