import { ChainRecording, Multicall, parseHead, readAll } from '@plimsoll/evm';
import { encodeFunctionData, numberToHex, parseAbi, zeroHash } from 'viem';
import { NotRecorded, replayClient } from './replay-client';

const MULTICALL3 = `0x${'ca'.repeat(20)}` as const;
const CONTRACT = `0x${'01'.repeat(20)}` as const;
const HEADER = {
  number: '0x7',
  hash: `0x${'77'.repeat(32)}`,
  parentHash: zeroHash,
  timestamp: '0x64',
} as const;
const abi = parseAbi(['function number(uint256 id) view returns (uint256)']);
const later = { ...HEADER, number: '0x8', hash: `0x${'88'.repeat(32)}` } as const;
const row = { protocol: 'p', family: 'f', chainId: 1, market: 'm', contracts: {} };

/** A recording of number(1), which returned 5, and of number(2), which reverted. */
function recorded(): ChainRecording {
  const recording = new ChainRecording(1, MULTICALL3, HEADER);
  const callOf = (id: bigint) => ({
    to: CONTRACT,
    data: encodeFunctionData({ abi, functionName: 'number', args: [id] }),
  });
  recording.addCall(callOf(1n), { ok: true, data: numberToHex(5n, { size: 32 }) });
  recording.addCall(callOf(2n), { ok: false, data: '0x' });
  return recording;
}

function read(ids: readonly bigint[], block = parseHead(HEADER)) {
  const client = replayClient(recorded(), 'comet/some');
  const multicall = new Multicall(client, MULTICALL3);
  return readAll({ row, multicall }, 'numbers', block, (plan) =>
    ids.map((id) => plan.attempt(CONTRACT, abi, 'number', [id])),
  );
}

describe('replayClient', () => {
  it('serves recorded calls in any group, and their reverts', async () => {
    const reverted = { ok: false, reason: 'reverted' };
    expect(await read([1n, 2n])).toEqual([{ ok: true, value: 5n }, reverted]);
    expect(await read([2n, 1n, 2n])).toEqual([reverted, { ok: true, value: 5n }, reverted]);
  });

  it('fails a read that is not recorded, and states what to run', async () => {
    const missing = read([1n, 3n]);
    await expect(missing).rejects.toThrow(NotRecorded);
    await expect(missing).rejects.toThrow(`comet/some lacks the call`);
    await expect(missing).rejects.toThrow('npm run record -- --help');
  });

  it('fails a read at another block, of other logs, and any other request', async () => {
    await expect(read([1n], { ...parseHead(HEADER), hash: zeroHash })).rejects.toThrow(NotRecorded);
    const client = replayClient(recorded(), 'comet/some');
    const filter = { address: [CONTRACT], topics: [[zeroHash]], fromBlock: '0x0', toBlock: '0x7' };
    await expect(client.request('eth_getLogs', [filter])).rejects.toThrow(/lacks logs of 0x01/);
    await expect(client.request('eth_getBalance', [CONTRACT, '0x7'])).rejects.toThrow(NotRecorded);
  });

  it('serves the headers of all recordings, and the transactions of the newest', async () => {
    const newest = new ChainRecording(1, MULTICALL3, later);
    const [sent, other] = [`0x${'aa'.repeat(32)}`, `0x${'bb'.repeat(32)}`] as const;
    newest.addTransaction(sent, { from: CONTRACT });
    const client = replayClient([recorded(), newest], 'comet/some');
    const header = (block: string) => client.request('eth_getBlockByNumber', [block, false]);
    expect(await Promise.all(['0x7', '0x8', 'latest'].map(header))).toEqual([HEADER, later, later]);
    await expect(header('0x9')).rejects.toThrow(NotRecorded);
    const sender = (hash: string) => client.request('eth_getTransactionByHash', [hash]);
    expect(await sender(sent)).toEqual({ from: CONTRACT });
    await expect(sender(other)).rejects.toThrow(NotRecorded);
  });
});
