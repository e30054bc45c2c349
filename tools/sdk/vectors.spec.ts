import { statedWait, waitBefore } from '../../libs/sdk/src/retry';
import { webhooks } from '../../libs/sdk/src/webhooks';
import { vectors } from './vectors';

const { nowMs, webhooks: requests, statedWaits, waits } = vectors();

/** The clients for Python and Go read the same vectors from clients/vectors. */
describe('the vectors of the clients, in the SDK', () => {
  it.each(requests.map((each) => [each.name, each] as const))('%s', async (_, vector) => {
    const { bodyBase64, headers, secrets, code, toleranceSeconds, acceptWithoutTime } = vector;
    const verdict = await webhooks
      .verify(Buffer.from(bodyBase64, 'base64'), headers, secrets, {
        nowMs,
        ...(toleranceSeconds !== undefined && { toleranceSeconds }),
        ...(acceptWithoutTime !== undefined && { acceptWithoutTime }),
      })
      .then(
        () => null,
        (error: { code: string }) => error.code,
      );
    expect(verdict).toBe(code);
  });

  it.each(statedWaits)('$status with $headers states $waitMs ms', ({ status, headers, waitMs }) => {
    expect(statedWait(status, new Headers(headers), nowMs)).toBe(waitMs);
  });

  it.each(waits)(
    'attempt $attempt with $statedMs ms stated waits $waitMs ms',
    ({ attempt, statedMs, random, waitMs }) => {
      expect(waitBefore(attempt, statedMs, random)).toBe(waitMs);
    },
  );
});
