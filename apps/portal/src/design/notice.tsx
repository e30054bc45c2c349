import { ApiError, PlimsollError } from '@plimsoll/sdk';
import { type ReactNode, useState } from 'react';
import { Button } from './button';
import { formatDuration } from './format';
import { Id, useNow } from './values';

const TONES = {
  good: 'border-good/40 bg-good-soft text-good',
  warn: 'border-warn/40 bg-warn-soft text-warn',
  bad: 'border-bad/40 bg-bad-soft text-bad',
  info: 'border-accent/40 bg-accent-soft text-accent',
};

interface NoticeProps {
  tone: keyof typeof TONES;
  title: string;
  children?: ReactNode;
}

export function Notice({ tone, title, children }: NoticeProps): ReactNode {
  return (
    <div
      role={tone === 'bad' ? 'alert' : 'status'}
      className={`rounded-md border px-3.5 py-2.5 text-sm ${TONES[tone]}`}
    >
      <p className="font-medium">{title}</p>
      {children && <div className="mt-1 flex flex-col gap-2 text-text">{children}</div>}
    </div>
  );
}

type Texts = Readonly<Record<string, readonly [title: string, next: string]>>;

/** Texts of problems whose own text is for programs. */
const TEXTS: Texts = {
  invalid_credentials: [
    'Wrong e-mail address or password',
    'Check both, or reset the password. Five failures delay the next attempt.',
  ],
  email_not_verified: [
    'This address is not confirmed',
    'Open the link in the mail that we sent, or request another one.',
  ],
  rate_limited: ['Too many requests', 'You reached the number of requests per minute.'],
  quota_reached: ['Your plan has no more keys', 'Revoke one first. A higher plan has more keys.'],
  connection_failed: ['Plimsoll cannot be reached', 'Check the network, then try again.'],
  timeout: ['Plimsoll did not respond in time', 'Try again in a moment.'],
};

function textsOf(error: unknown, own: Texts): readonly [title: string, next: string] {
  if (!(error instanceof PlimsollError)) return ['This page has a fault', 'Load it again.'];
  const known = own[error.code] ?? TEXTS[error.code];
  if (known) return known;
  if (!(error instanceof ApiError)) return ['The request failed', error.message];
  const [field] = error.fields;
  return [error.problem.title ?? `The response was ${error.status}`, field?.message ?? error.remedy];
}

/** Seconds until the request can succeed, where the response stated it. They count down. */
function useWaitSeconds(error: unknown): number {
  const [begun, setBegun] = useState(() => ({ error, at: Date.now() }));
  if (begun.error !== error) setBegun({ error, at: Date.now() });
  const now = useNow(1_000);
  const waitMs = error instanceof ApiError ? (error.retryAfterMs ?? 0) : 0;
  return Math.max(0, Math.ceil((begun.at + waitMs - now.getTime()) / 1_000));
}

/** States what failed, the next step, and the id that support needs. */
export function ErrorNotice({
  error,
  texts = {},
  onRetry,
}: {
  error: unknown;
  /** Texts of this page, by the code of the problem. */
  texts?: Texts;
  onRetry?: () => void;
}): ReactNode {
  const [title, next] = textsOf(error, texts);
  const requestId = error instanceof ApiError ? error.requestId : null;
  const waitSeconds = useWaitSeconds(error);
  return (
    <Notice tone="bad" title={title}>
      <p>{next}</p>
      {requestId && (
        <p className="flex flex-wrap items-baseline gap-x-1.5 text-soft">
          Request <Id value={requestId} />
        </p>
      )}
      {(onRetry || waitSeconds > 0) && (
        <div className="flex flex-wrap items-center gap-3">
          {onRetry && (
            <Button size="small" isDisabled={waitSeconds > 0} onPress={onRetry}>
              Try again
            </Button>
          )}
          {waitSeconds > 0 && <span>Possible again in {formatDuration(waitSeconds)}.</span>}
        </div>
      )}
    </Notice>
  );
}

/** In place of a list without entries. */
export function Empty({ title, children }: { title: string; children?: ReactNode }): ReactNode {
  return (
    <div className="flex flex-col items-start gap-3 px-5 py-8">
      <p className="font-medium">{title}</p>
      {children}
    </div>
  );
}

/** In place of rows that are being read, as high as they will be. */
export function Loading({ rows = 3 }: { rows?: number }): ReactNode {
  return (
    <div role="status" aria-label="Loading" className="flex flex-col">
      {Array.from({ length: rows }, (_, index) => (
        <div key={index} className="flex h-14 items-center gap-4 border-b border-line px-5 last:border-0">
          <span className="h-3 w-1/3 animate-[waiting_1.6s_infinite] rounded-sm bg-line" />
          <span className="h-3 w-1/6 animate-[waiting_1.6s_infinite] rounded-sm bg-line" />
        </div>
      ))}
    </div>
  );
}
