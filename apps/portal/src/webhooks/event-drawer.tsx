import { queryOptions, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { apiDocument, docs } from '../api/origin';
import { Code } from '../design/code';
import { Drawer } from '../design/drawer';
import { ErrorNotice, Loading } from '../design/notice';
import { type EventDocument, type EventSchema, eventSchemas } from './event-schema';
import { EVENTS, type EventType } from './requests';

const schemasQuery = queryOptions({
  queryKey: ['event-schemas'],
  queryFn: async ({ signal }) => eventSchemas((await apiDocument(signal)) as EventDocument),
  staleTime: Infinity,
});

/** One event type: when it is sent, a request, and its fields. */
export function EventDrawer({ type, onClose }: { type: EventType; onClose: () => void }): ReactNode {
  const schemas = useQuery(schemasQuery);
  const schema = schemas.data?.get(type);
  return (
    <Drawer title={type} onClose={onClose}>
      <p>
        {EVENTS[type]}{' '}
        <a
          href={docs(`/reference/events/${type}`)}
          className="font-medium text-accent underline underline-offset-2"
        >
          Reference
        </a>
      </p>
      {schemas.isPending && <Loading rows={6} />}
      {schemas.isError && <ErrorNotice error={schemas.error} onRetry={() => void schemas.refetch()} />}
      {schema && <Details schema={schema} />}
    </Drawer>
  );
}

function Details({ schema: { fields, example } }: { schema: EventSchema }): ReactNode {
  return (
    <>
      <section className="flex flex-col gap-3">
        <h3 className="font-semibold">Example</h3>
        <Code code={JSON.stringify(example, null, 2)} label="Request body" />
      </section>
      <section className="flex flex-col gap-1">
        <h3 className="font-semibold">Fields</h3>
        <dl>
          {fields.map(({ path, type, description }) => (
            <div key={path} className="border-b border-line py-2 last:border-0">
              <dt className="flex flex-wrap gap-x-3 text-xs">
                <code className="font-mono break-all">{path}</code>
                <span className="text-soft">{type}</span>
              </dt>
              <dd className="text-sm text-soft">{description}</dd>
            </div>
          ))}
        </dl>
      </section>
    </>
  );
}
