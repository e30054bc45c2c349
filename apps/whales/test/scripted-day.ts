import type { WhaleAction } from '@plimsoll/contracts';
import { setPrice } from '@plimsoll/devnet';
import { type Address, type Hex, encodeFunctionData, parseAbi } from 'viem';
import type { ChainFixture } from './chain-fixture';

const aaveAbi = parseAbi([
  'function supply(address asset, uint256 amount, address onBehalfOf, uint16 referralCode)',
  'function withdraw(address asset, uint256 amount, address to) returns (uint256)',
  'function borrow(address asset, uint256 amount, uint256 interestRateMode, uint16 referralCode, address onBehalfOf)',
  'function repay(address asset, uint256 amount, uint256 interestRateMode, address onBehalfOf) returns (uint256)',
  'function liquidationCall(address collateralAsset, address debtAsset, address user, uint256 debtToCover, bool receiveAToken)',
  'function transfer(address to, uint256 amount) returns (bool)',
]);
const morphoAbi = parseAbi([
  'struct MarketParams { address loanToken; address collateralToken; address oracle; address irm; uint256 lltv; }',
  'function supply(MarketParams marketParams, uint256 assets, uint256 shares, address onBehalf, bytes data)',
  'function withdraw(MarketParams marketParams, uint256 assets, uint256 shares, address onBehalf, address receiver)',
  'function borrow(MarketParams marketParams, uint256 assets, uint256 shares, address onBehalf, address receiver)',
  'function repay(MarketParams marketParams, uint256 assets, uint256 shares, address onBehalf, bytes data)',
  'function supplyCollateral(MarketParams marketParams, uint256 assets, address onBehalf, bytes data)',
  'function withdrawCollateral(MarketParams marketParams, uint256 assets, address onBehalf, address receiver)',
  'function liquidate(MarketParams marketParams, address borrower, uint256 seizedAssets, uint256 repaidShares, bytes data)',
  'function setPrice(uint256 newPrice)',
]);

/** The expected result of a step of the day. */
export interface ExpectedMove {
  transactionHash: Hex;
  protocol: 'aave-v3' | 'morpho-blue';
  action: WhaleAction;
  wallet: Address;
  counterparty: Address | null;
  asset: string;
  /** Null when the contract computes it. */
  amountRaw: bigint | null;
}

export const WETH = 10n ** 18n;
export const USDC = 10n ** 6n;

/** Returns a wallet of the day. */
export const actor = (digit: number): Address => `0x${String(digit).repeat(40)}`;
const [anna, ben, cleo, dora, liquidator] = [1, 2, 3, 4, 5].map(actor) as [
  Address,
  Address,
  Address,
  Address,
  Address,
];

/** Plays one day of wallets on both protocols. Returns the expected result of each step. */
export async function playDay(chain: ChainFixture): Promise<ExpectedMove[]> {
  const moves: ExpectedMove[] = [];
  await chain.fund('WETH', 5_000n * WETH, anna, ben, cleo, dora);
  await chain.fund('USDC', 20_000_000n * USDC, anna, ben, cleo, liquidator);
  await aaveDay(chain, moves);
  await morphoDay(chain, moves);
  return moves;
}

async function aaveDay(chain: ChainFixture, moves: ExpectedMove[]): Promise<void> {
  const { pool } = chain.addresses;
  const note = (
    action: WhaleAction,
    [wallet, counterparty]: [Address, Address | null],
    asset: string,
    amountRaw: bigint,
    transactionHash: Hex,
  ): void =>
    void moves.push({ protocol: 'aave-v3', action, wallet, counterparty, asset, amountRaw, transactionHash });
  const weth = chain.token('WETH');
  const usdc = chain.token('USDC');
  const supply = (from: Address, asset: Address, amount: bigint, onBehalfOf: Address): Promise<Hex> =>
    chain.send(
      from,
      pool,
      encodeFunctionData({ abi: aaveAbi, functionName: 'supply', args: [asset, amount, onBehalfOf, 0] }),
    );
  note(
    'supply',
    [cleo, null],
    'USDC',
    15_000_000n * USDC,
    await supply(cleo, usdc, 15_000_000n * USDC, cleo),
  );
  note('supply', [anna, null], 'WETH', 1_000n * WETH, await supply(anna, weth, 1_000n * WETH, anna));
  note('supply', [ben, anna], 'WETH', 100n * WETH, await supply(anna, weth, 100n * WETH, ben));
  const borrow = (from: Address, amount: bigint): Promise<Hex> =>
    chain.send(
      from,
      pool,
      encodeFunctionData({ abi: aaveAbi, functionName: 'borrow', args: [usdc, amount, 2n, 0, from] }),
    );
  note('borrow', [anna, null], 'USDC', 500_000n * USDC, await borrow(anna, 500_000n * USDC));
  const repay = (from: Address, amount: bigint, of: Address): Promise<Hex> =>
    chain.send(
      from,
      pool,
      encodeFunctionData({ abi: aaveAbi, functionName: 'repay', args: [usdc, amount, 2n, of] }),
    );
  note('repay', [anna, null], 'USDC', 60_000n * USDC, await repay(anna, 60_000n * USDC, anna));
  note('repay', [anna, ben], 'USDC', 40_000n * USDC, await repay(ben, 40_000n * USDC, anna));
  const withdraw = (from: Address, amount: bigint, to: Address): Promise<Hex> =>
    chain.send(
      from,
      pool,
      encodeFunctionData({ abi: aaveAbi, functionName: 'withdraw', args: [weth, amount, to] }),
    );
  note('withdraw', [anna, null], 'WETH', 50n * WETH, await withdraw(anna, 50n * WETH, anna));
  note('withdraw', [ben, cleo], 'WETH', 10n * WETH, await withdraw(ben, 10n * WETH, cleo));
  const give = encodeFunctionData({ abi: aaveAbi, functionName: 'transfer', args: [cleo, 20n * WETH] });
  const aToken = chain.addresses.assets['WETH']!.aToken;
  note('transfer', [ben, cleo], 'WETH', 20n * WETH, await chain.send(ben, aToken, give));
  note('supply', [dora, null], 'WETH', 100n * WETH, await supply(dora, weth, 100n * WETH, dora));
  note('borrow', [dora, null], 'USDC', 190_000n * USDC, await borrow(dora, 190_000n * USDC));
  await setPrice(chain.node.url, chain.addresses, 'WETH', 2_200);
  const seize = encodeFunctionData({
    abi: aaveAbi,
    functionName: 'liquidationCall',
    args: [weth, usdc, dora, 50_000n * USDC, false],
  });
  note('liquidation', [dora, liquidator], 'USDC', 50_000n * USDC, await chain.send(liquidator, pool, seize));
  await setPrice(chain.node.url, chain.addresses, 'WETH', 2_500);
}

async function morphoDay(chain: ChainFixture, moves: ExpectedMove[]): Promise<void> {
  const { morpho } = chain.morpho;
  const { params } = chain.morpho.markets[0]!;
  const step = async (
    action: WhaleAction,
    [wallet, counterparty, sender]: [Address, Address | null, Address],
    asset: string,
    amountRaw: bigint | null,
    data: Hex,
  ): Promise<void> => {
    const transactionHash = await chain.send(sender, morpho, data);
    moves.push({ protocol: 'morpho-blue', action, wallet, counterparty, asset, amountRaw, transactionHash });
  };
  const encode = encodeFunctionData<typeof morphoAbi>;
  const [lent, held, owed] = [100_000n * USDC, 40n * WETH, 80_000n * USDC];
  await step(
    'supply',
    [cleo, null, cleo],
    'USDC',
    lent,
    encode({ abi: morphoAbi, functionName: 'supply', args: [params, lent, 0n, cleo, '0x'] }),
  );
  await step(
    'supply',
    [ben, anna, anna],
    'WETH',
    held,
    encode({ abi: morphoAbi, functionName: 'supplyCollateral', args: [params, held, ben, '0x'] }),
  );
  await step(
    'borrow',
    [ben, null, ben],
    'USDC',
    owed,
    encode({ abi: morphoAbi, functionName: 'borrow', args: [params, owed, 0n, ben, ben] }),
  );
  await step(
    'repay',
    [ben, null, ben],
    'USDC',
    20_000n * USDC,
    encode({ abi: morphoAbi, functionName: 'repay', args: [params, 20_000n * USDC, 0n, ben, '0x'] }),
  );
  await step(
    'withdraw',
    [ben, null, ben],
    'WETH',
    5n * WETH,
    encode({ abi: morphoAbi, functionName: 'withdrawCollateral', args: [params, 5n * WETH, ben, ben] }),
  );
  await step(
    'withdraw',
    [cleo, null, cleo],
    'USDC',
    30_000n * USDC,
    encode({ abi: morphoAbi, functionName: 'withdraw', args: [params, 30_000n * USDC, 0n, cleo, cleo] }),
  );
  await chain.send(
    chain.addresses.operator,
    params.oracle,
    encode({ abi: morphoAbi, functionName: 'setPrice', args: [1_900n * 10n ** 24n] }),
  );
  await step(
    'liquidation',
    [ben, liquidator, liquidator],
    'USDC',
    null,
    encode({ abi: morphoAbi, functionName: 'liquidate', args: [params, ben, 10n * WETH, 0n, '0x'] }),
  );
  await chain.send(
    chain.addresses.operator,
    params.oracle,
    encode({ abi: morphoAbi, functionName: 'setPrice', args: [2_500n * 10n ** 24n] }),
  );
}
