import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { usageQuery } from '../api/client';
import { FALLBACK_MS, WAITING_MS, activityQuery } from '../api/live';
import { apiOrigin, docs } from '../api/origin';
import { Button } from '../design/button';
import { CodeTabs } from '../design/code';
import { formatMs } from '../design/format';
import { Card, PageHeader } from '../design/layout';
import { ErrorNotice, Loading } from '../design/notice';
import { Time } from '../design/values';
import { CreateKeyDialog } from '../keys/create-key-dialog';
import { type Key, keysQuery } from '../keys/requests';
import { useShownKey } from '../keys/shown-key';
import { ResponseStatus } from '../requests/request-values';
import { type LoggedRequest, latestRequestsQuery } from '../requests/requests';
import { UsageToday } from '../usage/usage-today';
import { firstCall } from './snippets';

const PLACEHOLDER = 'YOUR_KEY';
/** While the first request is awaited, in case that its mark was missed. */
const AGAIN_MS = 15_000;

export interface HomeSearch {
  dialog?: 'create';
}

export function HomePage({ dialog }: HomeSearch): ReactNode {
  const navigate = useNavigate({ from: '/' });
  const keys = useInfiniteQuery({
    ...keysQuery,
    refetchInterval: ({ state }) =>
      state.data?.pages.some((page) => page.keys.some(isUsed)) ? FALLBACK_MS : AGAIN_MS,
  });
  const wasUsed = keys.data?.keys.some(isUsed);
  const requests = useQuery({
    ...latestRequestsQuery,
    refetchInterval: ({ state }) => (wasUsed || state.data?.some(isOfKey) ? FALLBACK_MS : AGAIN_MS),
  });
  const ofKeys = requests.data?.filter(isOfKey) ?? [];
  const latest = latestCall(ofKeys, keys.data?.keys);
  const usage = useQuery({ ...usageQuery, refetchInterval: FALLBACK_MS });
  // The frame of the pages reads the marks less often.
  useQuery({ ...activityQuery, enabled: keys.isSuccess && !latest, refetchInterval: WAITING_MS });
  const isSettled = !keys.isPending && !requests.isPending;
  const isNew = isSettled && !keys.isError && !latest;
  const close = (): void => void navigate({ search: {} });
  return (
    <>
      <PageHeader title={isNew ? 'Make your first call' : 'Home'}>
        {isNew ? 'Create a key, then run one command.' : 'Your calls, your quota, and the next steps.'}
      </PageHeader>
      <div className="grid gap-6 xl:grid-cols-[minmax(0,1fr)_340px] xl:items-start">
        <div className="flex min-w-0 flex-col gap-6">
          {keys.isError ? (
            <ErrorNotice error={keys.error} onRetry={() => void keys.refetch()} />
          ) : (
            <FirstCall
              keys={keys.data?.keys}
              latest={latest}
              onCreate={() => void navigate({ search: { dialog: 'create' } })}
            />
          )}
          {isSettled && ofKeys.length > 0 && <LatestRequests requests={ofKeys} />}
        </div>
        {/* In narrow windows it is below what is being read, which would move it. */}
        <div className={`flex min-w-0 flex-col gap-6 ${isSettled ? '' : 'max-xl:hidden'}`}>
          <Card
            title="Requests today"
            aside={
              <Link to="/usage" className="text-sm font-medium text-accent hover:underline">
                Usage
              </Link>
            }
          >
            {usage.isPending && <Loading rows={2} />}
            {usage.isError && (
              <div className="p-5">
                <ErrorNotice error={usage.error} onRetry={() => void usage.refetch()} />
              </div>
            )}
            {usage.data && <UsageToday report={usage.data} />}
          </Card>
          {!usage.isPending && <NextSteps />}
        </div>
      </div>
      {dialog === 'create' && <CreateKeyDialog onClose={close} />}
    </>
  );
}

function FirstCall({
  keys,
  latest,
  onCreate,
}: {
  /** While they are being read, undefined. */
  keys: readonly Key[] | undefined;
  latest: Call | undefined;
  onCreate: () => void;
}): ReactNode {
  const { shown } = useShownKey();
  const hasKey = keys?.some(({ status }) => status === 'active');
  return (
    <Card
      title="First call"
      aside={
        hasKey === false && (
          <Button kind="primary" size="small" onPress={onCreate}>
            Create a key
          </Button>
        )
      }
    >
      <div className="flex flex-col gap-4 p-5">
        <CodeTabs label="Language" tabs={firstCall(apiOrigin, shown?.key ?? PLACEHOLDER)} />
        {!shown && (
          <p className={`min-h-10 text-sm text-soft sm:min-h-5 ${keys ? '' : 'invisible'}`}>
            {hasKey === false
              ? `Create a key, and it replaces ${PLACEHOLDER} here.`
              : `Replace ${PLACEHOLDER} with your key. A key is shown only when it is created.`}
          </p>
        )}
        <Arrival latest={latest} hasKey={hasKey} />
      </div>
    </Card>
  );
}

/** Says whether a request with a key has arrived. */
function Arrival({ latest, hasKey }: { latest: Call | undefined; hasKey: boolean | undefined }): ReactNode {
  const mark = latest ? 'bg-good' : 'animate-[waiting_1.6s_infinite] bg-warn';
  return (
    <div
      role="status"
      className={`flex min-h-16 items-center gap-3 rounded-md border px-4 py-2.5 sm:min-h-11 ${latest ? 'animate-[changed_1.5s_ease-out] border-good/40' : 'border-line'}`}
    >
      <span aria-hidden="true" className={`size-2 shrink-0 rounded-full ${mark}`} />
      {latest ? (
        <span>
          <span className="font-medium">Request received</span> with the key {latest.keyName},{' '}
          <Time at={latest.at} />.
        </span>
      ) : (
        <span className="text-soft">
          {hasKey === undefined && 'Reading your keys.'}
          {hasKey === true && 'Waiting for your first request. It appears here within seconds.'}
          {hasKey === false && 'No key yet.'}
        </span>
      )}
    </div>
  );
}

const STEPS = [
  [docs('/quick-start'), 'Quick start', 'Read the positions of a wallet, and what endangers them.'],
  [
    docs('/guides/receiving-webhooks'),
    'Receive webhooks',
    'Learn of danger within seconds, and verify each call.',
  ],
  [docs('/reference'), 'API reference', 'Every endpoint with its parameters, responses and errors.'],
] as const;

function NextSteps(): ReactNode {
  return (
    <Card title="Next steps">
      <ul>
        {STEPS.map(([href, name, text]) => (
          <li key={href} className="border-b border-line last:border-0">
            <a href={href} className="block px-5 py-3 outline-offset-[-2px] hover:bg-hover">
              <span className="block font-medium text-accent">{name}</span>
              <span className="text-sm text-soft">{text}</span>
            </a>
          </li>
        ))}
      </ul>
    </Card>
  );
}

interface Call {
  keyName: string;
  at: string;
}

/** The latest call of a key: of the log, or before its seven days the last use of a key. */
function latestCall(requests: readonly LoggedRequest[], keys: readonly Key[] = []): Call | undefined {
  const [request] = requests;
  const key = request
    ? keys.find(({ id }) => id === request.keyId)
    : keys.filter(isUsed).sort((a, b) => (a.lastUsedAt! < b.lastUsedAt! ? 1 : -1))[0];
  const at = request?.createdAt ?? key?.lastUsedAt;
  return at ? { keyName: key?.name ?? request?.keyId ?? '', at } : undefined;
}

const isUsed = ({ lastUsedAt }: Key): boolean => lastUsedAt !== null;
const isOfKey = ({ keyId }: LoggedRequest): boolean => keyId !== null;

function LatestRequests({ requests }: { requests: readonly LoggedRequest[] }): ReactNode {
  return (
    <Card
      title="Latest requests"
      aside={
        <Link to="/requests" className="text-sm font-medium text-accent hover:underline">
          All requests
        </Link>
      }
    >
      <ul>
        {requests.slice(0, 5).map((request) => (
          <li
            key={`${request.createdAt} ${request.requestId}`}
            className="border-b border-line last:border-0"
          >
            <Link
              to="/requests"
              search={{ open: request.requestId, at: request.createdAt }}
              className="flex min-h-11 flex-wrap items-center gap-x-4 gap-y-1 px-5 py-2 outline-offset-[-2px] hover:bg-hover"
            >
              <ResponseStatus status={request.status} />
              <span className="min-w-0 grow font-mono text-sm break-all">
                <span className="text-soft">{request.method}</span> {request.path}
              </span>
              <span className="text-sm text-soft">
                {formatMs(request.durationMs)} · <Time at={request.createdAt} />
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  );
}
