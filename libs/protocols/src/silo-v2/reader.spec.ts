import { encodeFunctionData, type Hex } from 'viem';
import { describeRecordedFamily } from '../../test/describe-recorded-family';
import { openRecording } from '../../test/open-recording';
import { isReadable, type RawPosition } from '../reader/raw-position';
import { readSiloIds, readSiloPairs, siloAbi, type SiloPair } from './layout';

const NAME = 'silo-v2/silo-v2-400-days';
const keysOf = (positions: readonly RawPosition[]): string[] =>
  positions.map(({ wallet, subId }) => `${wallet} ${subId}`);

describeRecordedFamily(NAME, ({ factory }) => factory);

it('an oracle that fails makes only the positions of its market unreadable', async () => {
  const { reader, scope, wallets, block } = openRecording(NAME);
  const { positions } = await reader.readPositions(wallets, block);
  const { pairs } = await readSiloPairs(scope, block, await readSiloIds(scope, block));
  const [id, { sides }] = [...pairs].find(([, pair]) => pair.sides.some(({ oracle }) => oracle !== null))!;
  const oracle = sides.find((side) => side.oracle)!.oracle!;
  const failing = openRecording(NAME, 0, { faults: { [oracle]: { ok: false, data: '0x' } } });
  const read = await failing.reader.readPositions(wallets, block);
  expect(read.unreadable).toEqual([]);
  expect(keysOf(read.positions).toSorted()).toEqual(keysOf(positions).toSorted());
  const failed = new Set(read.positions.filter((each) => !isReadable(each)).map(({ subId }) => subId));
  expect([...failed]).toEqual([id]);
});

it('a market whose config fails is unreadable for every wallet, because its share tokens are unknown', async () => {
  const { reader, scope, wallets, block } = openRecording(NAME);
  const { positions } = await reader.readPositions(wallets, block);
  const { pairs } = await readSiloPairs(scope, block, await readSiloIds(scope, block));
  const [id, { config }] = [...pairs][0]!;
  const failing = openRecording(NAME, 0, { faults: { [config]: { ok: false, data: '0x' } } });
  const read = await failing.reader.readPositions(wallets, block);
  expect(read.unreadable).toEqual([]);
  const others = positions.filter(({ subId }) => subId !== id);
  expect(others.length).toBeGreaterThan(0);
  expect(keysOf(read.positions.filter(isReadable)).toSorted()).toEqual(keysOf(others).toSorted());
  const failed = read.positions.filter((each) => !isReadable(each));
  expect(keysOf(failed).toSorted()).toEqual(wallets.map((wallet) => `${wallet} ${id}`).toSorted());
});

it('a market that names the share tokens of another one as its own hides no position in that one', async () => {
  const { client, reader, scope, wallets, block } = openRecording(NAME);
  const { positions } = await reader.readPositions(wallets, block);
  const { pairs } = await readSiloPairs(scope, block, await readSiloIds(scope, block));
  const [[id, genuine]] = [...pairs] as [[string, SiloPair]];
  const [, hostile] = [...pairs].at(-1)!;
  const calls = [0, 1].map((side) => {
    const dataOf = ({ sides }: SiloPair) =>
      encodeFunctionData({ abi: siloAbi, functionName: 'getConfig', args: [sides[side]!.silo] });
    return { called: dataOf(hostile), stated: dataOf(genuine) };
  });
  const silos = encodeFunctionData({ abi: siloAbi, functionName: 'getSilos' });
  const pin = { blockHash: block.hash, requireCanonical: true };
  const results = await Promise.all(
    calls.map(({ stated }) => client.request<Hex>('eth_call', [{ to: genuine.config, data: stated }, pin])),
  );
  const read = await openRecording(NAME, 0, {
    faults: ({ to, data }) => {
      if (to !== hostile.config || data === silos) return undefined;
      const at = calls.findIndex(({ called }) => called === data);
      return at < 0 ? { ok: false, data: '0x' } : { ok: true, data: results[at]! };
    },
  }).reader.readPositions(wallets, block);
  const own = (of: readonly RawPosition[]): RawPosition[] => of.filter(({ subId }) => subId === id);
  expect(own(positions).length).toBeGreaterThan(20);
  expect(own(read.positions)).toEqual(own(positions));
});
