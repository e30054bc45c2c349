import { dirname, join } from 'node:path';
import type { Address, Hex } from 'viem';
import type { AnvilRpc } from './rpc';

/** The address Multicall3 has on every chain of the registry. */
export const MULTICALL3_ADDRESS: Address = '0xcA11bde05977b3631167028862bE2a173976CA11';

/** viem ships the genuine creation code but does not list it among its exports, so the path is absolute. */
function multicall3CreationCode(): Hex {
  const path = join(dirname(require.resolve('viem')), 'constants/contracts.js');
  const { multicall3Bytecode } = require(path) as { multicall3Bytecode: Hex };
  return multicall3Bytecode;
}

/** Installs Multicall3 at its usual address: a call of the creation code returns the runtime code. */
export async function installMulticall3(rpc: AnvilRpc): Promise<Address> {
  const runtime = await rpc.request<Hex>('eth_call', [{ data: multicall3CreationCode() }, 'latest']);
  await rpc.request('anvil_setCode', [MULTICALL3_ADDRESS, runtime]);
  return MULTICALL3_ADDRESS;
}
