import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect, useMemo, useRef } from 'react';
import { registryQuery } from '../api/registry';
import { formatCount, formatDuration, formatShortUsd, formatUsd, shortened } from '../design/format';
import { LEVELS, fallText, healthText } from '../design/levels';
import { LINK } from '../design/link';
import { Empty } from '../design/notice';
import { RiskLevel } from '../design/risk';
import { Changing, useNow } from '../design/values';
import { type Names, marketOf } from '../positions/position-cells';
import { type Position, walletsQuery } from '../positions/requests';
import { Paces, byTime } from './pace';

/** Rows that a screen shows in large type. */
const MOST_ROWS = 8;
/** Rows change their places at most this often. Their figures change at once. */
const ORDER_MS = 1_000;
const WATCHED = LEVELS.indexOf('moderate');
const HEAD = 'px-3 py-2 text-lg font-medium whitespace-nowrap first:pl-6 last:pr-6';
const CELL = 'max-xl:py-0.5 xl:px-3 xl:py-3 xl:first:pl-6 xl:last:pr-6';

/** Positions that are in danger or fall toward it, by their time to liquidation. */
export function DangerList({ positions }: { positions: readonly Position[] }): ReactNode {
  const now = useNow(ORDER_MS).getTime();
  const names = useQuery(registryQuery).data;
  const wallets = useQuery(walletsQuery).data;
  const paces = useRef(new Paces());
  useEffect(() => {
    for (const { id, healthFactor } of positions) paces.current.add(id, healthFactor, Date.now());
  }, [positions]);
  const rows = useRows(positions, paces.current, now);
  if (rows.length === 0)
    return (
      <Empty title="No position is in danger.">
        <p className="text-lg text-soft">
          {positions.length === 0
            ? 'Watch a wallet, and its positions appear here when they come near liquidation.'
            : 'A position appears here when its level is moderate or worse.'}
        </p>
      </Empty>
    );
  return (
    <>
      <table aria-label="Positions by time to liquidation" className="w-full text-left max-xl:block">
        <thead className="text-soft max-xl:sr-only">
          <tr className="border-b border-line">
            <th scope="col" className={HEAD}>
              Time left
            </th>
            <th scope="col" className={HEAD}>
              Position
            </th>
            <th scope="col" className={`${HEAD} text-right`}>
              Health
            </th>
            <th scope="col" className={`${HEAD} text-right`}>
              At stake, USD
            </th>
          </tr>
        </thead>
        <tbody className="max-xl:block">
          {rows.slice(0, MOST_ROWS).map(({ position, secondsLeft }) => (
            <Row
              key={position.id}
              position={position}
              secondsLeft={secondsLeft}
              label={wallets?.get(position.wallet.toLowerCase())}
              names={names}
            />
          ))}
        </tbody>
      </table>
      {rows.length > MOST_ROWS && (
        <p className="px-4 py-4 text-lg text-soft sm:px-6">
          Further from liquidation: {formatCount(rows.length - MOST_ROWS)} more in{' '}
          <Link to="/positions" className={LINK}>
            all positions
          </Link>
        </p>
      )}
    </>
  );
}

interface Timed {
  position: Position;
  secondsLeft: number | null;
}

/** The order of the last second, with the latest figures. */
function useRows(positions: readonly Position[], paces: Paces, now: number): Timed[] {
  const latest = useRef(positions);
  latest.current = positions;
  const isRead = positions.length > 0;
  const order = useMemo(() => {
    const shown = isRead
      ? latest.current.filter(({ riskLevel }) => LEVELS.indexOf(riskLevel) >= WATCHED)
      : [];
    return byTime(shown, paces, now);
  }, [paces, now, isRead]);
  const figures = new Map(positions.map((position) => [position.id, position]));
  return order.flatMap(({ position: { id }, secondsLeft }) => {
    const position = figures.get(id);
    return position ? [{ position, secondsLeft }] : [];
  });
}

function Row({
  position,
  secondsLeft,
  label,
  names,
}: Timed & { label: string | null | undefined; names: Names | undefined }): ReactNode {
  const { id, wallet, healthFactor, riskLevel, totalCollateralUsd, totalDebtUsd } = position;
  const hasDebt = totalDebtUsd > 0;
  const stakeUsd = Math.min(totalCollateralUsd, totalDebtUsd);
  return (
    <tr className="relative border-b border-line last:border-0 hover:bg-hover max-xl:flex max-xl:flex-wrap max-xl:items-baseline max-xl:gap-x-4 max-sm:gap-x-2 max-xl:px-4 max-xl:py-3 max-xl:sm:px-6">
      <td className={`${CELL} whitespace-nowrap`}>
        <span className="block text-2xl font-semibold xl:text-3xl">{timeText(secondsLeft)}</span>
        <span className="block text-sm text-soft">
          {secondsLeft === null ? `${fallText(healthFactor, hasDebt)} to liquidation` : noteOf(secondsLeft)}
        </span>
      </td>
      <td className={`${CELL} min-w-0 max-xl:order-first max-xl:w-full xl:w-full xl:max-w-0`}>
        <Link
          to="/positions/$id"
          params={{ id }}
          title={wallet}
          className="block truncate text-xl font-medium outline-offset-[-2px] after:absolute after:inset-0 xl:text-2xl"
        >
          {label ?? <code className="font-mono">{shortened(wallet)}</code>}
        </Link>
        <span className="block truncate text-lg text-soft">{marketOf(position, names)}</span>
      </td>
      <td className={`${CELL} text-right whitespace-nowrap`}>
        <Changing value={healthFactor}>
          <span className="text-xl font-semibold xl:text-2xl">{healthText(healthFactor, hasDebt)}</span>
        </Changing>
        <span className="flex justify-end">
          <RiskLevel level={riskLevel} hasDebt={hasDebt} />
        </span>
      </td>
      <td className={`${CELL} text-right whitespace-nowrap max-xl:ml-auto`}>
        <span title={`${formatUsd(stakeUsd)} USD`} className="text-xl font-semibold xl:text-2xl">
          {formatShortUsd(stakeUsd)}
        </span>
        <span className="block text-sm text-soft xl:sr-only">USD at stake</span>
      </td>
    </tr>
  );
}

function timeText(secondsLeft: number | null): string {
  if (secondsLeft === null) return 'steady';
  return secondsLeft === 0 ? 'now' : formatDuration(secondsLeft);
}

const noteOf = (secondsLeft: number): string => (secondsLeft === 0 ? 'can be liquidated' : 'at this pace');
