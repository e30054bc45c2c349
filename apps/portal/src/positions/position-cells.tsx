import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { shortened } from '../design/format';
import { fallText, healthText } from '../design/levels';
import { CELL, WIDE, WIDEST } from '../design/list';
import { HealthBar, RiskLevel } from '../design/risk';
import { Changing, Usd } from '../design/values';
import type { Position } from './requests';

export const COLUMNS = [
  { name: 'Position' },
  { name: 'Level' },
  { name: 'Health factor', isRight: true },
  { name: 'To liquidation', isRight: true, isWide: true },
  { name: 'Collateral', isRight: true, isWidest: true },
  { name: 'Debt', isRight: true },
];

/** States of a position in words. */
export const FLAGS: Record<NonNullable<Position['flags']>[number], string> = {
  soft_liquidation: 'being sold',
  redemption: 'redeemable',
  recovery_mode: 'recovery mode',
  shutdown: 'closing market',
};

export interface Names {
  protocols: ReadonlyMap<string, string>;
  chains: ReadonlyMap<number, string>;
}

/** Protocol, chain and market of a position, in words. */
export function marketOf(
  { protocol, chainId }: Pick<Position, 'protocol' | 'chainId'>,
  names?: Names,
): string {
  const chain = names?.chains.get(chainId) ?? `chain ${chainId}`;
  return `${names?.protocols.get(protocol) ?? protocol} on ${chain}`;
}

export function PositionCells({
  position,
  label,
  names,
}: {
  position: Position;
  /** The name of its wallet. */
  label: string | null | undefined;
  names: Names | undefined;
}): ReactNode {
  const { wallet, healthFactor, totalDebtUsd, totalCollateralUsd, riskLevel, flags, market, subId } =
    position;
  const hasDebt = totalDebtUsd > 0;
  const details = [marketOf(position, names), ...(flags ?? []).map((flag) => FLAGS[flag])].join(' · ');
  return (
    <>
      <td className={`${CELL} min-w-0 max-lg:w-full lg:w-full lg:max-w-0`}>
        <Link
          to="/positions/$id"
          params={{ id: position.id }}
          className="flex items-baseline gap-2 outline-offset-[-2px] after:absolute after:inset-0"
        >
          {label && <span className="min-w-0 truncate font-medium">{label}</span>}
          <code title={wallet} className="font-mono text-xs">
            {shortened(wallet)}
          </code>
        </Link>
        <span title={[market, subId].filter(Boolean).join(' ')} className="block truncate text-sm text-soft">
          {details}
        </span>
      </td>
      <td className={CELL} title={position.riskLevelReason}>
        <RiskLevel level={riskLevel} hasDebt={hasDebt} />
      </td>
      <td className={`${CELL} text-right whitespace-nowrap`}>
        <span className="mr-1.5 text-soft lg:hidden">HF</span>
        <Changing value={healthFactor}>
          <span className="font-medium">{healthText(healthFactor, hasDebt)}</span>
        </Changing>
        <span className="block w-24 pt-1 max-lg:hidden">
          <HealthBar healthFactor={healthFactor} level={riskLevel} />
        </span>
      </td>
      <td className={`${CELL} text-right whitespace-nowrap text-soft ${WIDE}`}>
        {fallText(healthFactor, hasDebt)}
      </td>
      <td className={`${CELL} text-right text-soft ${WIDEST}`}>
        <Usd value={totalCollateralUsd} />
      </td>
      <td className={`${CELL} text-right max-lg:ml-auto`}>
        <Usd value={totalDebtUsd} />
      </td>
    </>
  );
}
