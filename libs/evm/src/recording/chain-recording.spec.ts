import { encodeFunctionResult, numberToHex, parseAbi, type Hex } from 'viem';
import { encodeAggregate3 } from '../multicall/aggregate3';
import { Simulation } from '../multicall/simulation';
import type { MinedLog } from '../logs/read-logs';
import type { ChainClient } from '../rpc/chain-client';
import { ChainRecording, type RpcLogFilter } from './chain-recording';
import { recordingClient } from './recording-client';

const results = parseAbi([
  'struct Result { bool success; bytes returnData; }',
  'function aggregate3() returns (Result[] returnData)',
]);
const MULTICALL3 = `0x${'ca'.repeat(20)}` as const;
const [ONE, TWO] = [`0x${'01'.repeat(20)}`, `0x${'02'.repeat(20)}`] as const;
const hash = `0x${'77'.repeat(32)}` as const;
const HEADER = { number: '0x7', hash, parentHash: hash, timestamp: '0x64' } as const;
const pin = { blockHash: hash, requireCanonical: true };

/** Every call in a multicall returns its own data, except those of TWO, which revert. */
const node: ChainClient = {
  chainId: 1,
  request: async <T>(method: string, params: readonly unknown[]): Promise<T> => {
    if (method === 'eth_getTransactionByHash')
      return (params[0] === hash ? { hash, from: ONE, nonce: '0x0' } : null) as T;
    if (method === 'eth_getLogs') return logsBetween(params[0] as RpcLogFilter) as T;
    const recording = new ChainRecording(1, MULTICALL3, HEADER);
    const calls = recording.callsIn(params[0] as { to: Hex; data: Hex }) ?? [];
    const result = calls.map(({ to, data }) => ({ success: to !== TWO, returnData: data }));
    return encodeFunctionResult({ abi: results, functionName: 'aggregate3', result }) as T;
  },
};

function logAt(block: bigint, address: Hex): MinedLog {
  return {
    address,
    topics: [hash],
    data: '0x',
    blockNumber: numberToHex(block),
    blockHash: hash,
    transactionHash: hash,
    logIndex: '0x0',
  };
}

/** One log of each address in every tenth block. */
function logsBetween({ address, fromBlock, toBlock }: RpcLogFilter): MinedLog[] {
  const logs: MinedLog[] = [];
  for (let block = BigInt(fromBlock); block <= BigInt(toBlock); block += 1n)
    if (block % 10n === 0n) for (const each of address) logs.push(logAt(block, each));
  return logs;
}

const filterOf = (address: readonly Hex[], from: number, to: number): RpcLogFilter => ({
  address,
  topics: [[hash]],
  fromBlock: numberToHex(from),
  toBlock: numberToHex(to),
});

describe('ChainRecording', () => {
  it('has each call of a multicall, and whether it reverted', async () => {
    const recording = new ChainRecording(1, MULTICALL3, HEADER);
    const data = encodeAggregate3([
      { target: ONE, data: '0xaa' },
      { target: TWO, data: '0xbb' },
    ]);
    await recordingClient(node, recording).request('eth_call', [{ to: MULTICALL3, data }, pin]);
    expect(recording.resultOf({ to: ONE, data: '0xaa' })).toEqual({ ok: true, data: '0xaa' });
    expect(recording.resultOf({ to: TWO, data: '0xBB' })).toEqual({ ok: false, data: '0xbb' });
    expect(recording.resultOf({ to: ONE, data: '0xbb' })).toBeUndefined();
  });

  it('is the same text for the same calls in another order, and the same recording when it is read', async () => {
    const texts: string[] = [];
    for (const calls of [['0xaa', '0xbb'] as const, ['0xbb', '0xaa'] as const]) {
      const recording = new ChainRecording(1, MULTICALL3, HEADER);
      for (const call of calls) {
        const data = encodeAggregate3([{ target: ONE, data: call }]);
        await recordingClient(node, recording).request('eth_call', [{ to: MULTICALL3, data }, pin]);
      }
      texts.push(JSON.stringify(recording.toJson()));
      expect(ChainRecording.fromJson(recording.toJson()).toJson()).toEqual(recording.toJson());
    }
    expect(texts[0]).toBe(texts[1]);
  });

  it('has calls that see the effects of each other as one', async () => {
    const recording = new ChainRecording(1, MULTICALL3, HEADER);
    const simulated: ChainClient = {
      chainId: 1,
      request: async <T>() =>
        encodeFunctionResult({
          abi: results,
          functionName: 'aggregate3',
          result: [
            { success: true, returnData: '0x' },
            { success: false, returnData: '0x' },
          ],
        }) as T,
    };
    const simulation = new Simulation(recordingClient(simulated, recording), MULTICALL3);
    const block = { number: 7n, hash, timestamp: 100n };
    const outcome = await simulation.inOrder(
      [
        { to: ONE, data: '0xaa' },
        { to: ONE, data: '0xbb' },
      ],
      block,
    );
    expect(outcome).toEqual({ ok: false, reason: 'reverted' });
    expect(recording.callCount).toBe(1);
    expect(recording.resultOf({ to: ONE, data: '0xbb' })).toBeUndefined();
  });

  it('has logs by address, for any ranges and groups of addresses', async () => {
    const recording = new ChainRecording(1, MULTICALL3, HEADER);
    const client = recordingClient(node, recording);
    await client.request('eth_getLogs', [filterOf([ONE, TWO], 0, 19)]);
    await client.request('eth_getLogs', [filterOf([ONE, TWO], 20, 40)]);
    const found = recording.logsOf(filterOf([TWO], 5, 25))!;
    expect(found.map(({ address, blockNumber }) => [address, Number(blockNumber)])).toEqual([
      [TWO, 10],
      [TWO, 20],
    ]);
    expect(recording.logsOf(filterOf([ONE], 30, 41))).toBeUndefined();
    expect(recording.logsOf(filterOf([MULTICALL3], 5, 25))).toBeUndefined();
  });

  it('has proofs of each slot that was read, and the whole header that they start from', async () => {
    const zeros = `0x${'00'.repeat(32)}` as const;
    const account = {
      address: ONE,
      accountProof: [hash],
      balance: '0x0',
      codeHash: hash,
      nonce: '0x1',
    } as const;
    const storing: ChainClient = {
      chainId: 1,
      request: async <T>(_method: string, [, slots]: readonly unknown[]) =>
        ({
          ...account,
          storageHash: hash,
          storageProof: (slots as Hex[]).map((key) => ({ key, value: '0x5', proof: [hash] })),
        }) as T,
    };
    const header = { ...HEADER, stateRoot: hash };
    const recording = new ChainRecording(1, MULTICALL3, header);
    expect(recording.toJson().block).toEqual(HEADER);
    const client = recordingClient(storing, recording);
    await client.request('eth_getProof', [ONE, ['0x2', '0x1'], pin]);
    await client.request('eth_getProof', [ONE, ['0x1', zeros], pin]);
    const json = recording.toJson();
    expect(json.block).toEqual(header);
    const again = ChainRecording.fromJson(json);
    expect(again.toJson()).toEqual(json);
    expect(again.proofOf(ONE, ['0x0', '0x2'])).toMatchObject({
      ...account,
      storageProof: [{ key: zeros }, { key: '0x2' }],
    });
    expect(again.proofOf(ONE, ['0x3'])).toBeUndefined();
    expect(again.proofOf(TWO, [])).toBeUndefined();
  });

  it('has the senders of the transactions that were read', async () => {
    const recording = new ChainRecording(1, MULTICALL3, HEADER);
    expect(recording.toJson()).not.toHaveProperty('transactions');
    const unknown = `0x${'78'.repeat(32)}` as const;
    for (const each of [hash, unknown])
      await recordingClient(node, recording).request('eth_getTransactionByHash', [each]);
    const read = ChainRecording.fromJson(JSON.parse(JSON.stringify(recording.toJson())));
    expect(read.transactionOf(hash)).toEqual({ from: ONE });
    expect(read.transactionOf(unknown)).toBeUndefined();
  });

  it('has the calls of each block in the recording of this block', async () => {
    const later = { ...HEADER, number: '0x8', hash: `0x${'88'.repeat(32)}` } as const;
    const recordings = [HEADER, later].map((header) => new ChainRecording(1, MULTICALL3, header));
    const data = encodeAggregate3([{ target: ONE, data: '0xaa' }]);
    const client = recordingClient(node, ...recordings);
    await client.request('eth_call', [{ to: MULTICALL3, data }, pin]);
    expect(recordings.map(({ callCount }) => callCount)).toEqual([1, 0]);
  });
});
