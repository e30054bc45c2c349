import type {
  AlertCause,
  ParameterChange,
  ParameterName,
  ParameterValue,
  Severity,
} from '@plimsoll/contracts';
import { formatHealthFactor, venueName } from '../../content/format-figures';
import { message, walletOf } from '../../content/sentences';
import type { AlertText } from '../../lifecycle/alert';

/** The most important parameter first. */
const NAMES: Readonly<Record<ParameterName, string>> = {
  liquidation_threshold: 'liquidation threshold',
  oracle: 'price oracle',
  max_ltv: 'maximum LTV',
  supply_cap: 'supply cap',
  borrow_cap: 'borrow cap',
};
const ORDER = Object.keys(NAMES) as ParameterName[];
const SHARES: ReadonlySet<ParameterName> = new Set(['liquidation_threshold', 'max_ltv']);

/** The effect of a change on a position. */
export interface ChangeOfPosition {
  asset: string;
  change: ParameterChange;
  position: { protocol: string; chainId: number; wallet: string };
  label: string | null;
  healthFactor: number;
  /** Null: it is unknown. */
  healthFactorAfter: number | null;
}

/** High: the change makes the position liquidatable. Info: its health factor stays, or rises. */
export function severityOf({
  healthFactor,
  healthFactorAfter,
}: Pick<ChangeOfPosition, 'healthFactor' | 'healthFactorAfter'>): Severity {
  if (healthFactorAfter === null) return 'medium';
  if (healthFactorAfter < 1) return 'high';
  return healthFactorAfter < healthFactor ? 'medium' : 'info';
}

/** The text of a change that is announced. */
export function announcedText({
  asset,
  change,
  position,
  label,
  healthFactor,
  healthFactorAfter,
}: ChangeOfPosition): AlertText {
  const [first, ...others] = ordered(change);
  const whose = `the health factor of ${walletOf({ wallet: position.wallet, walletLabel: label })}`;
  const today = formatHealthFactor(healthFactor);
  const effect =
    healthFactorAfter === null
      ? `Its effect on ${whose}, which is ${today}, cannot be computed.`
      : healthFactorAfter === healthFactor
        ? `It leaves ${whose} at ${today}.`
        : `At the prices of today, it changes ${whose} from ${today} to ${formatHealthFactor(healthFactorAfter)}.`;
  return {
    title: first
      ? `${venueName(position)} will change the ${NAMES[first.parameter]} of ${asset}${fromTo(first)}`
      : `${venueName(position)} will change ${asset}`,
    message: message(
      timeSentence(change),
      ...others.map((value) => `The ${NAMES[value.parameter]} changes too${fromTo(value)}.`),
      effect,
      healthFactorAfter !== null && healthFactorAfter < 1 ? 'The position can then be liquidated.' : '',
    ),
  };
}

/** @param state null: the position no longer depends on the change, or it is no longer announced */
export function overText(
  state: 'executed' | 'cancelled' | 'expired' | null,
  of: { protocol: string | null; chainId: number | null; asset: string },
): AlertText {
  const { protocol, chainId, asset } = of;
  const venue = protocol === null || chainId === null ? 'The protocol' : venueName({ protocol, chainId });
  if (state === 'executed')
    return { title: `${venue} changed ${asset} as announced`, message: 'The announced change was made.' };
  if (state === 'cancelled')
    return { title: `${venue} cancelled a change of ${asset}`, message: 'The announced change is not made.' };
  if (state === 'expired')
    return {
      title: `A change of ${asset} in ${venue} expired`,
      message: 'The announced change was not made in time.',
    };
  return {
    title: `An announced change of ${asset} no longer matters`,
    message:
      'The change is no longer announced, the position no longer depends on it or is too small for alerts, its wallet is no longer watched, or its market is no longer read.',
  };
}

/** The change of a share, in percent. Other parameters have no such figure. */
export function causeOfChange(asset: string, change: ParameterChange): AlertCause {
  const share = ordered(change).find(({ parameter }) => SHARES.has(parameter));
  const isKnown = share !== undefined && Number(share.from) > 0;
  return {
    kind: 'parameter',
    asset,
    changePercent: isKnown ? (Number(share.to) / Number(share.from) - 1) * 100 : null,
    fromUsd: null,
    toUsd: null,
  };
}

function ordered({ values }: ParameterChange): ParameterValue[] {
  return values.toSorted((a, b) => ORDER.indexOf(a.parameter) - ORDER.indexOf(b.parameter));
}

/** An amount in raw units says little to a reader, so only shares and oracles are written. */
function fromTo({ parameter, from, to }: ParameterValue): string {
  if (SHARES.has(parameter)) return ` from ${percentOf(from)} to ${percentOf(to)}`;
  return parameter === 'oracle' ? ` to ${to}` : '';
}

/** A share as a contract states it: 82.5 %. */
const percentOf = (share: string): string => `${Number((Number(share) * 100).toPrecision(6))} %`;

function timeSentence({ earliestAt, expiresAt, isGradual }: ParameterChange): string {
  if (isGradual) return `The value moves with every block, until ${minuteOf(earliestAt)}.`;
  const end = expiresAt === null ? '' : `, until ${minuteOf(expiresAt)}`;
  return `The change can be made from ${minuteOf(earliestAt)} on${end}.`;
}

const minuteOf = (time: string): string => `${time.slice(0, 10)} ${time.slice(11, 16)} UTC`;
