import { type BlockRef, ChainRecording, type RpcHeader, type Transaction } from '@plimsoll/evm';
import type { ProtocolReader } from '@plimsoll/protocols';
import type { ReceiptCall } from '@plimsoll/receipts';
import type { Address, Hex } from 'viem';
import type { RecordedMarket } from '../chains/chain-connection';
import { SharedReader } from './shared-readers';

const POOL = `0x${'ab'.repeat(20)}` as const;
const WALLET: Address = `0x${'77'.repeat(20)}`;

/** A market that counts the calls that are added to its recordings. */
class CountedMarket implements RecordedMarket {
  readonly added: string[][] = [];
  private recording!: ChainRecording;

  at(hash: Hex) {
    const header: RpcHeader = { number: '0x7', hash, parentHash: hash, timestamp: '0x9' };
    this.recording = new ChainRecording(1, POOL, header);
    const block: BlockRef = { number: 7n, hash, timestamp: 9n };
    return Promise.resolve({
      reader: {} as ProtocolReader<unknown, unknown>,
      block,
      recording: this.recording,
    });
  }

  add(calls: readonly Transaction[]): Promise<void> {
    this.added.push(calls.map(({ data }) => data));
    for (const call of calls) this.recording.addCall(call, { ok: true, data: '0x01' });
    return Promise.resolve();
  }
}

const call = (data: string): ReceiptCall => ({ to: POOL, data, ok: true, resultHash: '' });
const blockHash = (digit: string): Hex => `0x${digit.repeat(64)}`;

describe('SharedReader', () => {
  it('adds the calls of every receipt before at a new block, in one request', async () => {
    const market = new CountedMarket();
    const shared = new SharedReader(market);
    shared.keep('', WALLET, [call('0x01'), call(`0x02${WALLET.slice(2)}`)]);
    shared.keep('', WALLET, [call('0x01'), call('0x03')]);
    const first = (await shared.at(blockHash('1')))!;
    await shared.complete('', first);
    expect(market.added).toEqual([['0x01', '0x03']]);
    await shared.complete('', first);
    shared.keep('', WALLET, [call('0x01')]);
    await shared.complete('', first);
    expect(market.added).toHaveLength(1);
    shared.keep('', WALLET, [call('0x04')]);
    await shared.complete('', first);
    expect(market.added.slice(1)).toEqual([['0x04']]);
    await shared.complete('', (await shared.at(blockHash('2')))!);
    expect(market.added.slice(2)).toEqual([['0x01', '0x03', '0x04']]);
  });

  it('keeps the calls of parts of a market apart', async () => {
    const market = new CountedMarket();
    const shared = new SharedReader(market);
    shared.keep('1', WALLET, [call('0x01')]);
    await shared.complete('2', (await shared.at(blockHash('1')))!);
    expect(market.added).toEqual([]);
  });

  it('bounds the calls of a part', async () => {
    const market = new CountedMarket();
    const shared = new SharedReader(market);
    const calls = Array.from({ length: 2_001 }, (_, at) => call(`0x${at.toString(16).padStart(8, '0')}`));
    shared.keep('', WALLET, calls);
    await shared.complete('', (await shared.at(blockHash('1')))!);
    expect(market.added).toEqual([[calls.at(-1)!.data]]);
  });
});
