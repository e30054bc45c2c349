import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { isPaged, readFirstPage } from '../api/paged-list';
import { Button } from '../design/button';
import { Filters } from '../design/filters';
import { formatMs } from '../design/format';
import { Card } from '../design/layout';
import { CELL, FirstPage, LiveState, LongTable, NewRows, Older, ROW, WIDE } from '../design/list';
import { Empty } from '../design/notice';
import { useCalmList } from '../design/rows';
import { ALL, Select } from '../design/select';
import { Time } from '../design/values';
import { untilNextAttempt } from './next-attempt';
import {
  type Delivery,
  type DeliveryFilter,
  type EndpointSearch,
  EVENT_TYPES,
  PERIODS,
  PERIOD_NAMES,
  STATES,
  type Webhook,
  deliveriesQuery,
} from './requests';
import { DeliveryStatus, outcomeOf } from './states';

/** While an attempt is due or in flight. */
const MOVING_MS = 4_000;
const all = (words: readonly string[]) => [ALL, ...words.map((word) => ({ value: word, label: word }))];
const SINCE = [
  { value: '', label: 'any time' },
  ...PERIODS.map((value) => ({ value, label: PERIOD_NAMES[value] })),
];
const COLUMNS = [
  { name: 'State' },
  { name: 'Event' },
  { name: 'Response' },
  { name: 'Attempts', isRight: true, isWide: true },
  { name: 'Duration', isRight: true, isWide: true },
  { name: 'Created', isRight: true },
];

const idOf = ({ id }: Delivery): string => id;

export function DeliveryLog({
  webhook,
  webhooks,
  filter,
  open,
  onEndpoint,
}: {
  webhook: Webhook;
  /** All of the account, which the filter offers. */
  webhooks: readonly Webhook[];
  filter: DeliveryFilter;
  open: (search: EndpointSearch) => void;
  /** Shows the deliveries of another endpoint. */
  onEndpoint: (id: string) => void;
}): ReactNode {
  const queries = useQueryClient();
  const list = useInfiniteQuery({
    ...deliveriesQuery(webhook.id, filter),
    refetchInterval: (query) => {
      const shown = query.state.data?.pages.flatMap((page) => page.deliveries) ?? [];
      return isPaged(query) ? false : untilNextAttempt(shown, MOVING_MS);
    },
  });
  const { rows, newer, toTop } = useCalmList(list.data?.deliveries ?? [], idOf);
  const canRecover = webhook.isEnabled && rows.some(({ state }) => state === 'failed' || state === 'skipped');
  const active = Object.values(filter).filter(Boolean).length;
  return (
    <>
      <NewRows count={newer} name={newer === 1 ? 'delivery' : 'deliveries'} onShow={toTop} />
      <Card
        title="Deliveries"
        aside={
          <span className="flex flex-wrap items-center gap-4 text-sm text-soft">
            <LiveState
              name="deliveries"
              isPaused={list.isFetchNextPageError || (list.data?.pages ?? 0) > 1}
              onResume={() => void readFirstPage(queries, ['deliveries', webhook.id])}
            />
            {canRecover && (
              <Button size="small" onPress={() => open({ ...filter, dialog: 'recover' })}>
                Retry all failed
              </Button>
            )}
          </span>
        }
      >
        <Filters active={active} onClear={() => open({})}>
          {webhooks.length > 1 && (
            <Select
              label="Endpoint"
              choices={webhooks.map(({ id, url }) => ({ value: id, label: url }))}
              value={webhook.id}
              onChange={onEndpoint}
            />
          )}
          <Select
            label="State"
            choices={all(STATES)}
            value={filter.state ?? ''}
            onChange={(state) => open({ ...filter, state: STATES.find((each) => each === state) })}
          />
          <Select
            label="Event"
            choices={all(EVENT_TYPES)}
            value={filter.event ?? ''}
            onChange={(event) => open({ ...filter, event: EVENT_TYPES.find((each) => each === event) })}
          />
          <Select
            label="Created"
            choices={SINCE}
            value={filter.since ?? ''}
            onChange={(since) => open({ ...filter, since: PERIODS.find((each) => each === since) })}
          />
        </Filters>
        <FirstPage rows={5} list={list} />
        {list.data && rows.length === 0 && (
          <Empty title={active > 0 ? 'No delivery matches.' : 'Nothing was sent yet.'}>
            <p className="text-soft">Send a test, and it appears here with the response of your endpoint.</p>
          </Empty>
        )}
        {rows.length > 0 && (
          <LongTable label="Deliveries" columns={COLUMNS} rows={rows}>
            {(delivery, properties) => (
              <tr key={delivery.id} {...properties} className={ROW}>
                <DeliveryCells
                  delivery={delivery}
                  onOpen={() => open({ ...filter, delivery: delivery.id })}
                />
              </tr>
            )}
          </LongTable>
        )}
        {list.hasNextPage && <Older name="deliveries" count={rows.length} list={list} />}
      </Card>
    </>
  );
}

function DeliveryCells({ delivery, onOpen }: { delivery: Delivery; onOpen: () => void }): ReactNode {
  const last = delivery.attempts.at(-1);
  return (
    <>
      <td className={`${CELL} lg:w-32`}>
        <DeliveryStatus state={delivery.state} />
      </td>
      <td className={CELL}>
        <button
          type="button"
          aria-label={`${delivery.event}, details of ${delivery.id}`}
          onClick={onOpen}
          className="font-mono text-sm outline-offset-4 after:absolute after:inset-0"
        >
          {delivery.event}
        </button>
      </td>
      <td
        className={`${CELL} min-w-0 truncate text-soft max-lg:order-last max-lg:w-full lg:w-full lg:max-w-0`}
      >
        {outcomeOf(delivery)}
      </td>
      <td className={`${CELL} text-right text-soft ${WIDE}`}>{delivery.attempts.length}</td>
      <td className={`${CELL} text-right whitespace-nowrap text-soft ${WIDE}`}>
        {last ? formatMs(last.durationMs) : 'none yet'}
      </td>
      <td className={`${CELL} text-right text-soft max-lg:ml-auto`}>
        <Time at={delivery.createdAt} />
      </td>
    </>
  );
}
