import { describeRecordedFamily } from '../../test/describe-recorded-family';
import { openRecording } from '../../test/open-recording';
import { isReadable, type RawPosition } from '../reader/raw-position';
import { readSiloIds, readSiloPairs } from './layout';

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
