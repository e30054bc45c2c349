import { type ChainClient, PinnedCall } from '@plimsoll/evm';
import { type Hex, decodeFunctionResult, encodeFunctionData, numberToHex, parseAbi } from 'viem';
import compiled from './batch.json';
import type { SimulatedCall, SimulationRequest } from './simulated-call';

const abi = parseAbi([
  'struct Call { address to; uint256 value; bytes data; }',
  'struct Result { bool success; uint256 gasUsed; bytes data; }',
  'function run(Call[] calls) payable returns (Result[] results)',
]);
const GAS = 45_000_000n;
/** Gas of a transaction before its first opcode, and highest gas for each byte of its data. */
const BASE_GAS = 21_000n;
const BYTE_GAS = 16n;
const NO_SENDER = '0x0000000000000000000000000000000000000000';

/**
 * Does the same in one eth_call on the block, for nodes without eth_simulateV1. The wallet's code is
 * overridden by a contract that makes the calls in order. All calls are in one block and one transaction, and
 * a wallet with code acts without it.
 * @throws ChainReadError
 */
export async function simulateByBatch(
  client: ChainClient,
  { base, from, calls, reads }: SimulationRequest,
): Promise<SimulatedCall[]> {
  const all = [...calls, ...reads.map((read) => ({ ...read, value: 0n }))];
  const data = encodeFunctionData({ abi, functionName: 'run', args: [all] });
  const response = await new PinnedCall(client).call(
    { from: NO_SENDER, to: from, data, gas: numberToHex(GAS) },
    base,
    { [from]: { code: compiled.runtime as Hex } },
  );
  const results = decodeFunctionResult({ abi, functionName: 'run', data: response });
  return results.map(({ success, gasUsed, data: returned }, index) => ({
    success,
    gasUsed: gasUsed + BASE_GAS + (BYTE_GAS * BigInt(all[index]!.data.length - 2)) / 2n,
    data: returned,
  }));
}
