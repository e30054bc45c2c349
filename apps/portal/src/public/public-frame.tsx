import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { docs } from '../api/origin';
import { Brand } from '../design/brand';
import { PageHeader } from '../design/layout';
import { LINK } from '../design/link';
import { OfflineBanner } from '../design/offline-banner';

const PAGES = [
  ['/status', 'Status'],
  ['/track-record', 'Track record'],
] as const;

/** A page that everyone may read. */
export function PublicFrame({
  title,
  lead,
  failure,
  children,
}: {
  title: string;
  lead: ReactNode;
  /** Why the last read failed. Null: it did not. */
  failure: Error | null;
  children: ReactNode;
}): ReactNode {
  return (
    <div className="min-h-screen bg-canvas">
      <header className="border-b border-line bg-surface">
        <div className="mx-auto flex max-w-[1200px] flex-wrap items-center gap-x-6 gap-y-2 px-4 py-3 sm:px-8">
          <Brand />
          <nav aria-label="Pages" className="flex flex-wrap items-center gap-x-5 gap-y-1 sm:grow">
            {PAGES.map(([to, name]) => (
              <Link
                key={to}
                to={to}
                activeOptions={{ includeSearch: false }}
                className="flex min-h-8 items-center font-medium text-soft hover:text-text aria-[current=page]:text-accent aria-[current=page]:underline aria-[current=page]:underline-offset-4"
              >
                {name}
              </Link>
            ))}
            <a href={docs()} className="flex min-h-8 items-center font-medium text-soft hover:text-text">
              Docs
            </a>
          </nav>
          <Link to="/" className={`${LINK} flex min-h-8 items-center`}>
            Portal
          </Link>
        </div>
      </header>
      <OfflineBanner error={failure} />
      <main className="mx-auto max-w-[1200px] px-4 py-8 sm:px-8">
        <PageHeader title={title}>{lead}</PageHeader>
        <div className="flex flex-col gap-6">{children}</div>
      </main>
    </div>
  );
}
