import Decoder from 'kafkajs/src/protocol/decoder';
import encodeRecord from 'kafkajs/src/protocol/recordBatch/record/v0';
import decodeRecord from 'kafkajs/src/protocol/recordBatch/record/v0/decoder';
import Long from 'kafkajs/src/utils/long';
import { encodeHeaders } from './headers';
import { readHeadersAtOnce } from './headers-at-once';

const NAMES_OF_AN_EVENT = encodeHeaders({
  id: 'evt_1',
  topic: 'alert.v1',
  source: 'alerts',
  time: 1_700_000_000_000,
  key: 'acc_1',
  requestId: 'cause-1',
  traceparent: '00-a-b-01',
});

/** A null value, which kafkajs does not write: one header `a`, of length −1. */
const NULL_VALUE = Buffer.from([0, 0, 0, 1, 1, 0x02, 0x02, 0x61, 0x01]);

const recordWith = (headers: object): Buffer => {
  const { buffer } = encodeRecord({
    timestampDelta: Long.fromInt(0),
    key: Buffer.from('key'),
    value: Buffer.from('value'),
    headers,
  });
  return new Decoder(buffer).readVarIntBytes() ?? Buffer.alloc(0);
};

const RECORDS: [name: string, record: Buffer][] = [
  ['an event', recordWith(NAMES_OF_AN_EVENT)],
  ['none', recordWith({})],
  ['two and three of a name', recordWith({ a: ['1', '2'], b: 'x', c: ['1', '2', '3'] })],
  ['more than ASCII', recordWith({ größe: 'naïve', '': '' })],
  ['a null value', NULL_VALUE],
];

describe('readHeadersAtOnce', () => {
  const read = (record: Buffer): unknown =>
    decodeRecord(new Decoder(record), { firstOffset: '0', firstTimestamp: '0' });
  const before = new Map(RECORDS.map(([name, record]) => [name, read(record)]));
  beforeAll(() => {
    readHeadersAtOnce();
    readHeadersAtOnce();
  });

  it.each(RECORDS)('reads the same as kafkajs: %s', (name, record) => {
    const { headers } = before.get(name) as { headers: object };
    expect(headers).toBeDefined();
    expect(read(record)).toEqual(before.get(name));
  });

  it('takes names that every object has for names', () => {
    const { headers } = read(recordWith({ constructor: '1', ['__proto__']: '2' })) as { headers: object };
    expect(Object.entries(headers)).toEqual([
      ['constructor', Buffer.from('1')],
      ['__proto__', Buffer.from('2')],
    ]);
  });

  it('leaves other arrays as they are', () => {
    const decoder = new Decoder(Buffer.from([0x04, 7, 8]));
    const bytes = decoder.readVarIntArray((each) => each.buffer[each.offset++]);
    expect(bytes).toEqual([7, 8]);
  });
});
