import { ApiError } from '@plimsoll/sdk';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { plimsoll } from '../api/client';
import { readFirstPage } from '../api/paged-list';
import { Button } from '../design/button';
import { Card, PageHeader } from '../design/layout';
import { LINK } from '../design/link';
import { ErrorNotice, Notice } from '../design/notice';
import { Select } from '../design/select';
import { EventDrawer } from './event-drawer';
import { EVENTS, EVENT_TYPES, type EventType, webhooksQuery } from './requests';

export interface EventsSearch {
  /** The event type of the drawer. */
  event?: EventType | undefined;
}

/** Every event type, and a way to receive an example of it. */
export function EventsPage(): ReactNode {
  const { event: opened } = useSearch({ from: '/signed-in/events' });
  const navigate = useNavigate({ from: '/events' });
  const list = useQuery(webhooksQuery);
  const queries = useQueryClient();
  const needsPlan = list.error instanceof ApiError && list.error.code === 'tier_required';
  const endpoints = list.data?.webhooks.filter(({ isEnabled }) => isEnabled) ?? [];
  const [chosen, setChosen] = useState('');
  const id = chosen || (endpoints[0]?.id ?? '');
  const test = useMutation({
    mutationFn: (event: EventType) => plimsoll.webhooks.test({ id, event }),
    onSettled: () => readFirstPage(queries, ['deliveries', id]),
  });
  return (
    <>
      <PageHeader title="Events">
        The events that Plimsoll sends to your endpoints. A test has the form of the real event, with invented
        figures.
      </PageHeader>
      <div className="flex flex-col gap-6">
        {test.data && (
          <Notice
            tone={test.data.success ? 'good' : 'bad'}
            title={`${test.variables} ${test.data.success ? 'arrived' : 'did not arrive'}`}
          >
            <p>
              <Link
                to="/webhooks/$id"
                params={{ id }}
                search={{ delivery: test.data.deliveryId }}
                className={`${LINK} whitespace-nowrap`}
              >
                Request and response
              </Link>
            </p>
          </Notice>
        )}
        {test.isError && <ErrorNotice error={test.error} />}
        {list.isError && !needsPlan && <ErrorNotice error={list.error} onRetry={() => void list.refetch()} />}
        <Card
          title="Event types"
          aside={
            // Its room is kept while the endpoints are read.
            <div className="flex min-h-10 items-center gap-x-1.5 text-sm text-soft max-sm:w-full md:min-h-8">
              {endpoints.length > 0 && (
                <Select
                  label="Send to"
                  choices={endpoints.map((endpoint) => ({ value: endpoint.id, label: endpoint.url }))}
                  value={id}
                  onChange={setChosen}
                />
              )}
              {needsPlan && (
                <p>
                  Webhooks begin with the pro plan.{' '}
                  <Link to="/account" search={{ dialog: 'plan' }} className={`${LINK} whitespace-nowrap`}>
                    Change plan
                  </Link>
                </p>
              )}
              {list.data && endpoints.length === 0 && (
                <p>
                  No enabled endpoint yet.{' '}
                  <Link to="/webhooks" search={{ dialog: 'create' }} className={`${LINK} whitespace-nowrap`}>
                    Add an endpoint
                  </Link>
                </p>
              )}
            </div>
          }
        >
          <ul>
            {EVENT_TYPES.map((type) => (
              <li
                key={type}
                className="flex min-h-14 flex-wrap items-center justify-between gap-x-6 gap-y-2 border-b sm:flex-nowrap border-line px-5 py-2.5 last:border-0"
              >
                <div className="min-w-0">
                  <p className="font-mono text-sm font-medium break-all">{type}</p>
                  <p className="text-sm text-soft">{EVENTS[type]}</p>
                </div>
                <span className="flex shrink-0 items-center gap-2 text-sm max-sm:-ml-2.5">
                  <Button
                    kind="quiet"
                    size="small"
                    aria-label={`Example and fields of ${type}`}
                    onPress={() => void navigate({ search: { event: type } })}
                  >
                    Example
                  </Button>
                  <Button
                    size="small"
                    aria-label={`Send me this: ${type}`}
                    isDisabled={id === ''}
                    isPending={test.isPending && test.variables === type}
                    onPress={() => test.mutate(type)}
                  >
                    Send me this
                  </Button>
                </span>
              </li>
            ))}
          </ul>
        </Card>
      </div>
      {opened && <EventDrawer type={opened} onClose={() => void navigate({ search: {} })} />}
    </>
  );
}
