import type { Address } from 'viem';
import type { AnyReader } from '../src/families';
import type { Call, LocalChain } from './local-chain';

/**
 * Expects that the logs of these calls name the wallet, which held nothing before, and no other. It reverts
 * the calls afterwards.
 */
export async function expectOpened(
  chain: LocalChain,
  reader: Pick<AnyReader, 'readMarket' | 'readTouchedWallets'>,
  wallet: Address,
  calls: readonly Call[],
): Promise<void> {
  const before = await chain.head();
  await reader.readMarket(before);
  const snapshot = await chain.rpc.request('evm_snapshot', []);
  await chain.send(calls);
  const after = await chain.head();
  const touched = await reader.readTouchedWallets(before.number + 1n, after.number, reader.readMarket(after));
  expect(touched).toEqual({ opened: [wallet] });
  await chain.rpc.request('evm_revert', [snapshot]);
}
