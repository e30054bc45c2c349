import { webhooks } from '@plimsoll/sdk';
import { isSecret, newSecret, signRequest } from './signed-request';

describe('signRequest', () => {
  const event = { event: 'test.ping', eventId: 'evt_01aBcDeFgHiJkLmNoPqRsT' };
  const body = JSON.stringify({ ...event, data: { message: 'ä' } });

  it('signs as the platform does, in both schemes', async () => {
    const secret = newSecret();
    const { headers } = signRequest(event, body, secret, Date.now());
    expect(await webhooks.verify(body, headers, secret)).toMatchObject(event);
    const simple = { 'x-service-signature': headers['x-service-signature'] };
    expect(await webhooks.verify(body, simple, secret, { acceptWithoutTime: true })).toMatchObject(event);
    await expect(webhooks.verify(body, headers, newSecret())).rejects.toMatchObject({
      code: 'signature_wrong',
    });
  });

  it('makes secrets that it accepts', () => {
    expect(isSecret(newSecret())).toBe(true);
    expect(['', 'whsec_', 'abc'].map(isSecret)).toEqual([false, false, false]);
  });
});
