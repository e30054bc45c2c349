import type { ReactNode } from 'react';
import { formatCount, formatHealthFactor } from '../design/format';
import { Tiles } from '../design/tiles';
import { Changing, ShortUsd, Usd } from '../design/values';
import type { Position } from './requests';
import { totalsOf } from './totals';

/** The figures of a list of positions together. */
export function PositionTotals({
  positions,
  isComplete,
}: {
  positions: readonly Position[];
  /** Whether the list has no further pages. */
  isComplete: boolean;
}): ReactNode {
  const { count, inDanger, atStakeUsd, lowestHealthFactor, debtUsd, netWorthUsd } = totalsOf(positions);
  return (
    <section aria-label="Totals" className="flex flex-col gap-2">
      <Tiles
        tiles={[
          {
            name: 'At stake',
            value: (
              <Changing value={Math.round(atStakeUsd)}>
                <ShortUsd value={atStakeUsd} />
              </Changing>
            ),
            note: 'from positions in danger',
          },
          {
            name: 'In danger',
            value: <Changing value={inDanger}>{formatCount(inDanger)}</Changing>,
            note:
              lowestHealthFactor === null
                ? `of ${formatCount(count)}, none with debt`
                : `of ${formatCount(count)}, lowest health factor ${formatHealthFactor(lowestHealthFactor)}`,
          },
          {
            name: 'Net worth',
            value: <ShortUsd value={netWorthUsd} />,
            note: (
              <>
                after <Usd value={debtUsd} /> of debt
              </>
            ),
          },
        ]}
      />
      {!isComplete && (
        <p className="px-1 text-sm text-soft">
          Of the first {formatCount(count)} positions. Further ones are read at the end of the list.
        </p>
      )}
    </section>
  );
}
