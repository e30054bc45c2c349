import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { docs } from '../api/origin';
import { Drawer } from '../design/drawer';
import { formatMs } from '../design/format';
import { Facts } from '../design/layout';
import { Empty, ErrorNotice, Loading } from '../design/notice';
import { CopyButton, Id, Moment, Time } from '../design/values';
import { ResponseStatus, sourceOf } from './request-values';
import { type LoggedRequest, type RequestsSearch, oneRequestQuery } from './requests';

/** One request of the log. Bodies are not kept. */
export function RequestDrawer({
  search,
  known,
  names,
  onClose,
}: {
  search: RequestsSearch;
  /** The request, where the list has it. */
  known: LoggedRequest | undefined;
  names: ReadonlyMap<string, string>;
  onClose: () => void;
}): ReactNode {
  const found = useQuery({ ...oneRequestQuery(search), ...(known && { initialData: known }) });
  return (
    <Drawer title={found.data ? `${found.data.method} ${found.data.path}` : 'Request'} onClose={onClose}>
      {found.isPending && <Loading rows={4} />}
      {found.isError && <ErrorNotice error={found.error} onRetry={() => void found.refetch()} />}
      {found.data === null && (
        <Empty title="The log has no such request.">
          <p className="text-soft">
            It has requests of this account from the last seven days, about two seconds after they end.
          </p>
        </Empty>
      )}
      {found.data && <Details request={found.data} names={names} />}
    </Drawer>
  );
}

function Details({
  request,
  names,
}: {
  request: LoggedRequest;
  names: ReadonlyMap<string, string>;
}): ReactNode {
  return (
    <>
      <div className="-mx-5 -my-4">
        <Facts
          facts={[
            ['Response', <ResponseStatus status={request.status} />],
            ['Duration', formatMs(request.durationMs)],
            [
              'Request id',
              <span className="inline-flex flex-wrap items-center gap-2">
                <Id value={request.requestId} />
                <CopyButton text={request.requestId} label="Copy the request id" />
              </span>,
            ],
            ['Sent with', sourceOf(request, names)],
            ['Arrived', <Time at={request.createdAt} />],
            ['Time', <Moment at={request.createdAt} />],
          ]}
        />
      </div>
      {request.status !== null && request.status >= 400 && (
        <p className="text-soft">
          The response had a problem with its code and the next step.{' '}
          <a href={docs('/errors')} className="font-medium text-accent underline underline-offset-2">
            All codes
          </a>
        </p>
      )}
      <p className="text-sm text-soft">
        Bodies and queries are not kept.{' '}
        {request.keyId && (
          <Link
            to="/requests"
            search={{ from: request.keyId }}
            className="font-medium text-accent underline underline-offset-2"
          >
            All requests of this key
          </Link>
        )}
      </p>
    </>
  );
}
