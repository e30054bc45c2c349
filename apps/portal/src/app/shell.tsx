import { useQuery } from '@tanstack/react-query';
import { Link, Outlet } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { LogOutButton } from '../account/log-out-button';
import { sessionQuery } from '../api/client';
import { Brand } from '../design/brand';
import { ShownKeyProvider } from '../keys/shown-key';

const PAGES = [
  ['/', 'Home'],
  ['/keys', 'Keys'],
  ['/webhooks', 'Webhooks'],
  ['/events', 'Events'],
  ['/usage', 'Usage'],
] as const;

const ENTRY =
  'flex h-9 items-center rounded-md px-3 font-medium whitespace-nowrap text-soft transition-colors hover:bg-hover hover:text-text aria-[current=page]:bg-accent-soft aria-[current=page]:text-accent';

/** Navigation and page of a signed-in user. */
export function Shell(): ReactNode {
  return (
    <ShownKeyProvider>
      <div className="min-h-screen md:grid md:grid-cols-[220px_minmax(0,1fr)]">
        <a
          href="#page"
          className="absolute top-2 left-2 z-30 -translate-y-20 rounded-md bg-accent px-3 py-2 font-medium text-on-accent focus:translate-y-0"
        >
          Skip to the page
        </a>
        <header className="sticky top-0 z-10 flex flex-col border-line bg-surface max-md:border-b md:h-screen md:border-r">
          <div className="flex h-14 items-center px-5">
            <Brand />
          </div>
          <nav
            aria-label="Pages"
            className="flex gap-1 overflow-x-auto px-3 max-md:pb-2 md:flex-col md:overflow-visible"
          >
            <h2 className="px-3 pt-2 pb-1 text-xs font-medium text-faint max-md:hidden">Develop</h2>
            {PAGES.map(([to, name]) => (
              <Link
                key={to}
                to={to}
                activeOptions={{ exact: to === '/', includeSearch: false }}
                className={ENTRY}
              >
                {name}
              </Link>
            ))}
            <a href="/docs" className={ENTRY}>
              Docs
            </a>
            <Link to="/account" className={`${ENTRY} md:hidden`}>
              Account
            </Link>
          </nav>
          <AccountEntry />
        </header>
        <main id="page" tabIndex={-1} className="min-w-0 outline-none">
          <div className="mx-auto w-full max-w-[1200px] px-4 py-6 sm:px-8 sm:py-8">
            <Outlet />
          </div>
        </main>
      </div>
    </ShownKeyProvider>
  );
}

function AccountEntry(): ReactNode {
  const { data } = useQuery(sessionQuery);
  return (
    <div className="mt-auto flex flex-col gap-2 border-t border-line p-3 max-md:hidden">
      <Link to="/account" className={`${ENTRY} h-auto flex-col items-start py-1.5`}>
        <span className="max-w-full truncate text-text">{data?.account.email}</span>
        <span className="block text-xs font-normal first-letter:capitalize">{data?.account.tier} plan</span>
      </Link>
      <LogOutButton />
    </div>
  );
}
