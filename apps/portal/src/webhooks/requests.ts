import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { type Schema, plimsoll } from '../api/client';
import { freshWhilePaged } from '../api/paged-list';

export type Webhook = Schema<'WebhookItem'>;
export type EventType = Webhook['events'][number];
export type Severity = Webhook['severities'][number];
export type Delivery = Schema<'DeliveryItem'>;
export type DeliveryState = Delivery['state'];

/** Event types with their meaning. */
export const EVENTS: Readonly<Record<EventType, string>> = {
  'alert.created': 'A risk began.',
  'alert.escalated': 'It became worse.',
  'alert.updated': 'Its figures changed, or it became milder.',
  'alert.resolved': 'It is over.',
  'alert.group': 'Many positions are affected by one cause.',
  'position.updated': 'Amounts or the health factor of a position changed.',
  'position.liquidation_risk': 'The level of a position became worse.',
  'test.ping': 'A test of the endpoint.',
};
export const EVENT_TYPES = Object.keys(EVENTS) as EventType[];
export const SEVERITIES: readonly Severity[] = ['info', 'low', 'medium', 'high', 'critical'];
export const STATES: readonly DeliveryState[] = ['pending', 'retrying', 'delivered', 'failed', 'skipped'];

export const webhooksQuery = queryOptions({
  queryKey: ['webhooks'],
  queryFn: async ({ signal }) => await plimsoll.webhooks.list({ limit: 200 }, { signal }),
});

/** Periods that end now, by their name in the address. */
export const PERIODS = ['hour', 'day', 'week'] as const;
export type Period = (typeof PERIODS)[number];

const HOUR_MS = 3_600_000;
const PERIOD_MS: Record<Period, number> = { hour: HOUR_MS, day: 24 * HOUR_MS, week: 168 * HOUR_MS };

export const PERIOD_NAMES: Record<Period, string> = {
  hour: 'last hour',
  day: 'last 24 hours',
  week: 'last 7 days',
};

/** When a period began, to the minute, so that its list is the same for a minute. */
export const beginOf = (period: Period): string =>
  new Date(Math.floor((Date.now() - PERIOD_MS[period]) / 60_000) * 60_000).toISOString();

export interface DeliveryFilter {
  since?: Period | undefined;
  state?: DeliveryState | undefined;
  event?: EventType | undefined;
}

/** The parts of the address of an endpoint's page. */
export interface EndpointSearch extends DeliveryFilter {
  dialog?: 'edit' | 'rotate' | 'delete' | 'recover' | undefined;
  /** The delivery of the drawer. */
  delivery?: string | undefined;
}

const PAGE = 100;
export const deliveriesQuery = (id: string, { state, event, since }: DeliveryFilter) =>
  infiniteQueryOptions({
    queryKey: ['deliveries', id, state ?? '', event ?? '', since ?? ''],
    queryFn: async ({ pageParam, signal }) =>
      await plimsoll.webhooks.deliveries(
        {
          id,
          limit: PAGE,
          ...(state && { state }),
          ...(event && { event }),
          ...(since && { since: beginOf(since) }),
          ...(pageParam && { cursor: pageParam }),
        },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
    select: ({ pages }) => ({
      deliveries: pages.flatMap(({ deliveries }) => deliveries),
      pages: pages.length,
    }),
    staleTime: freshWhilePaged,
  });

export const deliveryQuery = (id: string) =>
  queryOptions({
    queryKey: ['delivery', id],
    queryFn: async ({ signal }) => (await plimsoll.deliveries.get({ id }, { signal })).delivery,
  });
