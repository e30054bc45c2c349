import { encodeAbiParameters, encodeFunctionData, keccak256, parseAbi, type Address, type Hex } from 'viem';
import type { DevnetAddresses } from '../addresses';
import { devnetAsset } from '../addresses';
import { linkBytecode } from '../evm/artifacts';
import { connectAnvil } from '../evm/rpc';
import { TransactionQueue } from '../evm/transaction-queue';
import { tokenAbi } from '../aave/abis';
import { tokenAmount, USD } from '../seed/amounts';
import { morphoArtifacts } from './artifacts';

const abi = parseAbi([
  'struct MarketParams { address loanToken; address collateralToken; address oracle; address irm; uint256 lltv; }',
  'function enableIrm(address irm)',
  'function enableLltv(uint256 lltv)',
  'function createMarket(MarketParams marketParams)',
  'function supply(MarketParams marketParams, uint256 assets, uint256 shares, address onBehalf, bytes data)',
  'function setPrice(uint256 newPrice)',
]);

/** A pair of symbols of the devnet's assets, which gets a market. */
export interface MorphoListing {
  loan: string;
  collateral: string;
  lltv: bigint;
  /** Loan units for one collateral unit, times 1e36. Absent: from the devnet's price feeds. */
  price?: bigint;
}

/** A Morpho market on the devnet. */
export interface MorphoMarketAddresses {
  id: Hex;
  params: { loanToken: Address; collateralToken: Address; oracle: Address; irm: Address; lltv: bigint };
}

/** Morpho Blue on the devnet. */
export interface MorphoAddresses {
  morpho: Address;
  markets: MorphoMarketAddresses[];
}

/** The lent liquidity of each market. */
const LIQUIDITY_USD = 100_000_000n * USD;

/**
 * Deploys the genuine Morpho Blue beside the devnet's Aave market, with markets over the same assets and liquidity in each.
 * @throws when a transaction reverts
 */
export async function deployMorpho(
  rpcUrl: string,
  addresses: DevnetAddresses,
  listings: readonly MorphoListing[],
): Promise<MorphoAddresses> {
  const { operator } = addresses;
  const queue = await TransactionQueue.open(connectAnvil(rpcUrl), [operator]);
  const artifacts = morphoArtifacts();
  const deploy = (name: keyof typeof artifacts, args: readonly unknown[] = []): Address =>
    queue.deploy(operator, name, artifacts[name].abi, linkBytecode(artifacts[name], {}), args);
  const morpho = deploy('Morpho', [operator]);
  const irm = deploy('IrmMock');
  const call = (label: string, data: Hex, to = morpho): void => queue.call(operator, label, to, data);
  call('enableIrm', encodeFunctionData({ abi, functionName: 'enableIrm', args: [irm] }));
  for (const lltv of new Set(listings.map((listing) => listing.lltv)))
    call('enableLltv', encodeFunctionData({ abi, functionName: 'enableLltv', args: [lltv] }));
  const markets = listings.map(({ loan, collateral, lltv, price }) => {
    const { address: loanToken, decimals, aggregator } = devnetAsset(addresses, loan);
    const { address: collateralToken, ...secured } = devnetAsset(addresses, collateral);
    const scale = 10n ** BigInt(36 + decimals - secured.decimals);
    const oracle =
      price === undefined
        ? deploy('FeedOracle', [secured.aggregator, aggregator, scale])
        : deploy('OracleMock');
    if (price !== undefined)
      call('setPrice', encodeFunctionData({ abi, functionName: 'setPrice', args: [price] }), oracle);
    const params = { loanToken, collateralToken, oracle, irm, lltv };
    call('createMarket', encodeFunctionData({ abi, functionName: 'createMarket', args: [params] }));
    const amount = tokenAmount(loan, LIQUIDITY_USD);
    const mint = encodeFunctionData({ abi: tokenAbi, functionName: 'mint', args: [operator, amount] });
    call(`mint ${loan}`, mint, loanToken);
    const approve = encodeFunctionData({ abi: tokenAbi, functionName: 'approve', args: [morpho, amount] });
    call(`approve ${loan}`, approve, loanToken);
    const supply = encodeFunctionData({
      abi,
      functionName: 'supply',
      args: [params, amount, 0n, operator, '0x'],
    });
    call(`supply ${loan}`, supply);
    return { id: morphoMarketId(params), params };
  });
  await queue.flush();
  return { morpho, markets };
}

/** The id of a market: the hash of its parameters. */
export function morphoMarketId({
  loanToken,
  collateralToken,
  oracle,
  irm,
  lltv,
}: MorphoMarketAddresses['params']): Hex {
  const types = ['address', 'address', 'address', 'address', 'uint256'].map((type) => ({ type }));
  return keccak256(encodeAbiParameters(types, [loanToken, collateralToken, oracle, irm, lltv]));
}
