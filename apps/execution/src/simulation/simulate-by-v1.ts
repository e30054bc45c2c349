import { type ChainClient, ChainReadError, readBlockHash } from '@plimsoll/evm';
import { type Address, type Hex, RpcRequestError, BaseError, hexToBigInt, numberToHex } from 'viem';
import { type SimulatedCall, type SimulationRequest, SimulationUnavailable } from './simulated-call';

/** Sufficient for a flash loan with a swap, and below the block limit of every chain in the registry. */
const CALL_GAS = 8_000_000n;
const READ_GAS = 25_000_000n;
const NO_SENDER: Address = '0x0000000000000000000000000000000000000000';
const METHOD_NOT_FOUND = -32_601;
const METHOD_UNSUPPORTED = -32_004;

interface RpcCallResult {
  status: Hex;
  gasUsed: Hex;
  returnData: Hex;
  /** Error of a reverted call when the node does not return the reason as data. */
  error?: { data?: Hex };
}

/**
 * Runs calls and reads with eth_simulateV1, each in a separate block one second after the previous one, as
 * a wallet sends them.
 * @throws SimulationUnavailable when the node lacks the method
 * @throws ChainReadError
 */
export async function simulateByV1(
  client: ChainClient,
  { base, from, calls, reads }: SimulationRequest,
): Promise<SimulatedCall[]> {
  const transactions = calls.map(({ to, data, value }) => ({
    from,
    to,
    data,
    value: numberToHex(value),
    gas: numberToHex(CALL_GAS),
  }));
  const looks = reads.map(({ to, data }) => ({ from: NO_SENDER, to, data, gas: numberToHex(READ_GAS) }));
  const blockStateCalls = [...transactions, ...looks].map((call, index) => ({
    blockOverrides: {
      number: numberToHex(base.number + BigInt(index + 1)),
      time: numberToHex(base.timestamp + BigInt(Math.min(index, calls.length) + 1)),
      gasLimit: numberToHex(READ_GAS + CALL_GAS),
      baseFeePerGas: '0x0',
    },
    calls: [call],
  }));
  const blocks = await client
    .request<{ calls: RpcCallResult[] }[]>('eth_simulateV1', [
      { blockStateCalls, validation: false, traceTransfers: false },
      numberToHex(base.number),
    ])
    .catch((error: unknown) => {
      throw isUnknownMethod(error) ? new SimulationUnavailable('the node has no eth_simulateV1') : error;
    });
  // Requested by number, because not every node accepts a hash here.
  if ((await readBlockHash(client, base.number)) !== base.hash) {
    throw new ChainReadError('block_gone', client.chainId, `block ${base.number} was replaced`);
  }
  return blocks.flatMap(({ calls: results }) =>
    results.map(({ status, gasUsed, returnData, error }) => ({
      success: status === '0x1',
      gasUsed: hexToBigInt(gasUsed),
      data: status === '0x1' || returnData !== '0x' ? returnData : (error?.data ?? '0x'),
    })),
  );
}

function isUnknownMethod(error: unknown): boolean {
  const cause = error instanceof ChainReadError ? error.cause : null;
  const response = cause instanceof BaseError ? cause.walk((each) => each instanceof RpcRequestError) : null;
  return (
    response instanceof RpcRequestError &&
    (response.code === METHOD_NOT_FOUND || response.code === METHOD_UNSUPPORTED)
  );
}
