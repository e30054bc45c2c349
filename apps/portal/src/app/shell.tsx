import { Outlet } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useAccountActivity } from '../api/live';
import { ShownKeyProvider } from '../keys/shown-key';
import { SideBar, TopBar } from './navigation';
import { OfflineBanner } from '../design/offline-banner';

/** Navigation and page of a signed-in user. */
export function Shell(): ReactNode {
  const failure = useAccountActivity();
  return (
    <ShownKeyProvider>
      <div className="min-h-screen md:grid md:grid-cols-[220px_minmax(0,1fr)]">
        <a
          href="#page"
          className="absolute top-2 left-2 z-30 -translate-y-20 rounded-md bg-accent px-3 py-2 font-medium text-on-accent focus:translate-y-0"
        >
          Skip to the page
        </a>
        <SideBar />
        <TopBar />
        <main id="page" tabIndex={-1} className="min-w-0 outline-none">
          <OfflineBanner error={failure} />
          <div className="mx-auto w-full max-w-[1200px] px-4 py-6 sm:px-8 sm:py-8">
            <Outlet />
          </div>
        </main>
      </div>
    </ShownKeyProvider>
  );
}
