import fc from 'fast-check';
import { Connections } from '../connection/connections';
import { StreamConnection, Subscription } from '../connection/stream-connection';
import type { Transport } from '../connection/transport';
import type { StreamEvent } from '../log/stream-event';
import { Watches } from '../log/watches';
import { Audience } from './audience';
import { FanOut, SlotSet } from './fan-out';

const MOVE: StreamEvent = {
  partition: 0,
  offset: 0,
  id: 'evt_1',
  timeMs: 0,
  accountId: null,
  isForAll: true,
  subject: {
    position: { id: 'pos_1', wallet: '0xab', protocol: '', chainId: 1, healthFactor: 1, collateralUsd: 1 },
    severity: null,
  },
  body: '"eventId":"evt_1","timestamp":"","data":{}}',
};

describe('FanOut', () => {
  const connections = new Connections();
  const fanOut = new FanOut(connections, new Audience(new Watches(), connections));
  let delivered: string[] = [];
  beforeEach(() => (delivered = []));

  const connect = (name: string, accountId: string): StreamConnection => {
    const transport: Transport = {
      isOpen: true,
      unsentBytes: 0,
      send: (frame) => frame.json.includes('"welcome"') || delivered.push(name) > 0,
      onDrain: () => undefined,
      beat: () => true,
      close: () => undefined,
      terminate: () => undefined,
    };
    const connection = new StreamConnection(
      transport,
      { accountId, keyId: 'key_1' },
      {
        stream: 'whales',
        heartbeatMs: 1_000,
        now: () => 0,
        cursor: () => '',
        addressesOf: () => Promise.resolve(new Map()),
        onSubscribed: (subscription) => connections.goLive(subscription),
        onUnsubscribed: (subscription) => connections.suspend(subscription),
      },
    );
    connections.add(connection);
    return connection;
  };
  const subscribe = (connection: StreamConnection, ...ids: string[]): void => {
    for (const id of ids) connection.receive({ kind: 'frame', frame: { type: 'subscribe', id } });
  };

  it('notifies each connection once, in the order of arrival over all accounts', () => {
    const clients = ['a', 'b', 'a', 'b', 'a'].map((account, at) =>
      connect(`${account}${at}`, `acc_${account}`),
    );
    for (const client of clients.toReversed()) subscribe(client, 'all', 'again');
    delivered = [];
    fanOut.deliver('whales', MOVE, 'after', 'before');
    expect(delivered).toEqual(['a0', 'b1', 'a2', 'b3', 'a4']);
    connections.remove(clients[2] as StreamConnection);
    const next = connect('a5', 'acc_a');
    delivered = [];
    fanOut.deliver('whales', MOVE, 'after', 'before');
    expect(delivered.toSorted()).toEqual(['a0', 'a4', 'b1', 'b3']);
    connections.goLive(new Subscription(next, 'late'));
    connections.goLive(new Subscription(clients[2] as StreamConnection, 'gone'));
    delivered = [];
    fanOut.deliver('whales', MOVE, 'after', 'before');
    expect(delivered.toSorted()).toEqual(['a0', 'a4', 'a5', 'b1', 'b3']);
  });

  it('leaves no connection marked for the next event when one fails', () => {
    const alert: StreamEvent = { ...MOVE, id: 'evt_2', isForAll: false, accountId: 'acc_y' };
    const [first] = Array.from({ length: 100 }, (_, at) => connect(`x${at}`, 'acc_x'));
    for (const connection of connections.of('acc_x')) subscribe(connection, 'all');
    const yours = connect('y', 'acc_y');
    subscribe(yours, 'all');
    jest.spyOn(first as StreamConnection, 'send').mockImplementation(() => {
      throw new Error('cannot be sent to');
    });
    expect(() => fanOut.deliver('whales', MOVE, 'after', 'before')).toThrow('cannot be sent to');
    delivered = [];
    fanOut.deliver('whales', alert, 'later', 'after');
    expect(delivered).toEqual(['y']);
  });
});

function slotsOf(...slots: number[]): number[] {
  const set = new SlotSet();
  for (const slot of slots) set.add(slot);
  const seen: number[] = [];
  set.each((slot) => seen.push(slot));
  return seen;
}

describe('SlotSet', () => {
  it('contains each once and in order', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 200_000 }), { maxLength: 50 }), (slots) => {
        expect(slotsOf(...slots)).toEqual([...new Set(slots)].sort((a, b) => a - b));
      }),
    );
  });

  it('works for every slot of a word', () => {
    const all = Array.from({ length: 100 }, (_, slot) => slot);
    expect(slotsOf(...all.toReversed())).toEqual(all);
  });
});
