import {
  ChainReadError,
  encodeAggregate3Results,
  isPinnedTo,
  type BlockPin,
  type CallResult,
  type ChainClient,
  type ChainRecording,
  type RpcLogFilter,
  type Transaction,
  lowerCase,
} from '@plimsoll/evm';
import { RpcRequestError, type Address, type Hex } from 'viem';

/** A read that the recording lacks. It is no ChainReadError, so that no reader takes it for an unreadable position. */
export class NotRecorded extends Error {
  constructor(what: string, name: string) {
    super(
      `${name} lacks ${what}. The reader or its verdicts read more than when the recording was made. ` +
        `Record it again: npm run record -- --help, with the source and the seed in ${name}.json names.`,
    );
    this.name = 'NotRecorded';
  }
}

/**
 * Results in place of the recorded ones: for every call of a contract, such as one that fails or has no code, or for single
 * calls, of which the function returns undefined for all others.
 */
export type Faults =
  | Readonly<Record<Address, CallResult>>
  | ((call: Pick<Transaction, 'to' | 'data'>) => CallResult | undefined);

/**
 * A client that serves recordings in place of a node. A read that is not recorded throws NotRecorded.
 * @param recorded of one block, or of several, oldest first; the newest has the logs and the transactions
 * @param name of the recording, for the error
 * @param faults by contract, in lower case
 */
export function replayClient(
  recorded: ChainRecording | readonly ChainRecording[],
  name: string,
  faults: Faults = {},
): ChainClient {
  const recordings = [recorded].flat();
  const newest = recordings.at(-1)!;
  const { chainId, block } = newest;
  const resultOf = (recording: ChainRecording, call: Transaction): CallResult => {
    const fault =
      typeof faults === 'function'
        ? faults({ to: lowerCase(call.to), data: call.data })
        : faults[lowerCase(call.to)];
    const result = fault ?? recording.resultOf(call);
    if (result) return result;
    throw new NotRecorded(`the call ${call.data.slice(0, 74)} of ${call.to}`, name);
  };
  const call = (transaction: Transaction, pin: BlockPin): Hex => {
    const recording = recordings.find((each) => isPinnedTo(pin, each.block));
    if (!recording)
      throw new NotRecorded(`the block ${JSON.stringify(pin)} (it is of ${block.number})`, name);
    const calls = recording.callsIn(transaction);
    if (calls) {
      const results = calls.map((each) => resultOf(recording, each));
      return encodeAggregate3Results(results.map(({ ok, data }) => ({ success: ok, returnData: data })));
    }
    const { ok, data } = resultOf(recording, transaction);
    if (!ok) throw reverted(chainId, data);
    return data;
  };
  const logs = (filter: RpcLogFilter): unknown => {
    const found = newest.logsOf(filter);
    if (found) return found;
    const { address, fromBlock, toBlock } = filter;
    throw new NotRecorded(`logs of ${address.join(', ')} in the blocks ${fromBlock} to ${toBlock}`, name);
  };
  const answerOf = (method: string, param: unknown): object | undefined => {
    if (method === 'eth_getTransactionByHash') return newest.transactionOf(param as Hex);
    if (method !== 'eth_getBlockByNumber') return undefined;
    return param === 'latest' ? block : recordings.find((each) => each.block.number === param)?.block;
  };
  const respond = (method: string, params: readonly unknown[]): unknown => {
    if (method === 'eth_call') return call(params[0] as Transaction, params[1] as BlockPin);
    if (method === 'eth_getLogs') return logs(params[0] as RpcLogFilter);
    if (method === 'eth_chainId') return `0x${chainId.toString(16)}`;
    if (method === 'eth_blockNumber') return block.number;
    // Readers distinguish only anvil.
    if (method === 'web3_clientVersion') return 'recording';
    const found = answerOf(method, params[0]);
    if (found) return found;
    throw new NotRecorded(`${method} ${JSON.stringify(params)}`, name);
  };
  return {
    chainId,
    request: async <T>(method: string, params: readonly unknown[]) => respond(method, params) as T,
  };
}

function reverted(chainId: number, data: Hex): ChainReadError {
  const error = { code: 3, message: 'execution reverted', data };
  const cause = new RpcRequestError({ body: {}, error, url: 'recording' });
  return new ChainReadError('rpc_rejected', chainId, 'the recorded call reverted', { cause });
}
