import type { Address, Hex } from 'viem';
import { decodeAggregate3 } from '../multicall/aggregate3';
import type { Transaction } from '../multicall/pinned-call';
import type { MinedLog } from '../logs/read-logs';
import type { ChainClient } from '../rpc/chain-client';
import {
  isPinnedTo,
  type BlockPin,
  type ChainRecording,
  type RpcLogFilter,
  type RpcProof,
} from './chain-recording';

/**
 * A client that adds every call, log, transaction and proof that it reads to a recording. Its callers read only the
 * recorded blocks.
 * @param recordings of one block each, oldest first; the newest has all but the calls
 */
export function recordingClient(client: ChainClient, ...recordings: readonly ChainRecording[]): ChainClient {
  const newest = recordings.at(-1)!;
  const call = callRecorder(
    client,
    (pin) => recordings.find(({ block }) => isPinnedTo(pin, block)) ?? newest,
  );
  return {
    chainId: client.chainId,
    request: async <T>(method: string, params: readonly unknown[]): Promise<T> => {
      if (method === 'eth_call') return (await call(params)) as T;
      const result: unknown = await client.request(method, params);
      if (method === 'eth_getLogs') newest.addLogs(params[0] as RpcLogFilter, result as MinedLog[]);
      if (method === 'eth_getProof') newest.addProof(result as RpcProof);
      if (method === 'eth_getTransactionByHash' && result)
        newest.addTransaction(params[0] as Hex, result as { from: Address });
      return result as T;
    },
  };
}

/** A client that adds every call to the recording of its block. @param recordingOf undefined: the call is not recorded */
export function callRecordingClient(
  client: ChainClient,
  recordingOf: (pin: BlockPin) => ChainRecording | undefined,
): ChainClient {
  const call = callRecorder(client, recordingOf);
  return {
    chainId: client.chainId,
    request: async <T>(method: string, params: readonly unknown[]): Promise<T> =>
      method === 'eth_call' ? ((await call(params)) as T) : client.request<T>(method, params),
  };
}

function callRecorder(client: ChainClient, recordingOf: (pin: BlockPin) => ChainRecording | undefined) {
  return async (params: readonly unknown[]): Promise<Hex> => {
    const [transaction, pin] = params as [Transaction, BlockPin];
    const data = await client.request<Hex>('eth_call', params);
    const recording = recordingOf(pin);
    if (recording) addResult(recording, transaction, data);
    return data;
  };
}

function addResult(recording: ChainRecording, transaction: Transaction, data: Hex): void {
  const calls = recording.callsIn(transaction);
  if (!calls) return recording.addCall(transaction, { ok: true, data });
  // Nothing at the address of Multicall3: the reader reports that.
  if (data === '0x') return;
  const results = decodeAggregate3(data);
  calls.forEach((each, index) => {
    const { success, returnData } = results[index]!;
    recording.addCall(each, { ok: success, data: returnData });
  });
}
