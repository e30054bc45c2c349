import { type KeyV1, newId } from '@plimsoll/contracts';
import { outgoing } from '@plimsoll/event-bus';
import { StreamsHarness, newAccount } from './streams-harness';

jest.setTimeout(60_000);

describe('a connection whose API key ends', () => {
  let harness: StreamsHarness;
  beforeAll(async () => {
    harness = await StreamsHarness.start();
  }, 120_000);
  afterAll(() => harness.close());

  async function connect(accountId: string, keyId: string) {
    const opened = await harness.open('/v1/streams/alerts', accountId, { keyId });
    if (!('client' in opened)) throw new Error(opened.body);
    return opened.client;
  }
  const ended = (accountId: string, keyId: string, ending: KeyV1['ending'], inMs = 0) =>
    harness.publisher.publish(
      outgoing('key.v1', { accountId, keyId, ending, endsAt: new Date(Date.now() + inMs).toISOString() }),
    );

  it.each([
    ['revoked', 4505],
    ['expired', 4505],
    ['rotated', 4005],
  ] as const)('%s: closes with %i, while a connection with another key stays open', async (ending, code) => {
    const [accountId, keyId] = [newAccount(), newId('key')];
    const [client, other] = [await connect(accountId, keyId), await connect(accountId, newId('key'))];
    await ended(accountId, keyId, ending);
    expect(await client.closeCode()).toBe(code);
    expect(other.closed).toBeNull();
    expect(await harness.open('/v1/streams/alerts', accountId, { keyId })).toMatchObject({ status: 401 });
  });

  it('stays open until the end of an overlap', async () => {
    const [accountId, keyId] = [newAccount(), newId('key')];
    const client = await connect(accountId, keyId);
    const endsAtMs = Date.now() + 1_500;
    await ended(accountId, keyId, 'rotated', 1_500);
    expect(await client.closeCode()).toBe(4005);
    expect(Date.now()).toBeGreaterThanOrEqual(endsAtMs);
  });
});
