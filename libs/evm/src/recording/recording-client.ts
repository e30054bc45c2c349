import type { Hex } from 'viem';
import { decodeAggregate3 } from '../multicall/aggregate3';
import type { Transaction } from '../multicall/pinned-call';
import type { MinedLog } from '../logs/read-logs';
import type { ChainClient } from '../rpc/chain-client';
import type { ChainRecording, RpcLogFilter } from './chain-recording';

/** A client that adds every call and every log that it reads to a recording. Its callers read only the recorded block. */
export function recordingClient(client: ChainClient, recording: ChainRecording): ChainClient {
  const call = async (params: readonly unknown[]): Promise<Hex> => {
    const [transaction] = params as [Transaction];
    const data = await client.request<Hex>('eth_call', params);
    addResult(recording, transaction, data);
    return data;
  };
  return {
    chainId: client.chainId,
    request: async <T>(method: string, params: readonly unknown[]): Promise<T> => {
      if (method === 'eth_call') return (await call(params)) as T;
      const result = await client.request<T>(method, params);
      if (method === 'eth_getLogs') recording.addLogs(params[0] as RpcLogFilter, result as MinedLog[]);
      return result;
    },
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
