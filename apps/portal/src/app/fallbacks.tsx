import { type ErrorComponentProps, Link, useRouter } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { buttonClass } from '../design/button';
import { ErrorNotice } from '../design/notice';

export function NotFound(): ReactNode {
  return (
    <main className="mx-auto flex min-h-screen max-w-md flex-col items-start justify-center gap-4 p-8">
      <h1 className="text-xl font-semibold">There is no such page</h1>
      <p className="text-soft">The address is wrong, or the page has moved.</p>
      <Link to="/" className={buttonClass('primary')}>
        Home
      </Link>
    </main>
  );
}

export function Failed({ error }: ErrorComponentProps): ReactNode {
  const router = useRouter();
  return (
    <div className="mx-auto flex max-w-md flex-col gap-4 p-8">
      <h1 className="text-xl font-semibold">This page cannot be shown</h1>
      <ErrorNotice error={error} onRetry={() => void router.invalidate()} />
    </div>
  );
}

/** The page for a failure before the navigation could be shown. */
export function FailedBeforePage(props: ErrorComponentProps): ReactNode {
  return (
    <main>
      <Failed {...props} />
    </main>
  );
}
