import { type WatchedWallet, walletKey } from '@plimsoll/contracts';
import { waitFor } from '@plimsoll/testing';
import { ServiceFixture, identityOf } from './service-fixture';

const WALLET = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const OTHER = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC';

jest.setTimeout(30_000);

describe('Idempotency-Key on POST /v1/wallets', () => {
  let service: ServiceFixture;

  beforeAll(async () => {
    service = await ServiceFixture.withoutNode();
    await service.start();
  }, 60_000);
  afterAll(() => service.close(), 30_000);

  const me = identityOf('pro');
  const watch = async (address: string, key = 'key') => {
    const response = await service.app.inject({
      method: 'POST',
      url: '/v1/wallets',
      headers: {
        ...service.headers('POST', '/v1/wallets', { limits: me.limits }, me.accountId),
        'idempotency-key': key,
      },
      payload: { address },
    });
    const replayed = response.headers['idempotency-replayed'];
    return { status: response.statusCode, replayed, body: response.json<WatchedWallet>() };
  };

  it('201 for the same key although the wallet is watched by then; 409 for another wallet', async () => {
    const first = await watch(WALLET);
    expect(first).toMatchObject({ status: 201, replayed: undefined, body: { address: WALLET } });
    expect(await watch(WALLET)).toEqual({ ...first, replayed: 'true' });
    expect((await watch(WALLET, 'new-key')).status).toBe(200);
    expect(await watch(OTHER)).toMatchObject({ status: 409, body: { code: 'idempotency_mismatch' } });
  });

  it('is one event', async () => {
    const events = () =>
      service.events.wallets.filter(({ key }) => key === walletKey(me.accountId, WALLET.toLowerCase()));
    await waitFor(() => events().length > 0, { message: 'wallet.v1 is published' });
    await watch(OTHER, 'later');
    await waitFor(() => service.events.wallets.some(({ value }) => value?.wallet === OTHER.toLowerCase()), {
      message: 'the event of a later request',
    });
    expect(events()).toHaveLength(1);
  });
});
