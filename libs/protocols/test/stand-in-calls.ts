import type { Address } from 'viem';
import { standIns, type Call, type LocalChain } from './local-chain';

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
