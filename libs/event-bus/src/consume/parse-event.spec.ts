import { EVENTS } from '@plimsoll/contracts';
import type { KafkaMessage } from 'kafkajs';
import { parseEvent } from './parse-event';

const wallet = {
  accountId: `acc_${'1'.repeat(22)}`,
  wallet: `0x${'a'.repeat(40)}`,
  enabled: true,
  watchedSince: '2026-11-21T12:00:00.000Z',
};

const message = (value: string | null, headers: Record<string, string> = {}): KafkaMessage => ({
  key: Buffer.from('the key'),
  value: value === null ? null : Buffer.from(value),
  timestamp: '1763726400000',
  attributes: 0,
  offset: '42',
  headers: Object.fromEntries(
    Object.entries({ ce_id: 'evt_1', ce_type: 'wallet.v1', ...headers }).map(([name, text]) => [
      name,
      Buffer.from(text),
    ]),
  ),
});
const parse = (from: KafkaMessage) => parseEvent(EVENTS['wallet.v1'], 3, from);

describe('parseEvent', () => {
  it('reads value, key, offset and headers', () => {
    const { event, reason } = parse(message(JSON.stringify(wallet), { 'x-request-id': 'req-1' }));
    expect(reason).toBe('');
    expect(event).toEqual({
      id: 'evt_1',
      key: 'the key',
      value: wallet,
      time: 1_763_726_400_000,
      offset: '42',
      partition: 3,
      requestId: 'req-1',
      traceparent: undefined,
    });
  });

  it('rejects a correlation of several lines, which would break out of its column', () => {
    const { event } = parse(message(JSON.stringify(wallet), { 'x-request-id': 'req-1\nreq-2' }));
    expect(event).toMatchObject({ id: 'evt_1', requestId: undefined });
  });

  it('reads a tombstone of a compacted topic as null', () => {
    expect(parse(message(null)).event?.value).toBeNull();
  });

  it('keeps unknown fields, which a newer publisher may send', () => {
    expect(parse(message(JSON.stringify({ ...wallet, later: 1 }))).event?.value).toEqual({
      ...wallet,
      later: 1,
    });
  });

  it.each([
    ['broken JSON', message('{'), /^invalid JSON: /],
    ['the JSON null', message('null'), /^invalid schema: /],
    ['a wrong field', message(JSON.stringify({ ...wallet, enabled: 'yes' })), /^invalid schema: \/enabled/],
    ['no id', message('{}', { ce_id: '' }), /^no ce_id header/],
    ['an id of two lines', message('{}', { ce_id: 'evt_1\nevt_2' }), /^no ce_id header/],
    ['another type', message('{}', { ce_type: 'wallet.v2' }), /^ce_type is wallet.v2/],
    ['no key', { ...message('{}'), key: null }, /^no key/],
  ])('rejects %s with the reason', (_name, from, reason) => {
    expect(parse(from)).toMatchObject({ event: undefined, reason: expect.stringMatching(reason) as string });
  });
});
