import { type RefObject, useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react';

/** Rows outside of the window that are kept, so that a fast scroll shows no gap. */
const SPARE_ROWS = 12;
/** Shorter lists are rendered whole, so that the browser finds every text of them. */
const SHORT_LIST = 100;

export interface ShownRows {
  /** Goes on the element that contains the rows. */
  ref: RefObject<HTMLTableSectionElement | null>;
  from: number;
  to: number;
  /** Pixels of the rows before and after those that are shown. */
  before: number;
  after: number;
}

/** Rows near the window, which may be outside of the list, and their height in pixels. */
interface Range {
  from: number;
  to: number;
  height: number;
}

/** Returns which rows of a long list to render: those near the window. All rows have the height of the first. */
export function useShownRows(count: number): ShownRows {
  const ref = useRef<HTMLTableSectionElement>(null);
  const [range, setRange] = useState<Range>({ from: 0, to: SHORT_LIST, height: 0 });
  const measure = useCallback((): void => {
    const body = ref.current;
    const row = body?.querySelector('[data-row]');
    if (!body || !row) return;
    const height = row.getBoundingClientRect().height;
    const top = -body.getBoundingClientRect().top;
    const from = Math.max(0, Math.floor(top / height) - SPARE_ROWS);
    const to = Math.ceil((top + innerHeight) / height) + SPARE_ROWS;
    setRange((known) =>
      known.from === from && known.to === to && known.height === height ? known : { from, to, height },
    );
  }, []);
  useEffect(() => {
    if (count <= SHORT_LIST) return undefined;
    measure();
    addEventListener('scroll', measure, { passive: true });
    addEventListener('resize', measure);
    return () => {
      removeEventListener('scroll', measure);
      removeEventListener('resize', measure);
    };
  }, [count, measure]);
  if (count <= SHORT_LIST) return { ref, from: 0, to: count, before: 0, after: 0 };
  return { ref, ...partOf(count, range) };
}

/** Returns the part of a list that a range covers: at least one row, because its height is measured. */
export function partOf(count: number, range: Range): Omit<ShownRows, 'ref'> {
  const from = Math.min(range.from, count - 1);
  const to = Math.max(from + 1, Math.min(count, range.to));
  return { from, to, before: from * range.height, after: (count - to) * range.height };
}

const SCROLLED_PX = 120;

const isScrolled = (): boolean => scrollY > SCROLLED_PX;

function onScroll(changed: () => void): () => void {
  addEventListener('scroll', changed, { passive: true });
  return () => removeEventListener('scroll', changed);
}

export interface CalmList<Row> {
  rows: readonly Row[];
  /** New rows that are not shown. */
  newer: number;
  /** Shows them. */
  toTop: () => void;
}

/** Keeps new rows away from a list that is being read further down. */
export function useCalmList<Row>(rows: readonly Row[], idOf: (row: Row) => string): CalmList<Row> {
  const isReading = useSyncExternalStore(onScroll, isScrolled);
  const first = rows[0] && idOf(rows[0]);
  const [top, setTop] = useState(first);
  useEffect(() => {
    if (!isReading) setTop(first);
  }, [isReading, first]);
  const newer =
    isReading && top !== undefined
      ? Math.max(
          0,
          rows.findIndex((row) => idOf(row) === top),
        )
      : 0;
  const toTop = (): void => scrollTo({ top: 0 });
  return { rows: newer === 0 ? rows : rows.slice(newer), newer, toTop };
}
