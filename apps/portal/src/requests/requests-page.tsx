import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Form } from 'react-aria-components';
import { fieldsOf } from '../account/forms';
import { FALLBACK_MS } from '../api/live';
import { isPaged, readFirstPage } from '../api/paged-list';
import { Button } from '../design/button';
import { Filters } from '../design/filters';
import { formatMs } from '../design/format';
import { Card, PageHeader } from '../design/layout';
import { CELL, FirstPage, LiveState, LongTable, NewRows, Older, ROW, WIDE } from '../design/list';
import { Empty } from '../design/notice';
import { useCalmList } from '../design/rows';
import { ALL, Select } from '../design/select';
import { Id, Time } from '../design/values';
import { useKeyNames } from '../keys/requests';
import { RequestDrawer } from './request-drawer';
import { ResponseStatus, sourceOf } from './request-values';
import {
  type LoggedRequest,
  PAGES,
  type RequestsSearch,
  STATUSES,
  isOpened,
  requestsQuery,
} from './requests';

const COLUMNS = [
  { name: 'Response' },
  { name: 'Request' },
  { name: 'Sent with', isWide: true },
  { name: 'Request id', isWide: true },
  { name: 'Duration', isRight: true },
  { name: 'Time', isRight: true },
];
const STATUS_NAMES: Record<(typeof STATUSES)[number], string> = {
  '2xx': '2xx success',
  '3xx': '3xx not modified',
  '4xx': '4xx refused',
  '5xx': '5xx failed',
  none: 'no response',
};

/** An id is not unique, because clients may send their own. */
const idOf = ({ requestId, createdAt }: LoggedRequest): string => `${createdAt} ${requestId}`;

export function RequestsPage(): ReactNode {
  const { open, at, ...filter } = useSearch({ from: '/signed-in/requests' });
  const navigate = useNavigate({ from: '/requests' });
  const show = (search: RequestsSearch): void => void navigate({ search });
  const names = useKeyNames();
  const queries = useQueryClient();
  const list = useInfiniteQuery({
    ...requestsQuery(filter),
    refetchInterval: (query) => (isPaged(query) ? false : FALLBACK_MS),
  });
  const { rows, newer, toTop } = useCalmList(list.data?.requests ?? [], idOf);
  const active = Object.values(filter).filter(Boolean).length;
  return (
    <>
      <PageHeader
        title="Requests"
        action={<LookUp onFind={(requestId) => show({ requestId, open: requestId })} />}
      >
        Requests of your keys and pages in the last seven days, without bodies and queries.
      </PageHeader>
      <NewRows count={newer} name={newer === 1 ? 'request' : 'requests'} onShow={toTop} />
      <Card
        title="Request log"
        aside={
          <span className="flex flex-wrap items-center gap-4 text-sm text-soft">
            <LiveState
              name="requests"
              isPaused={list.isFetchNextPageError || (list.data?.pages ?? 0) > 1}
              onResume={() => void readFirstPage(queries, requestsQuery(filter).queryKey)}
            />
          </span>
        }
      >
        <Filters active={active} onClear={() => show({})}>
          <Select
            label="Response"
            choices={[ALL, ...STATUSES.map((status) => ({ value: status, label: STATUS_NAMES[status] }))]}
            value={filter.status ?? ''}
            onChange={(status) => show({ ...filter, status: STATUSES.find((each) => each === status) })}
          />
          <Select
            label="Sent with"
            choices={[
              { value: '', label: 'keys' },
              { value: PAGES, label: 'pages of the portal' },
              ...[...names].map(([value, label]) => ({ value, label })),
            ]}
            value={filter.from ?? ''}
            onChange={(from) => show({ ...filter, from: from || undefined })}
          />
          {filter.requestId && (
            <span className="inline-flex min-w-0 items-center gap-2 text-sm text-soft">
              Request <Id value={filter.requestId} />
            </span>
          )}
        </Filters>
        <FirstPage list={list} />
        {list.data && rows.length === 0 && (
          <Empty title={active > 0 ? 'No request matches.' : 'No requests in the last seven days.'}>
            <p className="text-soft">A request appears here about two seconds after its end.</p>
          </Empty>
        )}
        {rows.length > 0 && (
          <LongTable label="Requests" columns={COLUMNS} rows={rows}>
            {(request, properties) => (
              <tr key={idOf(request)} {...properties} className={ROW}>
                <td className={`${CELL} lg:w-28`}>
                  <ResponseStatus status={request.status} />
                </td>
                <td
                  className={`${CELL} min-w-0 truncate max-lg:order-first max-lg:w-full lg:w-full lg:max-w-0`}
                >
                  <button
                    type="button"
                    aria-label={`${request.method} ${request.path}, details of ${request.requestId}`}
                    onClick={() => show({ ...filter, open: request.requestId, at: request.createdAt })}
                    className="max-w-full truncate text-left font-mono text-sm outline-offset-4 after:absolute after:inset-0"
                  >
                    <span className="text-soft">{request.method}</span> {request.path}
                  </button>
                </td>
                <td className={`${CELL} max-w-40 truncate text-soft xl:max-w-52 ${WIDE}`}>
                  {sourceOf(request, names)}
                </td>
                <td className={`${CELL} max-w-44 truncate font-mono text-xs text-soft ${WIDE}`}>
                  {request.requestId}
                </td>
                <td className={`${CELL} text-right whitespace-nowrap text-soft`}>
                  {formatMs(request.durationMs)}
                </td>
                <td className={`${CELL} text-right text-soft max-lg:ml-auto`}>
                  <Time at={request.createdAt} />
                </td>
              </tr>
            )}
          </LongTable>
        )}
        {list.hasNextPage && <Older name="requests" count={rows.length} list={list} />}
      </Card>
      {open && (
        <RequestDrawer
          search={{ open, at }}
          known={rows.find((row) => isOpened({ open, at }, row))}
          names={names}
          onClose={() => show(filter)}
        />
      )}
    </>
  );
}

function LookUp({ onFind }: { onFind: (requestId: string) => void }): ReactNode {
  return (
    <Form
      role="search"
      aria-label="Look up a request"
      className="flex w-full gap-2 sm:w-auto"
      onSubmit={(event) => {
        const id = (fieldsOf(event)['requestId'] ?? '').trim();
        if (id) onFind(id);
      }}
    >
      <input
        name="requestId"
        aria-label="Request id"
        placeholder="X-Request-Id"
        autoComplete="off"
        maxLength={128}
        pattern="[A-Za-z0-9._\-]+"
        className="h-9 min-w-0 grow rounded-md border border-line-strong bg-surface px-3 font-mono text-sm text-text placeholder:text-faint sm:w-64"
      />
      <Button type="submit">Look up</Button>
    </Form>
  );
}
