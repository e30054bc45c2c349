import type { StreamAlert } from '@plimsoll/contracts';
import { StreamsHarness, newAccount } from './streams-harness';

jest.setTimeout(60_000);

describe('WebSocket /v1/streams/alerts', () => {
  let harness: StreamsHarness;
  beforeAll(async () => {
    harness = await StreamsHarness.start();
  }, 120_000);
  afterAll(() => harness.close());

  it("sends the account's new alerts without a snapshot", async () => {
    const accountId = newAccount();
    const wallet = harness.newWallet();
    const first = await harness.subscribe('alerts', accountId);
    await harness.alert(accountId, wallet, 'critical');
    await first.waitFor('event');
    const client = await harness.subscribe('alerts', accountId);
    const eventId = await harness.alert(accountId, wallet, 'low', {
      status: 'resolved',
      resolvedAt: new Date().toISOString(),
    });
    const [event] = await client.waitFor('event');
    expect(event).toMatchObject({ eventId, data: { type: 'liquidation_risk', status: 'resolved' } });
    expect(client.frames.map(({ type }) => type)).toEqual(['welcome', 'subscribed', 'event']);
  });

  it('sends only alerts that match the filter', async () => {
    const accountId = newAccount();
    const [one, two] = [harness.newWallet(), harness.newWallet()];
    const critical = await harness.subscribe('alerts', accountId, { minSeverity: 'critical' });
    const ofTwo = await harness.subscribe('alerts', accountId, { wallets: [two] });
    const high = await harness.alert(accountId, one, 'high', { severity: 'high' });
    const worst = await harness.alert(accountId, two, 'liquidatable');
    const noPosition = await harness.alert(accountId, one, 'high', { position: null });
    await critical.waitFor('event', 2);
    await ofTwo.waitFor('event');
    expect(critical.of('event').map(({ eventId }) => eventId)).toEqual([worst, noPosition]);
    expect(ofTwo.of('event').map(({ eventId }) => eventId)).toEqual([worst]);
    expect(high).not.toBe(worst);
  });

  it('sends changes of an active alert, and resumes over both topics from one cursor', async () => {
    const accountId = newAccount();
    const wallet = harness.newWallet();
    const client = await harness.subscribe('alerts', accountId);
    await harness.alert(accountId, wallet, 'high');
    const [created] = await client.waitFor('event');
    const missed = [
      await harness.alertChange(accountId),
      await harness.alert(accountId, wallet, 'liquidatable'),
      await harness.alertChange(accountId, { change: 'updated', reason: 'retracted' }),
    ];
    await client.waitFor('event', 4);
    const back = await harness.subscribe('alerts', accountId, {}, created?.cursor);
    const events = back.of('event');
    expect(events.map(({ eventId }) => eventId).sort()).toEqual([...missed].sort());
    expect(new Map(events.map(({ eventId, data }) => [eventId, (data as StreamAlert).change]))).toEqual(
      new Map(missed.map((id, at) => [id, ['escalated', 'created', 'updated'][at]])),
    );
    expect(back.of('resumed')).toMatchObject([{ recovered: true }]);
  });
});
