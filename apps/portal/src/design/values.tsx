import { type ReactNode, useEffect, useState } from 'react';
import { Button as AriaButton } from 'react-aria-components';
import { formatAgo, formatLocal, formatShortUsd, formatUsd, formatUtc, shortened } from './format';

/** The current time, again every few seconds. */
export function useNow(everyMs = 5_000): Date {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}

/** A time beside now, with UTC on hover. */
export function Time({ at }: { at: string }): ReactNode {
  const now = useNow();
  const date = new Date(at);
  return (
    <time dateTime={at} title={formatUtc(date)} className="whitespace-nowrap">
      {formatAgo(date, now)}
    </time>
  );
}

/** A time in the zone of the user, with UTC on hover. */
export function Moment({ at }: { at: string }): ReactNode {
  const date = new Date(at);
  return (
    <time dateTime={at} title={formatUtc(date)}>
      {formatLocal(date)}
    </time>
  );
}

/** A number with its unit, in one line. Digits have one width, so that columns line up. */
export function Measure({ value, unit }: { value: string; unit: string }): ReactNode {
  return (
    <span className="whitespace-nowrap">
      {value} <span className="text-soft">{unit}</span>
    </span>
  );
}

/** An amount in US dollars, in one line. */
export function Usd({ value }: { value: number }): ReactNode {
  return <Measure value={formatUsd(value)} unit="USD" />;
}

/** A large amount in US dollars, with all its digits on hover. */
export function ShortUsd({ value }: { value: number }): ReactNode {
  return (
    <span title={`${formatUsd(value)} USD`} className="whitespace-nowrap">
      {formatShortUsd(value)} <span className="text-base font-normal text-soft">USD</span>
    </span>
  );
}

/** A figure that fades its background once when it becomes another. */
export function Changing({ value, children }: { value: unknown; children: ReactNode }): ReactNode {
  const [known, setKnown] = useState(value);
  const [changes, setChanges] = useState(0);
  if (!Object.is(known, value)) {
    setKnown(value);
    setChanges(changes + 1);
  }
  return (
    <span key={changes} className={changes > 0 ? 'animate-[changed_1.5s_ease-out]' : ''}>
      {children}
    </span>
  );
}

/** An address by its label or ENS name, and by its ends. It is copied whole. */
export function Address({
  value,
  label,
  ensName,
  explorer,
}: {
  value: string;
  /** The name that the account gave to it. */
  label?: string | null;
  ensName?: string | null;
  /** The page of the address on the explorer of its chain. */
  explorer?: string;
}): ReactNode {
  const name = label ?? ensName;
  const short = (
    <code title={value} className="font-mono text-xs">
      {shortened(value)}
    </code>
  );
  return (
    <span className="inline-flex max-w-full flex-wrap items-center gap-x-2 gap-y-1">
      {name && <span className="font-medium">{name}</span>}
      {explorer ? (
        <a
          href={explorer}
          target="_blank"
          rel="noreferrer"
          className="text-accent underline underline-offset-2"
        >
          {short}
        </a>
      ) : (
        short
      )}
      <CopyButton text={value} label={`Copy ${value}`} />
    </span>
  );
}

const STATES = {
  good: 'bg-good-soft text-good',
  warn: 'bg-warn-soft text-warn',
  bad: 'bg-bad-soft text-bad',
  off: 'bg-sunken text-soft',
};

/** A state: a mark, a colour and always a word. */
export function Status({ tone, children }: { tone: keyof typeof STATES; children: ReactNode }): ReactNode {
  return (
    <span
      className={`inline-flex h-6 items-center gap-1.5 rounded-full px-2 text-xs font-medium whitespace-nowrap ${STATES[tone]}`}
    >
      <span aria-hidden="true" className="size-1.5 rounded-full bg-current" />
      {children}
    </span>
  );
}

/** Puts a text on the clipboard, and says so. */
export function CopyButton({
  text,
  label,
  shown = 'Copy',
}: {
  text: string;
  /** Begins with the shown text. */
  label: string;
  shown?: string;
}): ReactNode {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return undefined;
    const timer = setTimeout(() => setCopied(false), 2_000);
    return () => clearTimeout(timer);
  }, [isCopied]);
  return (
    <AriaButton
      aria-label={isCopied ? 'Copied' : label}
      onPress={() => void navigator.clipboard.writeText(text).then(() => setCopied(true))}
      className="inline-flex h-7 min-w-14 shrink-0 items-center justify-center rounded-sm border border-line bg-surface px-2 text-xs font-medium text-soft transition-colors hover:bg-hover hover:text-text"
    >
      {isCopied ? 'Copied' : shown}
    </AriaButton>
  );
}

/** An id, selected as a whole. */
export function Id({ value }: { value: string }): ReactNode {
  return <code className="font-mono text-xs break-all select-all">{value}</code>;
}

/** A text that is shown once, with the button that copies it. */
export function Secret({ value, label }: { value: string; label: string }): ReactNode {
  return (
    <div className="flex items-center gap-2 rounded-md border border-line-strong bg-code p-2 pl-3">
      <code className="min-w-0 grow font-mono text-sm break-all select-all">{value}</code>
      <CopyButton text={value} label={label} />
    </div>
  );
}
