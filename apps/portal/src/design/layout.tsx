import type { ReactNode } from 'react';

/** Title and main button of a page. */
export function PageHeader({
  title,
  children,
  action,
}: {
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}): ReactNode {
  return (
    <header className="mb-6 flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
      <div className="flex max-w-2xl flex-col gap-1">
        <h1 className="text-xl font-semibold [overflow-wrap:anywhere]">{title}</h1>
        {children && <p className="text-soft">{children}</p>}
      </div>
      {action}
    </header>
  );
}

/** A part of a page, with a border. */
export function Card({
  title,
  aside,
  children,
}: {
  title?: ReactNode;
  aside?: ReactNode;
  children: ReactNode;
}): ReactNode {
  return (
    <section className="min-w-0 rounded-lg border border-line bg-surface">
      {title && (
        <div className="flex min-h-12 flex-wrap items-center justify-between gap-x-4 gap-y-1 border-b border-line px-5 py-2">
          <h2 className="font-semibold">{title}</h2>
          {aside}
        </div>
      )}
      {children}
    </section>
  );
}

/** Terms with their values, in two columns. In narrow windows a long value is below its term. */
export function Facts({
  facts,
}: {
  facts: readonly (readonly [term: string, value: ReactNode])[];
}): ReactNode {
  return (
    <dl className="flex flex-col gap-x-6 gap-y-2.5 px-5 py-4 sm:grid sm:grid-cols-[max-content_minmax(0,1fr)]">
      {facts.map(([term, value]) => (
        <div key={term} className="flex flex-wrap items-baseline justify-between gap-x-6 sm:contents">
          <dt className="text-soft">{term}</dt>
          <dd className="min-w-0 [overflow-wrap:anywhere]">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
