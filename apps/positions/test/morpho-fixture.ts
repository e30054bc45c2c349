import { readFile, writeFile } from 'node:fs/promises';
import {
  type MorphoAddresses,
  type MorphoListing,
  type MorphoMarketAddresses,
  deployMorpho,
  devnetAsset,
} from '@plimsoll/devnet';
import { type Address, encodeFunctionData, numberToHex, parseAbi } from 'viem';
import type { ChainFixture } from './chain-fixture';

const abi = parseAbi([
  'struct MarketParams { address loanToken; address collateralToken; address oracle; address irm; uint256 lltv; }',
  'function mint(address account, uint256 value) returns (bool)',
  'function approve(address spender, uint256 value) returns (bool)',
  'function supplyCollateral(MarketParams marketParams, uint256 assets, address onBehalf, bytes data)',
  'function withdrawCollateral(MarketParams marketParams, uint256 assets, address onBehalf, address receiver)',
  'function borrow(MarketParams marketParams, uint256 assets, uint256 shares, address onBehalf, address receiver)',
]);

/** Morpho Blue on the chain of a fixture, in its registry overlay. */
export interface MorphoFixture extends MorphoAddresses {
  supplyCollateral(wallet: Address, market: MorphoMarketAddresses, amount: bigint): Promise<void>;
  withdrawCollateral(wallet: Address, market: MorphoMarketAddresses, amount: bigint): Promise<void>;
  borrow(wallet: Address, market: MorphoMarketAddresses, amount: bigint): Promise<void>;
}

/** Loans of USDC: against WETH at 2,500, and against WBTC at 90,000. */
const LISTINGS: readonly MorphoListing[] = [
  { loan: 'USDC', collateral: 'WETH', lltv: 860_000_000_000_000_000n, price: 2_500n * 10n ** 24n },
  { loan: 'USDC', collateral: 'WBTC', lltv: 860_000_000_000_000_000n, price: 90_000n * 10n ** 34n },
];

export async function addMorpho(chain: ChainFixture, listings = LISTINGS): Promise<MorphoFixture> {
  const { addresses, rpc } = chain;
  const morpho = await deployMorpho(chain.node.url, addresses, listings);
  const overlay = JSON.parse(await readFile(chain.overlayPath, 'utf8'));
  overlay.protocols.push({ id: 'morpho-blue', chains: { [addresses.chainId]: { morpho: morpho.morpho } } });
  await writeFile(chain.overlayPath, JSON.stringify(overlay));

  const send = async (from: Address, to: Address, data: `0x${string}`): Promise<void> => {
    await rpc('anvil_impersonateAccount', [from]);
    await rpc('anvil_setBalance', [from, numberToHex(10n ** 20n)]);
    const call = { from, to, data, gas: numberToHex(800_000n) };
    const receipt = await rpc<{ status: string }>('eth_sendTransactionSync', [call]);
    if (receipt.status !== '0x1') throw new Error(`a transaction of ${from} reverted`);
  };
  return {
    ...morpho,
    supplyCollateral: async (wallet, { params }, amount) => {
      const token = params.collateralToken;
      const mint = encodeFunctionData({ abi, functionName: 'mint', args: [wallet, amount] });
      const approve = encodeFunctionData({ abi, functionName: 'approve', args: [morpho.morpho, amount] });
      const args = [params, amount, wallet, '0x'] as const;
      await send(wallet, token, mint);
      await send(wallet, token, approve);
      await send(wallet, morpho.morpho, encodeFunctionData({ abi, functionName: 'supplyCollateral', args }));
    },
    withdrawCollateral: async (wallet, { params }, amount) => {
      const args = [params, amount, wallet, wallet] as const;
      await send(
        wallet,
        morpho.morpho,
        encodeFunctionData({ abi, functionName: 'withdrawCollateral', args }),
      );
    },
    borrow: async (wallet, { params }, amount) => {
      const args = [params, amount, 0n, wallet, wallet] as const;
      await send(wallet, morpho.morpho, encodeFunctionData({ abi, functionName: 'borrow', args }));
    },
  };
}

/** Decimals of the assets of both markets. */
export function decimalsOf({ addresses }: ChainFixture, symbol: string): bigint {
  return 10n ** BigInt(devnetAsset(addresses, symbol).decimals);
}
