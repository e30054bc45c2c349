import { EVENTS, WEBHOOK_EVENT_TYPES } from '@plimsoll/contracts';
import { type AttemptResult, deliveryEvent, isNews } from './attempt-result';

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
  endpointGone: false,
  ...over,
});

describe('isNews', () => {
  it('is false for a first attempt that succeeds at an endpoint that works', () => {
    expect(isNews(resultOf())).toBe(false);
  });

  it.each([
    ['is tried again', resultOf({ state: 'retrying' })],
    ['failed', resultOf({ state: 'failed' })],
    ['was skipped', resultOf({ state: 'skipped', attempts: 0 })],
    ['succeeded after a failure', resultOf({ attempts: 2 })],
    ['succeeded at an endpoint that was failing', resultOf({}, { failingSince: new Date(0) })],
    ['succeeded for an execution', resultOf({}, { isAwaited: true })],
  ])('is true for one that %s', (_name, result) => {
    expect(isNews(result)).toBe(true);
  });
});

describe('deliveryEvent', () => {
  /** As the release before this one had them. */
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
    'of %s has an event that an earlier release knows, and the exact type',
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
