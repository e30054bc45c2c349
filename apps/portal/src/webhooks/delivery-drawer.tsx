import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { type Schema, plimsoll } from '../api/client';
import { readFirstPage } from '../api/paged-list';
import { Button } from '../design/button';
import { Code } from '../design/code';
import { Drawer } from '../design/drawer';
import { formatMs } from '../design/format';
import { ErrorNotice, Loading } from '../design/notice';
import { CopyButton, Id, Time } from '../design/values';
import { deliveryQuery } from './requests';
import { DeliveryStatus } from './states';

type ShownDelivery = Schema<'DeliveryDetailDelivery'>;

/** One delivery: what was sent, every response, and what comes next. */
export function DeliveryDrawer({ id, onClose }: { id: string; onClose: () => void }): ReactNode {
  const found = useQuery({
    ...deliveryQuery(id),
    refetchInterval: ({ state }) => (state.data?.finishedAt === null ? 2_000 : false),
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
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div className="flex flex-wrap items-center gap-3">
          <DeliveryStatus state={delivery.state} />
          <span className="text-soft">
            created <Time at={delivery.createdAt} />
            {delivery.nextAttemptAt && (
              <>
                {', next attempt '}
                <Time at={delivery.nextAttemptAt} />
              </>
            )}
          </span>
        </div>
        <span className="flex items-center gap-2">
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
            <li key={attempt.attempt} className="rounded-md border border-line">
              <p className="flex flex-wrap justify-between gap-x-4 px-3.5 py-2.5 text-sm">
                <span className="font-medium">
                  {attempt.attempt}. {attempt.statusCode ?? attempt.error ?? 'no response'}
                </span>
                <span className="text-soft">
                  {formatMs(attempt.durationMs)} · <Time at={attempt.startedAt} />
                </span>
              </p>
              {attempt.responseHead && (
                <pre className="max-h-40 overflow-auto border-t border-line bg-code px-3.5 py-2.5 font-mono text-xs break-all whitespace-pre-wrap text-code-text">
                  {attempt.responseHead}
                </pre>
              )}
            </li>
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
            ['x-service-delivery', delivery.id],
            ['x-service-event-id', delivery.eventId],
          ] as const
        ).map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="font-mono text-xs leading-5 text-soft">{name}</dt>
            <dd>
              <Id value={value} />
            </dd>
          </div>
        ))}
      </dl>
    </>
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
