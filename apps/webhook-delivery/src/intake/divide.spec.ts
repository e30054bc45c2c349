import type { WebhookEventType } from '@plimsoll/contracts';
import { divide } from './divide';
import type { AddressedEvent } from './new-deliveries';

const EVENTS: WebhookEventType[] = ['position.updated'];

const endpoint = (webhookId: string, isBehind = false) => ({
  webhookId,
  isBehind,
  events: EVENTS,
  severities: [],
  protocols: [],
  chainIds: [],
  wallets: null,
});

const eventsOf = (accountId: string, count: number, targetWebhookId?: string): AddressedEvent[] =>
  Array.from({ length: count }, (_, at) => ({
    accountId,
    targetWebhookId,
    event: {
      eventId: `evt_${accountId}_${at}`,
      event: 'position.updated',
      timestamp: '2026-11-24T12:00:00.000Z',
      data: {
        positionId: 'pos_a',
        wallet: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
        healthFactor: 1.2,
        previousHealthFactor: 1.3,
        totalCollateralUsd: 100,
        totalDebtUsd: 50,
        protocol: 'aave-v3',
        chainId: 1,
      },
    },
  }));

describe('divide', () => {
  it('lets the few events of an account pass, in their order', () => {
    const few = eventsOf('acc_light', 32);
    const many = eventsOf('acc_heavy', 33);
    const endpoints = new Map([
      ['acc_light', [endpoint('wh_a')]],
      ['acc_heavy', [endpoint('wh_b')]],
    ]);
    const { direct, turns } = divide([...many.slice(0, 20), ...few, ...many.slice(20)], endpoints);
    expect(direct).toEqual(few);
    expect(turns).toEqual([{ accountId: 'acc_heavy', events: many }]);
  });

  it('lets an event wait while earlier ones of its account wait', () => {
    const events = eventsOf('acc_a', 1);
    const { direct, turns } = divide(events, new Map([['acc_a', [endpoint('wh_a', true)]]]));
    expect(direct).toEqual([]);
    expect(turns).toEqual([{ accountId: 'acc_a', events }]);
  });

  it('makes turns of at most fifty deliveries, and of at least one event', () => {
    const sizes = (endpoints: number): number[] => {
      const own = Array.from({ length: endpoints }, (_, at) => endpoint(`wh_${at}`));
      return divide(eventsOf('acc_a', 120), new Map([['acc_a', own]])).turns.map(
        ({ events }) => events.length,
      );
    };
    expect(sizes(1)).toEqual([50, 50, 20]);
    expect(sizes(20)).toEqual(Array.from({ length: 60 }, () => 2));
    expect(sizes(60)).toEqual(Array.from({ length: 120 }, () => 1));
  });

  it('drops events that no endpoint takes', () => {
    const endpoints = new Map([['acc_a', [endpoint('wh_a')]]]);
    const events = [...eventsOf('acc_a', 40, 'wh_deleted'), ...eventsOf('acc_without', 40)];
    expect(divide(events, endpoints)).toEqual({ direct: [], turns: [] });
  });
});
