import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Form } from 'react-aria-components';
import { fieldsOf } from '../account/forms';
import { apiOrigin, docs, sessionFetch } from '../api/origin';
import { Button } from '../design/button';
import { Code } from '../design/code';
import { TextField } from '../design/field';
import { formatMs } from '../design/format';
import { Card, PageHeader } from '../design/layout';
import { LINK } from '../design/link';
import { ErrorNotice, Loading, Notice } from '../design/notice';
import { Select } from '../design/select';
import { Id } from '../design/values';
import { ResponseStatus } from '../requests/request-values';
import { operationsQuery } from './document';
import { type Operation, addressOf, firstValue } from './operations';

const FIRST = 'listPrices';

const DEADLINE_MS = 30_000;
/** A longer body makes the page slow. */
const MOST_CHARS = 200_000;

export interface TryItSearch {
  operation?: string | undefined;
}

/** Sends requests that change nothing, with the session of the browser. */
export function TryItPage(): ReactNode {
  const { operation: chosen } = useSearch({ from: '/signed-in/try-it' });
  const navigate = useNavigate({ from: '/try-it' });
  const operations = useQuery(operationsQuery);
  const list = operations.data ?? [];
  const operation = list.find(({ id }) => id === (chosen ?? FIRST)) ?? list[0];
  return (
    <>
      <PageHeader title="Try it">
        Sends a request with your session instead of a key. It counts toward the day of the account.
      </PageHeader>
      {operations.isPending && (
        <Card>
          <Loading rows={4} />
        </Card>
      )}
      {operations.isError && (
        <ErrorNotice error={operations.error} onRetry={() => void operations.refetch()} />
      )}
      {operation && (
        <Request
          key={operation.id}
          operation={operation}
          choice={
            <Select
              label="Request"
              choices={list.map(({ id, path, summary }) => ({ value: id, label: `${path} · ${summary}` }))}
              value={operation.id}
              onChange={(id) => void navigate({ search: { operation: id } })}
            />
          }
        />
      )}
    </>
  );
}

function Request({ operation, choice }: { operation: Operation; choice: ReactNode }): ReactNode {
  const send = useMutation({ mutationFn: sendRequest });
  return (
    <div className="grid gap-6 xl:grid-cols-2 xl:items-start">
      <Card title="Request">
        <Form
          className="flex flex-col gap-5 p-5"
          onSubmit={(event) => send.mutate(addressOf(operation, fieldsOf(event)))}
        >
          {choice}
          <p className="text-soft">
            <code className="font-mono text-sm text-text">GET {operation.path}</code>{' '}
            <a href={docs(`/reference/${operation.tag.toLowerCase()}/${operation.id}`)} className={LINK}>
              Reference
            </a>
          </p>
          {operation.parameters.map((parameter) => (
            <TextField
              key={parameter.name}
              label={parameter.name}
              name={parameter.name}
              defaultValue={firstValue(parameter)}
              hint={<Hint description={parameter.description} words={parameter.schema?.enum} />}
              isRequired={parameter.required === true}
              mono
            />
          ))}
          <div>
            <Button kind="primary" type="submit" isPending={send.isPending}>
              Send request
            </Button>
          </div>
        </Form>
      </Card>
      <Card title="Response">
        <div className="flex min-h-40 flex-col gap-4 p-5">
          {send.isError && <ErrorNotice error={send.error} />}
          {!send.data && !send.isError && <p className="text-soft">Send the request to see its response.</p>}
          {send.data && <Response response={send.data} />}
        </div>
      </Card>
    </div>
  );
}

const MOST_HINT_CHARS = 160;

function Hint({
  description = '',
  words,
}: {
  description: string | undefined;
  words: readonly string[] | undefined;
}): ReactNode {
  const short =
    description.length > MOST_HINT_CHARS
      ? `${description.slice(0, MOST_HINT_CHARS).trimEnd()}…`
      : description;
  return words ? `${short} One of ${words.join(', ')}.` : short;
}

interface Received {
  address: string;
  status: number;
  durationMs: number;
  requestId: string | null;
  body: string;
}

async function sendRequest(address: string): Promise<Received> {
  const begun = performance.now();
  const response = await sessionFetch(apiOrigin + address, { signal: AbortSignal.timeout(DEADLINE_MS) });
  const text = await response.text();
  return {
    address,
    status: response.status,
    durationMs: performance.now() - begun,
    requestId: response.headers.get('x-request-id'),
    body: indented(text),
  };
}

function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

function Response({ response }: { response: Received }): ReactNode {
  const isLong = response.body.length > MOST_CHARS;
  return (
    <>
      <p className="flex flex-wrap items-center gap-x-4 gap-y-2 text-sm text-soft">
        <ResponseStatus status={response.status} />
        {formatMs(response.durationMs)}
        {response.requestId && (
          <Link to="/requests" search={{ open: response.requestId }} className={LINK}>
            <Id value={response.requestId} />
          </Link>
        )}
      </p>
      {isLong && <Notice tone="info" title="Only the beginning of the response is shown" />}
      <Code code={response.body.slice(0, MOST_CHARS)} label={response.address} />
    </>
  );
}
