import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { type Schema, plimsoll } from '../api/client';

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

export interface DeliveryFilter {
  state?: DeliveryState | undefined;
  event?: EventType | undefined;
}

/** The parts of the address of an endpoint's page. */
export interface EndpointSearch extends DeliveryFilter {
  dialog?: 'edit' | 'rotate' | 'delete' | undefined;
  /** The delivery of the drawer. */
  delivery?: string | undefined;
}

export const deliveriesQuery = (id: string, { state, event }: DeliveryFilter) =>
  infiniteQueryOptions({
    queryKey: ['deliveries', id, state ?? '', event ?? ''],
    queryFn: async ({ pageParam, signal }) =>
      await plimsoll.webhooks.deliveries(
        { id, ...(state && { state }), ...(event && { event }), ...(pageParam && { cursor: pageParam }) },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
    select: ({ pages }) => pages.flatMap(({ deliveries }) => deliveries),
  });

export const deliveryQuery = (id: string) =>
  queryOptions({
    queryKey: ['delivery', id],
    queryFn: async ({ signal }) => (await plimsoll.deliveries.get({ id }, { signal })).delivery,
  });
