import { waitFor } from '@plimsoll/testing';
import { seededRandom } from '@plimsoll/devnet';
import type { StreamClient } from './stream-client';
import { StreamsHarness, newAccount } from './streams-harness';

const CONNECTIONS = 80;
const SEEDS = [
  '{"type":"subscribe","id":"all","filter":{"wallets":["0x0000000000000000000000000000000000000001"]}}',
  '{"type":"subscribe","id":"all","filter":{"minUsd":100,"chainIds":[1,10]},"since":"MXBvc2l0aW9ucy4xLjI"}',
  '{"type":"unsubscribe","id":"all"}',
  '{"type":"ping"}',
];
const PIECES = [
  '{',
  '}',
  '[',
  ']',
  '"',
  ':',
  ',',
  'null',
  '1e999',
  '-0',
  '\\u0000',
  '\u202e',
  'true',
  '__proto__',
];

describe('any data from a client', () => {
  let harness: StreamsHarness;
  beforeAll(async () => {
    harness = await StreamsHarness.start();
  }, 120_000);
  afterAll(() => harness.close());

  const connect = (): Promise<StreamClient> => harness.connect('positions', newAccount());

  it('one text in a few fragments is one frame', async () => {
    const client = await connect();
    client.socket.send('{"ty', { fin: false });
    client.socket.send('pe":"pi', { fin: false });
    client.socket.send('ng"}', { fin: true });
    await client.waitFor('pong');
  });

  it('one text in too many fragments closes with 4501', async () => {
    const client = await connect();
    for (let piece = 0; piece < 100; piece += 1) client.socket.send('x', { fin: false });
    expect(await client.closeCode()).toBe(4501);
  });

  it('leads to a response or a close with 4501, and the service continues', async () => {
    const random = seededRandom(20_261_122);
    const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;
    const frames = Array.from({ length: CONNECTIONS }, (_, number) => {
      const bytes = Buffer.from(pick(SEEDS));
      for (let change = 0; change < 1 + number / 10; change += 1)
        bytes[Math.floor(random() * bytes.length)] = Math.floor(random() * 256);
      const at = Math.floor(random() * bytes.length);
      const text = `${bytes.toString('latin1', 0, at)}${pick(PIECES)}${bytes.toString('latin1', at)}`;
      return number % 4 === 0 ? bytes : text;
    });
    const outcomes = await Promise.all(
      frames.map(async (frame) => {
        const client = await connect();
        const response = () => client.frames.find(({ type }) => type !== 'welcome' && type !== 'heartbeat');
        client.socket.send(frame, { binary: random() < 0.3 });
        await waitFor(() => response() !== undefined || client.closed !== null, {
          message: `a response to ${JSON.stringify(frame.toString('latin1'))}`,
        });
        return client.closed?.code ?? response()!.type;
      }),
    );
    const known = new Set([4501, 'error', 'pong', 'subscribed', 'gap', 'resumed', 'snapshot']);
    expect(outcomes.filter((outcome) => !known.has(outcome))).toEqual([]);
    expect(outcomes).toContain(4501);
    expect(outcomes).toContain('error');
    const healthy = await connect();
    healthy.send({ type: 'ping' });
    await healthy.waitFor('pong');
  });
});
