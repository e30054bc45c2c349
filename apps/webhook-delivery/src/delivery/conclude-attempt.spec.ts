import { concludeAttempt, type AttemptResponse, type Conclusion } from './conclude-attempt';

const conclude = (attempt: number, response: AttemptResponse, retries = true): Conclusion =>
  concludeAttempt(attempt, response, retries, 1_000, () => 0);

describe('concludeAttempt', () => {
  it.each([200, 201, 204, 299])('%s is delivered', (statusCode) => {
    expect(conclude(1, { statusCode })).toEqual({
      state: 'delivered',
      nextAttemptAtMs: null,
      isEndpointDeleted: false,
    });
  });

  it.each([100, 199, 300, 301, 302, 307, 308, 400, 401, 404, 408, 429, 500, 503, 599, null])(
    '%s is retried',
    (statusCode) => {
      expect(conclude(1, { statusCode })).toEqual({
        state: 'retrying',
        nextAttemptAtMs: 61_000,
        isEndpointDeleted: false,
      });
    },
  );

  it('fails with the fifth attempt', () => {
    const states = [1, 2, 3, 4, 5].map((attempt) => conclude(attempt, { statusCode: 500 }).state);
    expect(states).toEqual(['retrying', 'retrying', 'retrying', 'retrying', 'failed']);
    expect(conclude(5, { statusCode: null }).nextAttemptAtMs).toBeNull();
  });

  it('fails immediately on 410 and reports that the endpoint was removed', () => {
    expect(conclude(1, { statusCode: 410 })).toEqual({
      state: 'failed',
      nextAttemptAtMs: null,
      isEndpointDeleted: true,
    });
  });

  it('waits at least as long as the Retry-After of 429 and 503', () => {
    expect(conclude(1, { statusCode: 503, retryAfter: '600' }).nextAttemptAtMs).toBe(601_000);
    expect(conclude(1, { statusCode: 500, retryAfter: '600' }).nextAttemptAtMs).toBe(61_000);
  });

  it('makes one attempt without retries', () => {
    expect(conclude(1, { statusCode: 500 }, false).state).toBe('failed');
  });
});
