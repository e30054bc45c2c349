import type { AlertResolveReason, Band } from '@plimsoll/contracts';
import type { PositionState } from './position-state';

/** Title and message of an alert. */
export interface AlertText {
  title: string;
  message: string;
}

/** Every text of a standing alert. A test drives the evaluator through all of them. */
export const ALERT_TEXT_VARIANTS = [
  'opened.high',
  'opened.critical',
  'opened.liquidatable',
  'opened.collateral_drop',
  'escalated.critical',
  'updated.milder',
  'updated.retracted',
  'updated.high',
  'updated.critical',
  'updated.liquidatable',
  'resolved.recovered',
  'resolved.closed',
  'resolved.unwatched',
  'resolved.dust',
  'resolved.escalated',
  'resolved.retracted',
  'resolved.collateral_steady',
] as const;
export type AlertTextVariant = (typeof ALERT_TEXT_VARIANTS)[number];

/** What texts are made of. */
export interface AlertTextInput {
  position: PositionState;
  /** Share that the collateral lost within the last hour, 0 to 1. */
  collateralDrop: number;
  /** Health factor that suggested repayments and deposits lead to. */
  targetHealthFactor: number;
  /** What the account does not want alerts below, USD. */
  minUsd: number;
}

/** Where a position is, for people. */
export const place = ({ protocol, chainId }: PositionState): string => `${protocol} on chain ${chainId}`;

/** Cut, never rounded: 0.99999 must not read as 1. */
export function shownHealthFactor(healthFactor: number | null): string {
  return healthFactor === null ? 'none (no debt)' : String(Math.trunc(healthFactor * 1e4) / 1e4);
}

interface Words extends AlertTextInput {
  healthFactor: string;
  where: string;
  percent: string;
}

const TEXTS: Readonly<Record<AlertTextVariant, (words: Words) => AlertText>> = {
  'opened.high': ({ healthFactor, where }) => ({
    title: `Health factor ${healthFactor}`,
    message: `The health factor of the position in ${where} is ${healthFactor}; at 1 it can be liquidated. Consider more collateral or less debt.`,
  }),
  'opened.critical': ({ healthFactor, where }) => ({
    title: `Liquidation risk: health factor ${healthFactor}`,
    message: `The position in ${where} is close to liquidation: its health factor is ${healthFactor}, at 1 it can be liquidated. Add collateral or repay debt.`,
  }),
  'opened.liquidatable': ({ healthFactor, where }) => ({
    title: `Liquidatable: health factor ${healthFactor}`,
    message: `The position in ${where} can be liquidated now: its health factor is ${healthFactor}. Add collateral or repay debt at once.`,
  }),
  'opened.collateral_drop': ({ healthFactor, where, percent }) => ({
    title: `Collateral lost ${percent} % within an hour`,
    message: `Prices took ${percent} % from the collateral of the position in ${where} within an hour; its health factor is ${healthFactor}. Check whether it needs more collateral or less debt.`,
  }),
  'escalated.critical': ({ healthFactor, where }) => ({
    title: `Liquidation risk grew: health factor ${healthFactor}`,
    message: `The position in ${where} came closer to liquidation: its health factor is ${healthFactor}, at 1 it can be liquidated. Add collateral or repay debt.`,
  }),
  'updated.milder': ({ healthFactor, where, position }) => ({
    title: `Risk fell to ${position.level}: health factor ${healthFactor}`,
    message: `The health factor of the position in ${where} rose to ${healthFactor}, which is still ${position.level}.`,
  }),
  'updated.retracted': ({ healthFactor, where, position }) => ({
    title: `Taken back, still ${position.level}: health factor ${healthFactor}`,
    message: `The chain replaced the block in which the risk of the position in ${where} rose. Its health factor is ${healthFactor}, which is ${position.level}.`,
  }),
  'updated.high': ({ healthFactor, where }) => ({
    title: `Health factor now ${healthFactor}`,
    message: `The health factor of the position in ${where} moved to ${healthFactor}; at 1 it can be liquidated.`,
  }),
  'updated.critical': ({ healthFactor, where }) => ({
    title: `Liquidation risk: health factor now ${healthFactor}`,
    message: `The position in ${where} stays close to liquidation: its health factor moved to ${healthFactor}. Add collateral or repay debt.`,
  }),
  'updated.liquidatable': ({ healthFactor, where }) => ({
    title: `Still liquidatable: health factor now ${healthFactor}`,
    message: `The position in ${where} can still be liquidated: its health factor moved to ${healthFactor}. Add collateral or repay debt at once.`,
  }),
  'resolved.recovered': ({ healthFactor, where }) => ({
    title: `Recovered: health factor ${healthFactor}`,
    message: `The health factor of the position in ${where} is back at ${healthFactor}.`,
  }),
  'resolved.closed': ({ where }) => ({
    title: 'Position closed',
    message: `The position in ${where} is closed.`,
  }),
  'resolved.unwatched': ({ where }) => ({
    title: 'No longer watched',
    message: `The wallet of the position in ${where} is not watched any more. Watch it again to receive alerts.`,
  }),
  'resolved.dust': ({ where, minUsd }) => ({
    title: 'Too small for alerts',
    message: `Collateral and debt of the position in ${where} are both below ${minUsd} USD, the least that this account receives alerts for.`,
  }),
  'resolved.escalated': ({ where, healthFactor }) => ({
    title: 'Replaced by a liquidation alert',
    message: `The position in ${where} became liquidatable at a health factor of ${healthFactor}; a new alert takes the place of this one.`,
  }),
  'resolved.retracted': ({ healthFactor, where }) => ({
    title: `Taken back: health factor ${healthFactor}`,
    message: `The chain replaced the block in which the position in ${where} came into danger. Its health factor is ${healthFactor}.`,
  }),
  'resolved.collateral_steady': ({ healthFactor, where }) => ({
    title: 'Collateral steady again',
    message: `The collateral of the position in ${where} is no longer far below what it was worth an hour ago; its health factor is ${healthFactor}.`,
  }),
};

export function alertText(variant: AlertTextVariant, input: AlertTextInput): AlertText {
  const { position, collateralDrop } = input;
  return TEXTS[variant]({
    ...input,
    healthFactor: shownHealthFactor(position.healthFactor),
    where: place(position),
    percent: (collateralDrop * 100).toFixed(1),
  });
}

/** @param level one of danger */
export function levelVariant<S extends 'opened' | 'updated'>(
  step: S,
  level: Band,
): `${S}.${'high' | 'critical' | 'liquidatable'}` {
  return `${step}.${level === 'liquidatable' || level === 'critical' ? level : 'high'}`;
}

export function resolvedVariant(reason: AlertResolveReason): AlertTextVariant {
  return `resolved.${reason}`;
}
