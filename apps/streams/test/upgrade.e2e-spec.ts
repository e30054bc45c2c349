import type { ProblemBody } from '@plimsoll/contracts';
import { StreamsHarness, newAccount } from './streams-harness';

jest.setTimeout(60_000);

describe('the upgrade of a stream', () => {
  let harness: StreamsHarness;
  beforeAll(async () => {
    harness = await StreamsHarness.start();
  }, 120_000);
  afterAll(() => harness.close());

  const refusal = async (...args: Parameters<StreamsHarness['open']>) => {
    const opened = await harness.open(...args);
    if ('client' in opened) throw new Error('the upgrade was taken');
    expect(opened.contentType).toBe('application/problem+json');
    const body = JSON.parse(opened.body) as ProblemBody;
    expect(body.status).toBe(opened.status);
    return `${opened.status} ${body.code}`;
  };

  it('401 without the signed identity, or with an expired one', async () => {
    expect(await refusal('/v1/streams/positions', newAccount(), null)).toBe('401 missing_api_key');
    const issuedAt = Math.floor(Date.now() / 1000) - 60;
    expect(await refusal('/v1/streams/positions', newAccount(), { issuedAt })).toBe('401 missing_api_key');
  });

  it('403 below enterprise', async () => {
    expect(await refusal('/v1/streams/alerts', newAccount(), { tier: 'business' })).toBe('403 tier_required');
  });

  it('403 without the scope of the stream', async () => {
    const scopes = ['positions:read'] as const;
    expect(await refusal('/v1/streams/alerts', newAccount(), { scopes })).toBe('403 scope_required');
    expect(await harness.open('/v1/streams/positions', newAccount(), { scopes })).toHaveProperty('client');
  });

  it('404 for a stream that does not exist', async () => {
    expect(await refusal('/v1/streams/nothing', newAccount())).toBe('404 route_not_found');
    expect(await refusal('/v1/positions', newAccount())).toBe('404 route_not_found');
  });
});
