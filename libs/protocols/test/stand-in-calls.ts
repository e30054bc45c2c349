import type { Address } from 'viem';
import { standIns, testWallets, type Call, type LocalChain } from './local-chain';

/** The wallets of the tests of activities. */
export const [anna, ben, liquidator] = testWallets(3, 0x6000) as [Address, Address, Address];

/** More gas than any call of a stand-in uses. */
const GAS = 6_000_000n;

/** Makes a call of one contract. @param from who sends it */
export type CallBy = (from: Address, method: string, ...args: readonly unknown[]) => Call;

/** Calls of one contract, by sender. @param name of the contract in test/contracts */
export function callsOf(to: Address, name: string): CallBy {
  return (from, method, ...args) => ({ from, to, abi: standIns()[name]!.abi, name: method, args, gas: GAS });
}

/** Deploys tokens on the chain of a test. */
export function tokensOn(chain: () => LocalChain): (symbol: string, decimals: number) => Promise<Address> {
  return (symbol, decimals) => chain().deploy(standIns()['Token']!, [symbol, decimals]);
}

/** An oracle of the chain that prices the tokens in dollars, with 8 decimals. */
export async function usdOracleOf(
  chain: LocalChain,
  prices: readonly (readonly [Address, bigint])[],
): Promise<Address> {
  const artifact = standIns()['UsdOracle']!;
  const oracle = await chain.deploy(artifact);
  await chain.send(prices.map((args) => ({ to: oracle, abi: artifact.abi, name: 'setPrice', args })));
  return oracle;
}
