import { FAILING_FOR_MS, endpointChanges } from './endpoint-changes';

const NOW_MS = 10 * 86_400_000;

describe('endpointChanges', () => {
  let sequence = 0;
  const result = (webhookId: string, statusCode: number | null, failingSinceMs: number | null = null) => ({
    delivery: {
      deliveryId: `del_${(sequence += 1)}`,
      webhookId,
      accountId: 'acc_1',
      eventId: 'evt_1',
      event: 'alert.created' as const,
      failingSince: failingSinceMs === null ? null : new Date(failingSinceMs),
      isAwaited: false,
    },
    sent:
      statusCode === null
        ? ({ startedAtMs: 0, durationMs: 1, statusCode, error: 'timeout', signatures: 1 } as const)
        : ({
            startedAtMs: 0,
            durationMs: 1,
            statusCode,
            error: null,
            retryAfter: undefined,
            responseHeaders: '',
            responseHead: '',
            signatures: 1,
          } as const),
    atMs: NOW_MS,
    isEndpointDeleted: statusCode === 410,
  });

  it('writes nothing for an endpoint that keeps working or keeps failing', () => {
    const results = [result('wh_1', 200), result('wh_2', 500, NOW_MS - FAILING_FOR_MS + 1)];
    expect(endpointChanges(results)).toEqual({ recovered: [], failed: [] });
  });

  it('counts from the first failure and ends with the first success', () => {
    const began = result('wh_1', null);
    expect(endpointChanges([began, result('wh_2', 204, 1)])).toEqual({
      recovered: ['wh_2'],
      failed: [{ webhookId: 'wh_1', deliveryId: began.delivery.deliveryId, atMs: NOW_MS, reason: null }],
    });
  });

  it('disables an endpoint whose attempts have all failed for five days', () => {
    const last = result('wh_1', 503, NOW_MS - FAILING_FOR_MS);
    expect(endpointChanges([last]).failed).toMatchObject([
      { webhookId: 'wh_1', deliveryId: last.delivery.deliveryId, reason: 'failing' },
    ]);
  });

  it('treats one success among failures as a working endpoint', () => {
    const since = NOW_MS - FAILING_FOR_MS;
    const results = [result('wh_1', 500, since), result('wh_1', 200, since), result('wh_1', 500, since)];
    expect(endpointChanges(results)).toEqual({ recovered: ['wh_1'], failed: [] });
  });

  it('disables on 410 whatever the other results are', () => {
    const gone = result('wh_1', 410);
    expect(endpointChanges([result('wh_1', 500), result('wh_1', 200), gone]).failed).toMatchObject([
      { webhookId: 'wh_1', deliveryId: gone.delivery.deliveryId, reason: 'gone' },
    ]);
  });

  it('ignores a skipped delivery', () => {
    expect(endpointChanges([{ ...result('wh_1', 500), sent: null }])).toEqual({ recovered: [], failed: [] });
  });
});
