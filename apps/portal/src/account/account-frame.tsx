import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Brand } from '../design/brand';
import { LINK } from '../design/link';

/** A page before the log-in: one form in the middle. */
export function AccountFrame({
  title,
  lead,
  children,
  below,
}: {
  title: string;
  lead?: ReactNode;
  children: ReactNode;
  below?: ReactNode;
}): ReactNode {
  return (
    <main className="mx-auto flex min-h-screen w-full max-w-[400px] flex-col justify-center gap-6 px-5 py-10">
      <Brand />
      <div className="flex flex-col gap-5 rounded-lg border border-line bg-surface p-6">
        <div className="flex flex-col gap-1">
          <h1 className="text-xl font-semibold">{title}</h1>
          {lead && <p className="text-soft">{lead}</p>}
        </div>
        {children}
      </div>
      {below && <p className="text-sm text-soft">{below}</p>}
      <p className="flex gap-4 text-sm">
        <Link to="/status" className={LINK}>
          Status
        </Link>
        <Link to="/track-record" className={LINK}>
          Track record
        </Link>
      </p>
    </main>
  );
}
