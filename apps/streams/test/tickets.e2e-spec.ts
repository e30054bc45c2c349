import type { ProblemBody, StreamTicket } from '@plimsoll/contracts';
import { StreamsHarness, newAccount } from './streams-harness';

jest.setTimeout(60_000);

describe('POST /v1/streams/tickets', () => {
  let harness: StreamsHarness;
  let other: StreamsHarness;
  beforeAll(async () => {
    harness = await StreamsHarness.start();
    other = await harness.another();
  }, 120_000);
  afterAll(async () => {
    await other.stop();
    await harness.close();
  });

  async function ticketOf(accountId: string, over = {}): Promise<StreamTicket> {
    const headers = harness.headers('POST', '/v1/streams/tickets', over, accountId);
    const response = await harness.app.inject({ method: 'POST', url: '/v1/streams/tickets', headers });
    expect(response.statusCode).toBe(201);
    return response.json<StreamTicket>();
  }
  const openWith = (ticket: string) => other.open(`/v1/streams/alerts?ticket=${ticket}`, '', null);

  it('responds with 201 and a ticket that opens one stream, on any instance, once', async () => {
    const accountId = newAccount();
    const { ticket, expiresAt } = await ticketOf(accountId);
    expect(ticket).toMatch(/^tkt_/);
    const secondsLeft = (Date.parse(expiresAt) - Date.now()) / 1_000;
    expect(secondsLeft).toBeGreaterThan(50);
    expect(secondsLeft).toBeLessThanOrEqual(60);
    const opened = await openWith(ticket);
    if (!('client' in opened)) throw new Error(opened.body);
    opened.client.send({ type: 'subscribe', id: 'all' });
    await opened.client.waitFor('subscribed');
    const eventId = await harness.alert(accountId, harness.newWallet(), 'high');
    expect(await opened.client.waitFor('event')).toMatchObject([{ eventId }]);
    expect(await openWith(ticket)).toMatchObject({ status: 401 });
  });

  it("opens no stream outside of the key's scopes", async () => {
    const { ticket } = await ticketOf(newAccount(), { scopes: ['positions:read'] });
    expect(await openWith(ticket)).toMatchObject({ status: 403 });
  });

  it.each(['tkt_', `tkt_${'A'.repeat(43)}`, 'x'])('401 for %s', async (ticket) => {
    expect(await openWith(ticket)).toMatchObject({ status: 401 });
  });

  it.each([
    [{}, 201, undefined],
    [{ stream: 'alerts' }, 400, 'stream'],
    [[], 400, ''],
  ])('for the body %j responds with %s', async (payload, status, field) => {
    const headers = harness.headers('POST', '/v1/streams/tickets', {}, newAccount());
    const response = await harness.app.inject({
      method: 'POST',
      url: '/v1/streams/tickets',
      headers: { ...headers, 'content-type': 'application/json' },
      payload: JSON.stringify(payload),
    });
    expect(response.statusCode).toBe(status);
    expect(response.json<ProblemBody>().errors?.[0]?.field).toBe(field);
  });

  it('401 without an identity', async () => {
    const response = await harness.app.inject({ method: 'POST', url: '/v1/streams/tickets' });
    expect(response.statusCode).toBe(401);
  });
});
