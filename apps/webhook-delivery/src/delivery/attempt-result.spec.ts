import { EVENTS, WEBHOOK_EVENT_TYPES } from '@plimsoll/contracts';
import { type AttemptResult, deliveryEvent, isSignificant } from './attempt-result';

const resultOf = (
  over: Partial<AttemptResult> = {},
  of: Partial<AttemptResult['delivery']> = {},
): AttemptResult => ({
  delivery: {
    deliveryId: 'del',
    webhookId: 'wh',
    accountId: 'acc',
    eventId: 'evt',
    event: 'alert.created',
    failingSince: null,
    isAwaited: false,
    ...of,
  },
  state: 'delivered',
  attempts: 1,
  sent: null,
  atMs: 0,
  nextAttemptAtMs: null,
  isEndpointDeleted: false,
  ...over,
});

describe('isSignificant', () => {
  it('is false when the first attempt succeeds at a working endpoint', () => {
    expect(isSignificant(resultOf())).toBe(false);
  });

  it.each([
    ['is tried again', resultOf({ state: 'retrying' })],
    ['failed', resultOf({ state: 'failed' })],
    ['was skipped', resultOf({ state: 'skipped', attempts: 0 })],
    ['succeeded after a failure', resultOf({ attempts: 2 })],
    ['succeeded at an endpoint that was failing', resultOf({}, { failingSince: new Date(0) })],
    ['succeeded for an execution', resultOf({}, { isAwaited: true })],
  ])('is true for a result that %s', (_name, result) => {
    expect(isSignificant(result)).toBe(true);
  });
});

describe('deliveryEvent', () => {
  /** Event types of the previous release. */
  const FIRST = [
    'alert.created',
    'alert.resolved',
    'position.updated',
    'position.liquidation_risk',
    'test.ping',
  ];
  const ids = {
    deliveryId: 'del_01aBcDeFgHiJkLmNoPqRsT',
    webhookId: 'wh_01aBcDeFgHiJkLmNoPqRsT',
    accountId: 'acc_01aBcDeFgHiJkLmNoPqRsT',
    eventId: 'evt_01aBcDeFgHiJkLmNoPqRsT',
  };

  it.each(WEBHOOK_EVENT_TYPES)(
    'of %s has an event that earlier releases know, and the exact type',
    (event) => {
      const value = JSON.parse(deliveryEvent(resultOf({}, { ...ids, event })).value ?? '') as Record<
        string,
        unknown
      >;
      expect(EVENTS['delivery.v1'].explain(value)).toBe('');
      expect(FIRST).toContain(value['event']);
      expect(value['eventType']).toBe(event);
      if (FIRST.includes(event)) expect(value['event']).toBe(event);
    },
  );
});
