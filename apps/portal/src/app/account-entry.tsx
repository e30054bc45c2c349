import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { LogOutButton } from '../account/log-out-button';
import { sessionQuery } from '../api/client';
import { LINK } from '../design/link';

/** The account at the end of the navigation. */
export function AccountEntry({ onLeave }: { onLeave?: () => void }): ReactNode {
  const { data } = useQuery(sessionQuery);
  return (
    <div className="mt-auto flex flex-col gap-2 border-t border-line p-3">
      <Link
        to="/account"
        onClick={onLeave}
        className="flex flex-col rounded-md px-3 py-1.5 font-medium transition-colors hover:bg-hover aria-[current=page]:bg-accent-soft"
      >
        <span className="max-w-full truncate">{data?.account.email}</span>
        <span className="block text-xs font-normal text-soft first-letter:capitalize">
          {data?.account.tier} plan
        </span>
      </Link>
      <LogOutButton />
      <p className="flex gap-4 px-3 text-xs text-soft">
        <Link to="/status" onClick={onLeave} className={LINK}>
          Status
        </Link>
        <Link to="/track-record" onClick={onLeave} className={LINK}>
          Track record
        </Link>
      </p>
    </div>
  );
}
