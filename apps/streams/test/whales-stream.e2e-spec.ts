import type { WhaleV1 } from '@plimsoll/contracts';
import { outgoing } from '@plimsoll/event-bus';
import { sampleMove } from '@plimsoll/testing';
import { StreamsHarness, newAccount } from './streams-harness';

jest.setTimeout(60_000);

describe('WebSocket /v1/streams/whales', () => {
  let harness: StreamsHarness;
  beforeAll(async () => {
    harness = await StreamsHarness.start();
  }, 120_000);
  afterAll(() => harness.close());

  const publish = async (...moves: WhaleV1[]): Promise<string[]> => {
    const events = moves.map((move) => outgoing('whale.v1', move));
    await harness.publisher.publish(...events);
    return events.map(({ eventId }) => eventId);
  };

  it('sends every account whale activity, and its retraction', async () => {
    const clients = [
      await harness.subscribe('whales', newAccount()),
      await harness.subscribe('whales', newAccount()),
    ];
    const move = sampleMove(harness.newWallet());
    const published = await publish(move, { ...move, status: 'reverted' });
    for (const client of clients) {
      const events = await client.waitFor('event', 2);
      expect(events.map(({ eventId }) => eventId)).toEqual(published);
      expect(events.map(({ data }) => data)).toMatchObject([
        { id: move.activityId, action: 'withdraw', usdValue: 1_500_000, asset: 'WETH', status: 'observed' },
        { id: move.activityId, status: 'reverted' },
      ]);
      expect(client.frames.map(({ type }) => type)).toEqual(['welcome', 'subscribed', 'event', 'event']);
    }
  });

  it('sends only moves that match the filter', async () => {
    const [one, two] = [harness.newWallet(), harness.newWallet()];
    const ofTwo = await harness.subscribe('whales', newAccount(), { wallets: [two] });
    const large = await harness.subscribe('whales', newAccount(), {
      minUsd: 2_000_000,
      protocols: ['aave-v3'],
    });
    const never = await harness.subscribe('whales', newAccount(), { maxHealthFactor: 1.1 });
    const last = await harness.subscribe('whales', newAccount());
    const [, second, third] = await publish(
      sampleMove(one),
      sampleMove(two),
      sampleMove(one, { usdValue: 2_000_000 }),
      sampleMove(one, { usdValue: 3_000_000, protocol: 'morpho-blue' }),
    );
    await last.waitFor('event', 4);
    expect((await ofTwo.waitFor('event')).map(({ eventId }) => eventId)).toEqual([second]);
    expect((await large.waitFor('event')).map(({ eventId }) => eventId)).toEqual([third]);
    expect(never.of('event')).toEqual([]);
  });

  it('sends missed moves once and in order', async () => {
    const accountId = newAccount();
    const wallet = harness.newWallet();
    const first = await harness.subscribe('whales', accountId, { wallets: [wallet] });
    await publish(sampleMove(wallet));
    const [seen] = await first.waitFor('event');
    first.socket.terminate();
    const missed = await publish(sampleMove(wallet), sampleMove(wallet));
    const back = await harness.subscribe('whales', accountId, { wallets: [wallet] }, seen?.cursor);
    const events = await back.waitFor('event', 2);
    expect(events.map(({ eventId }) => eventId)).toEqual(missed);
    expect(back.of('resumed')).toMatchObject([{ recovered: true }]);
  });
});
