import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { type Schema, plimsoll } from '../api/client';
import { readFirstPage } from '../api/paged-list';
import { Button } from '../design/button';
import { Code } from '../design/code';
import { Disclosure } from '../design/disclosure';
import { Drawer } from '../design/drawer';
import { formatMs } from '../design/format';
import { ErrorNotice, Loading } from '../design/notice';
import { CopyButton, Id, Time } from '../design/values';
import { untilNextAttempt } from './next-attempt';
import { deliveryQuery } from './requests';
import { DeliveryStatus } from './states';

/** While an attempt is due or in flight. */
const MOVING_MS = 2_000;

type ShownDelivery = Schema<'DeliveryDetailDelivery'>;

/** One delivery: what was sent, every response, and what comes next. */
export function DeliveryDrawer({ id, onClose }: { id: string; onClose: () => void }): ReactNode {
  const found = useQuery({
    ...deliveryQuery(id),
    refetchInterval: ({ state }) =>
      state.data?.finishedAt === null ? untilNextAttempt([state.data], MOVING_MS) : false,
  });
  return (
    <Drawer title={found.data?.event ?? 'Delivery'} onClose={onClose}>
      {found.isPending && <Loading rows={4} />}
      {found.isError && <ErrorNotice error={found.error} onRetry={() => void found.refetch()} />}
      {found.data && <Details delivery={found.data} />}
    </Drawer>
  );
}

function Details({ delivery }: { delivery: ShownDelivery }): ReactNode {
  const queries = useQueryClient();
  const retry = useMutation({
    mutationFn: () =>
      delivery.state === 'delivered'
        ? plimsoll.deliveries.resend({ id: delivery.id })
        : plimsoll.deliveries.retry({ id: delivery.id }),
    onSettled: async () => {
      await queries.invalidateQueries({ queryKey: ['delivery', delivery.id] });
      await readFirstPage(queries, ['deliveries', delivery.webhookId]);
    },
  });
  const isOver = delivery.finishedAt !== null;
  return (
    <>
      <div className="flex flex-wrap items-center gap-3">
        <DeliveryStatus state={delivery.state} />
        {/* In narrow windows it is below the state and the buttons. */}
        <span className="text-soft max-sm:order-last max-sm:w-full">
          created <Time at={delivery.createdAt} />
          {delivery.nextAttemptAt && (
            <>
              {', next attempt '}
              <Time at={delivery.nextAttemptAt} />
            </>
          )}
        </span>
        <span className="ml-auto flex items-center gap-2">
          <CopyButton text={location.href} shown="Copy link" label="Copy link to this delivery" />
          {isOver && (
            <Button kind="primary" size="small" isPending={retry.isPending} onPress={() => retry.mutate()}>
              {delivery.state === 'delivered' ? 'Send again' : 'Retry'}
            </Button>
          )}
        </span>
      </div>
      {retry.isError && <ErrorNotice error={retry.error} />}
      <section className="flex flex-col gap-3">
        <h3 className="font-semibold">Attempts</h3>
        {delivery.attempts.length === 0 && <p className="text-soft">No attempt yet.</p>}
        <ol className="flex flex-col gap-3">
          {[...delivery.attempts].reverse().map((attempt) => (
            <Attempt key={attempt.attempt} attempt={attempt} />
          ))}
        </ol>
      </section>
      <section className="flex flex-col gap-3">
        <h3 className="font-semibold">Request</h3>
        <Code code={indented(delivery.body)} label="Request body" />
      </section>
      <dl className="grid grid-cols-[max-content_1fr] gap-x-4 gap-y-1.5 text-sm">
        {(
          [
            ['Delivery', delivery.id],
            ['Event', delivery.eventId],
          ] as const
        ).map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-soft">{name}</dt>
            <dd>
              <Id value={value} />
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}

/** One attempt: what the endpoint responded, and the headers of both sides. */
function Attempt({ attempt }: { attempt: ShownDelivery['attempts'][number] }): ReactNode {
  const { requestHeaders, responseHeaders, responseHead } = attempt;
  return (
    <li className="rounded-md border border-line">
      <p className="flex flex-wrap justify-between gap-x-4 px-3.5 py-2.5 text-sm">
        <span className="font-medium">
          {attempt.attempt}. {attempt.statusCode ?? attempt.error ?? 'no response'}
        </span>
        <span className="text-soft">
          {formatMs(attempt.durationMs)} · <Time at={attempt.startedAt} />
        </span>
      </p>
      {responseHead && (
        <pre
          tabIndex={0}
          role="region"
          aria-label={`Response of attempt ${attempt.attempt}`}
          className="max-h-40 overflow-auto border-t border-line bg-code px-3.5 py-2.5 font-mono text-xs break-all whitespace-pre-wrap text-code-text"
        >
          {responseHead}
        </pre>
      )}
      {responseHeaders && <Headers title="Response headers" headers={responseHeaders} />}
      {requestHeaders ? (
        <Headers title="Request headers" headers={requestHeaders} />
      ) : (
        <p className="border-t border-line px-3.5 py-2.5 text-sm text-soft">
          The release of this attempt did not keep headers.
        </p>
      )}
    </li>
  );
}

function Headers({
  title,
  headers,
}: {
  title: string;
  headers: readonly { name: string; value: string }[];
}): ReactNode {
  return (
    <div className="border-t border-line">
      <Disclosure title={`${title} (${headers.length})`}>
        <dl className="flex flex-col gap-y-1.5 px-3.5 pt-1 pb-3 font-mono text-xs sm:grid sm:grid-cols-[minmax(0,2fr)_minmax(0,3fr)] sm:gap-x-4 sm:gap-y-1">
          {headers.map(({ name, value }, index) => (
            <div key={index} className="sm:contents">
              <dt className="break-words text-soft">{name}</dt>
              <dd className="break-all">{value}</dd>
            </div>
          ))}
        </dl>
      </Disclosure>
    </div>
  );
}

/** The body in lines. It is shown as sent when it is no JSON. */
function indented(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
