import { type DeliveryV1, derivedId } from '@plimsoll/contracts';
import { endpointChange } from './endpoint-alert';

const delivery = (over: Partial<DeliveryV1>): DeliveryV1 => ({
  deliveryId: derivedId('del', 1),
  webhookId: derivedId('wh', 1),
  accountId: derivedId('acc', 1),
  eventId: derivedId('evt', 1),
  event: 'alert.created',
  state: 'failed',
  attempt: 5,
  statusCode: 503,
  at: '2026-11-21T12:00:00.000Z',
  nextAttemptAt: null,
  ...over,
});

describe('endpointChange', () => {
  it('opens one medium alert for a delivery that failed after all attempts', () => {
    expect(endpointChange(delivery({}), null)).toMatchObject({ kind: 'open', severity: 'medium' });
    expect(endpointChange(delivery({}), 'medium')).toBeNull();
  });

  it.each(['gone', 'failing'] as const)(
    '%s: opens one high alert, also over a medium one',
    (webhookDisabled) => {
      const disabled = delivery({ attempt: 1, webhookDisabled });
      expect(endpointChange(disabled, null)).toMatchObject({ kind: 'open', severity: 'high' });
      expect(endpointChange(disabled, 'medium')).toMatchObject({ kind: 'open', severity: 'high' });
      expect(endpointChange(disabled, 'high')).toBeNull();
    },
  );

  it('resolves either with a successful delivery', () => {
    const delivered = delivery({ state: 'delivered', attempt: 1, statusCode: 204 });
    expect(endpointChange(delivered, 'medium')?.kind).toBe('resolve');
    expect(endpointChange(delivered, 'high')?.kind).toBe('resolve');
    expect(endpointChange(delivered, null)).toBeNull();
  });

  it.each(['pending', 'retrying', 'skipped'] as const)('%s changes nothing', (state) => {
    expect(endpointChange(delivery({ state, attempt: 4 }), null)).toBeNull();
    expect(endpointChange(delivery({ state }), 'high')).toBeNull();
  });
});
