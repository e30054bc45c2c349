import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef } from 'react';
import { Button } from './button';
import { ErrorNotice, Loading } from './notice';
import { useShownRows } from './rows';

export interface Column {
  name: string;
  /** For numbers. */
  isRight?: boolean;
  /** Only in wide windows. Its cells have `WIDE`. */
  isWide?: boolean;
  /** Only in windows that are wider still. Its cells have `WIDEST`. */
  isWidest?: boolean;
}

/** Classes of the head of a column. */
export const HEAD = 'px-5 py-2 font-medium whitespace-nowrap';
/** Classes of a cell. */
export const CELL = 'px-5 py-2.5 max-lg:px-0 max-lg:py-0.5';
/** Class of a cell that only wide windows have. */
export const WIDE = 'max-lg:hidden';
/** Class of a cell that only windows with much room have. */
export const WIDEST = 'max-xl:hidden';
/** Classes of a row: a line of the table, and in narrow windows a block with its cells one after the other. */
export const ROW =
  'relative border-b border-line last:border-0 hover:bg-hover max-lg:flex max-lg:flex-wrap max-lg:items-center max-lg:gap-x-3 max-lg:px-5 max-lg:py-2';

/** A table of many rows, of which it renders those near the window. */
export function LongTable<Row>({
  label,
  columns,
  rows,
  children,
}: {
  label: string;
  columns: readonly Column[];
  rows: readonly Row[];
  /** Renders a row: a `tr` with `data-row` and the properties. */
  children: (row: Row, properties: { 'aria-rowindex': number; 'data-row': true }) => ReactNode;
}): ReactNode {
  const { ref, from, to, before, after } = useShownRows(rows.length);
  return (
    <table aria-label={label} aria-rowcount={rows.length + 1} className="w-full text-left max-lg:block">
      <thead className="text-xs text-soft max-lg:sr-only">
        <tr className="border-b border-line">
          {columns.map(({ name, isRight, isWide, isWidest }) => (
            <th
              key={name}
              scope="col"
              className={`${HEAD} ${isRight ? 'text-right' : ''} ${isWide ? WIDE : ''} ${isWidest ? WIDEST : ''}`}
            >
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody ref={ref} className="max-lg:block">
        {before > 0 && <Gap height={before} columns={columns.length} />}
        {rows
          .slice(from, to)
          .map((row, index) => children(row, { 'aria-rowindex': from + index + 2, 'data-row': true }))}
        {after > 0 && <Gap height={after} columns={columns.length} />}
      </tbody>
    </table>
  );
}

/** Takes the place of rows that are not rendered. */
function Gap({ height, columns }: { height: number; columns: number }): ReactNode {
  return (
    <tr aria-hidden="true">
      <td colSpan={columns} style={{ height }} />
    </tr>
  );
}

/** The place of a list while its first page is read, or could not be read. */
export function FirstPage({
  rows = 6,
  list: { isPending, isError, isFetchNextPageError, error, refetch },
}: {
  /** Number of rows that are indicated. */
  rows?: number;
  list: Pick<UseInfiniteQueryResult, 'isPending' | 'isError' | 'isFetchNextPageError' | 'error' | 'refetch'>;
}): ReactNode {
  if (isPending) return <Loading rows={rows} />;
  if (!isError || isFetchNextPageError) return null;
  return (
    <div className="p-5">
      <ErrorNotice error={error} onRetry={() => void refetch()} />
    </div>
  );
}

/** The end of a list with more entries: they are read when it comes into view, or by its button. */
export function Older({
  name,
  order = 'older',
  count,
  list: { isError, isFetching, isFetchingNextPage, isFetchNextPageError, error, fetchNextPage },
}: {
  name: string;
  /** How the entries that follow differ from those that are shown. */
  order?: string;
  /** Number of entries that were read. */
  count: number;
  list: Pick<
    UseInfiniteQueryResult,
    'isError' | 'isFetching' | 'isFetchingNextPage' | 'isFetchNextPageError' | 'error' | 'fetchNextPage'
  >;
}): ReactNode {
  const ref = useRef<HTMLDivElement>(null);
  // An observer reports at once what is in view. After a failure, that would repeat it without pause.
  const isWaiting = !isFetching && !isError;
  useEffect(() => {
    // One call can report that the end was out of view and then came into view. The last entry is the present one.
    const observer = new IntersectionObserver(
      (entries) => entries.at(-1)?.isIntersecting && void fetchNextPage(),
    );
    if (ref.current && isWaiting) observer.observe(ref.current);
    return () => observer.disconnect();
    // A page may arrive before React shows that it is being read.
  }, [isWaiting, count, fetchNextPage]);
  return (
    <div ref={ref} className="flex flex-col items-start gap-3 border-t border-line px-5 py-3">
      {isFetchNextPageError && <ErrorNotice error={error} />}
      <Button size="small" isPending={isFetchingNextPage} onPress={() => void fetchNextPage()}>
        {isFetchingNextPage ? `Reading ${order} ${name}` : `Show ${order} ${name}`}
      </Button>
    </div>
  );
}

/** Says whether a list shows new rows as they arrive, and begins it again. */
export function LiveState({
  name,
  order = 'older',
  isPaused,
  onResume,
}: {
  name: string;
  order?: string;
  /** Whether older rows are shown. */
  isPaused: boolean;
  onResume: () => void;
}): ReactNode {
  if (!isPaused) return <span>live</span>;
  return (
    <span className="inline-flex flex-wrap items-center gap-4">
      paused while {order} {name} are shown
      <Button size="small" onPress={onResume}>
        Resume
      </Button>
    </span>
  );
}

/** Says how many new rows wait above, and shows them. */
export function NewRows({
  count,
  name,
  onShow,
}: {
  count: number;
  name: string;
  onShow: () => void;
}): ReactNode {
  if (count === 0) return null;
  return (
    <div role="status" className="sticky top-2 z-[5] flex h-0 justify-center max-md:top-16">
      <Button kind="primary" size="small" onPress={onShow}>
        {count} new {name}
      </Button>
    </div>
  );
}
