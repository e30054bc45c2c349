import { encodeFunctionData, maxUint256, zeroAddress, type Abi, type Address } from 'viem';
import { linkBytecode } from '../evm/artifacts';
import type { AnvilRpc } from '../evm/rpc';
import { TransactionQueue } from '../evm/transaction-queue';
import { venusArtifacts, type VenusArtifact } from './artifacts';

const WAD = 10n ** 18n;
/** The largest rate per second. */
const MOST_BORROW_RATE = 5n * 10n ** 12n;
const RATES = { base: 0n, multiplier: WAD / 10n, jump: 2n * WAD, kink: (8n * WAD) / 10n };
const RESERVE_FACTOR = WAD / 10n;
const VTOKEN_DECIMALS = 8;
const MOST_LOOPS = 100n;
/** The operator's permissions on the pool and its markets. */
const RIGHTS = [
  'supportMarket(address)',
  'setCollateralFactor(address,uint256,uint256)',
  'setMarketSupplyCaps(address[],uint256[])',
  'setMarketBorrowCaps(address[],uint256[])',
  'setCloseFactor(uint256)',
  'setLiquidationIncentive(uint256)',
  'setReduceReservesBlockDelta(uint256)',
];

/** A token that gets a market. Factors have 18 decimals. */
export interface VenusListing {
  symbol: string;
  token: Address;
  decimals: number;
  collateralFactor: bigint;
  /** The liquidation threshold. */
  threshold: bigint;
}

/** An isolated pool of Venus. */
export interface VenusPool {
  comptroller: Address;
  oracle: Address;
  /** In the order of the listings. */
  vTokens: Address[];
}

/** Sets the prices of the markets on the pool's oracle. It is called before collateral can count. */
export type SetPrices = (
  call: (label: string, artifact: VenusArtifact, name: string, args: readonly unknown[]) => void,
  vTokens: readonly Address[],
) => void;

/**
 * Deploys an isolated pool of Venus from the bytecode that it published, which is above Ethereum's limit of a
 * contract's size: the node must allow 60,000 bytes. Interest accrues by the second.
 * @param oracle the contract that prices the tokens
 * @throws when a transaction reverts
 */
export async function deployVenusPool(
  rpc: AnvilRpc,
  operator: Address,
  listings: readonly VenusListing[],
  oracle: 'MockPriceOracle' | 'VenusFeedOracle',
  setPrices: SetPrices,
): Promise<VenusPool> {
  const artifacts = venusArtifacts();
  const queue = await TransactionQueue.open(rpc, [operator]);
  const deploy = (name: VenusArtifact, args: readonly unknown[] = []): Address =>
    queue.deploy(operator, name, artifacts[name].abi, linkBytecode(artifacts[name], {}), args);
  const dataOf = (name: VenusArtifact, functionName: string, args: readonly unknown[]) =>
    encodeFunctionData({ abi: artifacts[name].abi as Abi, functionName, args });
  const call = (name: VenusArtifact, to: Address, functionName: string, args: readonly unknown[]): void =>
    queue.call(operator, functionName, to, dataOf(name, functionName, args));
  const proxied = (name: 'Comptroller' | 'VToken', beacon: Address, args: readonly unknown[]): Address =>
    deploy('BeaconProxy', [beacon, dataOf(name, 'initialize', args)]);

  const rights = deploy('AccessControlManager');
  for (const right of RIGHTS)
    call('AccessControlManager', rights, 'giveCallPermission', [zeroAddress, right, operator]);
  const pools = deploy('UpgradeableBeacon', [deploy('Comptroller', [operator])]);
  const markets = deploy('UpgradeableBeacon', [deploy('VToken', [true, 0n, MOST_BORROW_RATE])]);
  const { base, multiplier, jump, kink } = RATES;
  const rates = deploy('JumpRateModelV2', [base, multiplier, jump, kink, rights, true, 0n]);
  const comptroller = proxied('Comptroller', pools, [MOST_LOOPS, rights]);
  const prices = deploy(oracle);
  const configure = (name: string, ...args: unknown[]): void => call('Comptroller', comptroller, name, args);
  configure('setPriceOracle', prices);
  configure('setCloseFactor', WAD / 2n);
  configure('setLiquidationIncentive', (11n * WAD) / 10n);
  const risk = { shortfall: operator, protocolShareReserve: operator };
  const vTokens = listings.map(({ symbol, token, decimals }) => {
    const rate = 10n ** BigInt(18 + decimals - VTOKEN_DECIMALS);
    const named = [`Venus ${symbol}`, `v${symbol}`, VTOKEN_DECIMALS];
    const ends = [operator, rights, risk, RESERVE_FACTOR];
    const vToken = proxied('VToken', markets, [token, comptroller, rates, rate, ...named, ...ends]);
    // Reserves stay in the market, because their receiver is not a contract here.
    call('VToken', vToken, 'setReduceReservesBlockDelta', [maxUint256]);
    configure('supportMarket', vToken);
    return vToken;
  });
  const unlimited = vTokens.map(() => maxUint256);
  configure('setMarketSupplyCaps', vTokens, unlimited);
  configure('setMarketBorrowCaps', vTokens, unlimited);
  setPrices((label, name, functionName, args) => {
    queue.call(operator, label, prices, dataOf(name, functionName, args));
  }, vTokens);
  listings.forEach(({ collateralFactor, threshold }, index) =>
    configure('setCollateralFactor', vTokens[index], collateralFactor, threshold),
  );
  await queue.flush();
  return { comptroller, oracle: prices, vTokens };
}
