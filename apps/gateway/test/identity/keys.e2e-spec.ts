import { waitFor } from '@plimsoll/testing';
import { Fixture, call } from '../fixture';

jest.setTimeout(60_000);

describe('API keys', () => {
  let fixture: Fixture;
  let gateways: string[];

  beforeAll(async () => {
    fixture = await Fixture.start();
    gateways = [await fixture.gateway(), await fixture.gateway()];
  });
  afterAll(() => fixture.stop());

  const statuses = (key: string): Promise<number[]> =>
    Promise.all(gateways.map(async (gateway) => (await call(gateway, '/v1/positions', key)).status));

  it('revoked: 401 on every gateway', async () => {
    const { key, keyId } = await fixture.account('pro');
    expect(await statuses(key)).toEqual([200, 200]);
    await fixture.admin('keys', 'revoke', '--id', keyId);
    await waitFor(async () => (await statuses(key)).every((status) => status === 401), {
      timeoutMs: 10_000,
      message: '401 on both',
    });
    expect((await call(gateways[0] ?? '', '/v1/positions', key)).body.code).toBe('invalid_api_key');
  });

  it('expired: 401 from its end on', async () => {
    const { accountId } = await fixture.account('pro');
    const expiresAt = new Date(Date.now() + 2_500).toISOString();
    const { out } = await fixture.admin('keys', 'create', '--account', accountId, '--expires-at', expiresAt);
    const { key } = (JSON.parse(out) as { key: { key: string } }).key;
    expect(await statuses(key)).toEqual([200, 200]);
    await waitFor(() => Date.now() >= Date.parse(expiresAt), { message: 'the expiry' });
    expect(await statuses(key)).toEqual([401, 401]);
  });

  it('above the cap of a lower tier: the newest are disabled, and enabled again with the tier', async () => {
    const oldest = await fixture.account('pro');
    const newest = await fixture.key(oldest.accountId);
    await fixture.admin('accounts', 'set-tier', '--id', oldest.accountId, '--tier', 'open');
    const [gateway = ''] = gateways;
    await waitFor(
      async () => (await call(gateway, '/v1/positions', newest.key)).body.code === 'quota_reached',
      {
        message: 'the newest key disabled',
      },
    );
    expect((await call(gateway, '/v1/positions', oldest.key)).status).toBe(200);
    await fixture.admin('accounts', 'set-tier', '--id', oldest.accountId, '--tier', 'pro');
    await waitFor(async () => (await call(gateway, '/v1/positions', newest.key)).status === 200, {
      message: 'the newest key enabled',
    });
  });
});
