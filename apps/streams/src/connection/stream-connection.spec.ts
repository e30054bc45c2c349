import { Problem, type StreamServerFrame, invalidRequest } from '@plimsoll/contracts';
import { LIMITS } from '../limits';
import { encodeCursor } from '../log/cursor';
import type { StreamEvent } from '../log/stream-event';
import { parseClientFrame } from './client-frame';
import type { EncodedFrame } from './encoded-frame';
import { EventFrame } from './event-frame';
import type { FilterAddresses } from './filter-names';
import { type ConnectionContext, StreamConnection } from './stream-connection';
import type { Transport } from './transport';

class RecordingTransport implements Transport {
  isOpen = true;
  unsentBytes = 0;
  closedWith: number | null = null;
  readonly frames: (StreamServerFrame & { type: string })[] = [];

  send(frame: EncodedFrame, onSent?: () => void): boolean {
    this.frames.push(JSON.parse(frame.json) as StreamServerFrame);
    onSent?.();
    return this.unsentBytes === 0;
  }
  onDrain(): void {}
  beat(frame: EncodedFrame): boolean {
    this.send(frame);
    return true;
  }
  close(code: number): void {
    this.closedWith = code;
    this.isOpen = false;
  }
  terminate(): void {
    this.isOpen = false;
  }

  of<T extends StreamServerFrame['type']>(type: T): Extract<StreamServerFrame, { type: T }>[] {
    return this.frames.filter((frame) => frame.type === type) as Extract<StreamServerFrame, { type: T }>[];
  }
}

/** The n-th event of Kafka, for a position. */
const event = (offset: number, position: string): EventFrame => {
  const body = `"eventId":"evt_${offset}","timestamp":"","data":{"id":"${position}"}}`;
  const subject = {
    position: { id: position, wallet: '0xab', protocol: '', chainId: 1, healthFactor: 1, collateralUsd: 1 },
    severity: null,
  };
  const value: StreamEvent = {
    partition: 0,
    offset,
    id: `evt_${offset}`,
    timeMs: 0,
    accountId: null,
    isForAll: false,
    subject,
    body,
  };
  return new EventFrame(value, encodeCursor('positions', [offset + 1]), encodeCursor('positions', [offset]));
};

function connect(
  stream: 'positions' | 'alerts',
  addressesOf: ConnectionContext['addressesOf'] = () => Promise.resolve(new Map()),
): {
  transport: RecordingTransport;
  connection: StreamConnection;
  pass: (ms: number) => void;
  tick: () => void;
} {
  let nowMs = 0;
  const transport = new RecordingTransport();
  const connection = new StreamConnection(
    transport,
    { accountId: 'acc_1', keyId: 'key_1' },
    {
      stream,
      heartbeatMs: 15_000,
      now: () => nowMs,
      cursor: () => 'head',
      addressesOf,
      onSubscribed: () => undefined,
      onUnsubscribed: () => undefined,
    },
  );
  const tick = (): void => connection.tick(nowMs);
  return { transport, connection, pass: (ms) => (nowMs += ms), tick };
}

describe('StreamConnection', () => {
  it(`holds ${LIMITS.subscriptionsPerConnection} subscriptions, and says so to the next`, () => {
    const { transport, connection } = connect('alerts');
    for (let at = 0; at <= LIMITS.subscriptionsPerConnection; at += 1) {
      connection.receive(parseClientFrame(JSON.stringify({ type: 'subscribe', id: `s${at}` }), 'alerts'));
    }
    expect(transport.of('subscribed')).toHaveLength(LIMITS.subscriptionsPerConnection);
    expect(transport.frames.at(-1)).toMatchObject({
      type: 'error',
      id: `s${LIMITS.subscriptionsPerConnection}`,
      code: 'quota_reached',
    });
  });

  it.each([
    ['an invalid filter', { type: 'subscribe', id: 'a', filter: { minUsd: '1' } }, 'a'],
    ['an unknown type', { type: 'listen', id: 'a' }, 'a'],
    ['a subscription that does not exist', { type: 'unsubscribe', id: 'a' }, 'a'],
    ['no id', { type: 'subscribe' }, undefined],
    ['an id that is too long', { type: 'subscribe', id: 'a'.repeat(65) }, undefined],
  ])('names the subscription in the error for %s', (_, frame, id) => {
    const { transport, connection } = connect('positions');
    connection.receive(parseClientFrame(JSON.stringify(frame), 'positions'));
    const { type, ...error } = transport.frames.at(-1) as { type: string; id?: string };
    expect([type, error.id]).toEqual(['error', id]);
  });

  it('rejects a cursor of another stream', () => {
    const { transport, connection } = connect('alerts');
    const since = encodeCursor('positions', [1, 2]);
    connection.receive(parseClientFrame(JSON.stringify({ type: 'subscribe', id: 'a', since }), 'alerts'));
    expect(transport.frames.at(-1)).toMatchObject({ type: 'error', id: 'a', code: 'invalid_request' });
    expect([...connection.all()]).toHaveLength(0);
  });

  describe('with ENS names in a filter', () => {
    const ADA = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
    const subscribe = (id: string) =>
      parseClientFrame(
        JSON.stringify({ type: 'subscribe', id, filter: { wallets: ['ada.eth', '0x' + 'ab'.repeat(20)] } }),
        'alerts',
      );
    const matches = (connection: StreamConnection, wallet: string): boolean => {
      const position = { id: 'p', wallet, protocol: '', chainId: 1, healthFactor: 1, collateralUsd: 1 };
      return [...connection.all()].some(({ filter }) => filter.fits({ position, severity: null }));
    };

    it('subscribes to their addresses, and states them', async () => {
      const addresses = new Map([['ada.eth', ADA]]);
      const { transport, connection } = connect('alerts', () => Promise.resolve(addresses));
      connection.receive(subscribe('a'));
      expect(transport.of('subscribed')).toEqual([]);
      await new Promise(setImmediate);
      expect(transport.of('subscribed')).toEqual([
        { type: 'subscribed', id: 'a', names: [{ name: 'ada.eth', address: ADA }] },
      ]);
      expect([ADA.toLowerCase(), '0x' + 'ab'.repeat(20)].map((each) => matches(connection, each))).toEqual([
        true,
        true,
      ]);
      expect(matches(connection, '0x' + 'cd'.repeat(20))).toBe(false);
    });

    it.each([
      [
        invalidRequest([{ field: '/filter/wallets/0', code: 'name_without_address', message: 'None.' }]),
        { code: 'invalid_request', message: '/filter/wallets/0: None.' },
      ],
      [new Problem('rate_limited', 'Wait.'), { code: 'rate_limited', message: 'Wait.' }],
    ])('refuses with the path of the name, or the reason: %s', async (problem, error) => {
      const { transport, connection } = connect('alerts', () => Promise.reject(problem));
      connection.receive(subscribe('a'));
      await new Promise(setImmediate);
      expect(transport.frames.at(-1)).toEqual({ type: 'error', id: 'a', ...error });
      expect([...connection.all()]).toEqual([]);
      connection.receive(subscribe('a'));
      await new Promise(setImmediate);
      expect(transport.of('error').map(({ code }) => code)).toEqual([error.code, error.code]);
    });

    it('holds the id while they are resolved, and begins nothing after unsubscribe or the end', async () => {
      const waiting: ((addresses: FilterAddresses) => void)[] = [];
      const { transport, connection } = connect(
        'alerts',
        () => new Promise((resolve) => void waiting.push(resolve)),
      );
      connection.receive(subscribe('a'));
      connection.receive(subscribe('a'));
      expect(transport.frames.at(-1)).toMatchObject({ type: 'error', id: 'a', code: 'conflict' });
      connection.receive({ kind: 'frame', frame: { type: 'unsubscribe', id: 'a' } });
      expect(transport.frames.at(-1)).toEqual({ type: 'unsubscribed', id: 'a' });
      connection.receive(subscribe('a'));
      connection.receive(subscribe('b'));
      const [first, second, third] = waiting;
      first!(new Map([['ada.eth', '0x' + 'cd'.repeat(20)]]));
      second!(new Map([['ada.eth', ADA]]));
      await new Promise(setImmediate);
      expect(matches(connection, ADA.toLowerCase())).toBe(true);
      expect(matches(connection, '0x' + 'cd'.repeat(20))).toBe(false);
      connection.close('draining', 'stops');
      third!(new Map([['ada.eth', ADA]]));
      await new Promise(setImmediate);
      expect(transport.of('subscribed').map(({ id }) => id)).toEqual(['a']);
    });
  });

  it('conflates positions of a slow client to the latest of each, with cursors that lose nothing', () => {
    const { transport, connection, pass, tick } = connect('positions');
    connection.deliver(event(0, 'pos_a'));
    transport.unsentBytes = LIMITS.conflateAboveBytes + 1;
    for (const [offset, position] of ['pos_a', 'pos_b', 'pos_a', 'pos_c'].entries()) {
      connection.deliver(event(offset + 1, position));
    }
    tick();
    pass(15_000);
    transport.unsentBytes -= 1;
    tick();
    expect(transport.closedWith).toBeNull();
    expect(transport.of('heartbeat')).toMatchObject([{ cursor: encodeCursor('positions', [1]) }]);
    connection.drained();
    const sent = transport.of('event').map(({ eventId, conflated, cursor }) => [eventId, conflated, cursor]);
    expect(sent).toEqual([
      ['evt_0', undefined, encodeCursor('positions', [1])],
      ['evt_2', undefined, encodeCursor('positions', [3])],
      ['evt_3', true, encodeCursor('positions', [4])],
      ['evt_4', undefined, encodeCursor('positions', [5])],
    ]);
    connection.deliver(event(5, 'pos_a'));
    expect(transport.of('event')).toHaveLength(5);
  });

  it('never skips an alert, and closes with 4008 above 1 MiB', () => {
    const { transport, connection } = connect('alerts');
    transport.unsentBytes = LIMITS.conflateAboveBytes + 1;
    connection.deliver(event(0, 'pos_a'));
    connection.deliver(event(1, 'pos_a'));
    expect(transport.of('event')).toHaveLength(2);
    transport.unsentBytes = LIMITS.unsentBytes + 1;
    connection.deliver(event(2, 'pos_a'));
    expect(transport.closedWith).toBe(4008);
  });

  it('closes with 4008 after 10 s without progress', () => {
    const { transport, pass, tick } = connect('positions');
    transport.unsentBytes = 10;
    tick();
    pass(10_000);
    tick();
    expect(transport.closedWith).toBe(4008);
  });
});
