import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { plimsoll } from '../api/client';
import { Button } from '../design/button';
import { Card } from '../design/layout';
import { Empty, ErrorNotice, Loading, Notice } from '../design/notice';
import { Select } from '../design/select';
import { Time } from '../design/values';
import {
  type Delivery,
  type DeliveryFilter,
  type DeliveryState,
  type EndpointSearch,
  EVENT_TYPES,
  type EventType,
  STATES,
  type Webhook,
  deliveriesQuery,
} from './requests';
import { DeliveryStatus, formatMs, outcomeOf } from './states';

const [MOVING_MS, RESTING_MS] = [3_000, 10_000];
const DAY_MS = 86_400_000;
const all = (words: readonly string[]) => [
  { value: '', label: 'all' },
  ...words.map((word) => ({ value: word, label: word })),
];

const isMoving = ({ state }: Delivery): boolean => state === 'pending' || state === 'retrying';

export function DeliveryLog({
  webhook,
  filter,
  open,
}: {
  webhook: Webhook;
  filter: DeliveryFilter;
  open: (search: EndpointSearch) => void;
}): ReactNode {
  const queries = useQueryClient();
  const list = useInfiniteQuery({
    ...deliveriesQuery(webhook.id, filter),
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ deliveries }) => deliveries.some(isMoving)) ? MOVING_MS : RESTING_MS,
  });
  const recover = useMutation({
    mutationFn: () =>
      plimsoll.webhooks.recover({ id: webhook.id, since: new Date(Date.now() - DAY_MS).toISOString() }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['deliveries', webhook.id] }),
  });
  const deliveries = list.data ?? [];
  const canRecover =
    webhook.isEnabled && deliveries.some(({ state }) => state === 'failed' || state === 'skipped');
  return (
    <Card
      title="Deliveries"
      aside={
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <Select
            label="State"
            choices={all(STATES)}
            value={filter.state ?? ''}
            onChange={(state) =>
              open({ ...filter, state: (state || undefined) as DeliveryState | undefined })
            }
          />
          <Select
            label="Event"
            choices={all(EVENT_TYPES)}
            value={filter.event ?? ''}
            onChange={(event) => open({ ...filter, event: (event || undefined) as EventType | undefined })}
          />
          {canRecover && (
            <Button size="small" isPending={recover.isPending} onPress={() => recover.mutate()}>
              Retry all of the last day
            </Button>
          )}
        </div>
      }
    >
      {recover.data && (
        <div className="px-5 pt-4">
          <Notice tone="good" title={`${recover.data.count} deliveries are pending again`} />
        </div>
      )}
      {(list.isError || recover.isError) && (
        <div className="p-5">
          <ErrorNotice error={list.error ?? recover.error} onRetry={() => void list.refetch()} />
        </div>
      )}
      {list.isPending && <Loading rows={5} />}
      {list.data && deliveries.length === 0 && (
        <Empty title={filter.state || filter.event ? 'No delivery matches.' : 'Nothing was sent yet.'}>
          <p className="text-soft">Send a test, and it appears here with the response of your endpoint.</p>
        </Empty>
      )}
      {deliveries.length > 0 && (
        <DeliveryTable deliveries={deliveries} onOpen={(delivery) => open({ ...filter, delivery })} />
      )}
      {list.hasNextPage && (
        <div className="border-t border-line px-5 py-3">
          <Button size="small" isPending={list.isFetchingNextPage} onPress={() => void list.fetchNextPage()}>
            Show older deliveries
          </Button>
        </div>
      )}
    </Card>
  );
}

const HEAD = 'px-5 py-2 font-medium';
const CELL = 'px-5 py-2.5';

function DeliveryTable({
  deliveries,
  onOpen,
}: {
  deliveries: readonly Delivery[];
  onOpen: (id: string) => void;
}): ReactNode {
  return (
    <table className="w-full text-left">
      <thead className="text-xs text-soft max-md:sr-only">
        <tr className="border-b border-line">
          {['State', 'Event', 'Response', 'Attempts', 'Duration', 'Created'].map((name) => (
            <th key={name} scope="col" className={`${HEAD} ${/Att|Dur/.test(name) ? 'text-right' : ''}`}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {deliveries.map((delivery) => {
          const last = delivery.attempts.at(-1);
          return (
            <tr
              key={delivery.id}
              className="relative border-b border-line last:border-0 hover:bg-hover max-md:flex max-md:flex-wrap max-md:items-center max-md:py-1"
            >
              <td className={`${CELL} md:w-32`}>
                <DeliveryStatus state={delivery.state} />
              </td>
              <td className={`${CELL} max-md:pl-0`}>
                <button
                  type="button"
                  aria-label={`${delivery.event}, details of ${delivery.id}`}
                  onClick={() => onOpen(delivery.id)}
                  className="font-mono text-sm outline-offset-4 after:absolute after:inset-0"
                >
                  {delivery.event}
                </button>
              </td>
              <td className={`${CELL} max-w-60 truncate text-soft`}>{outcomeOf(delivery)}</td>
              <td className={`${CELL} text-right text-soft max-md:hidden`}>{delivery.attempts.length}</td>
              <td className={`${CELL} text-right text-soft max-md:hidden`}>
                {last ? formatMs(last.durationMs) : 'none yet'}
              </td>
              <td className={`${CELL} text-soft max-md:ml-auto`}>
                <Time at={delivery.createdAt} />
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
