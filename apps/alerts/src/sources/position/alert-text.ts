import { type AlertContent, type AlertResolveReason, type Band } from '@plimsoll/contracts';
import { formatHealthFactor, formatPercent, formatPrice, formatValue } from '../../content/format-figures';
import {
  causeSentence,
  depegSentence,
  dropSentence,
  liquidatableSentence,
  liquidationSentence,
  message,
  remediesSentence,
  venueOf,
  walletOf,
} from '../../content/sentences';
import type { AlertText } from '../../lifecycle/alert';
import { type MarketPrices, marketHealthFactor, unpricedAssets } from '../../positions/depeg';
import type { PositionState } from '../../positions/position-state';

/** Every text of an alert without a rule. A test drives the evaluator through all of them. */
export const ALERT_TEXT_VARIANTS = [
  'opened.high',
  'opened.critical',
  'opened.liquidatable',
  'opened.depeg',
  'opened.collateral_drop',
  'escalated.critical',
  'escalated.depeg',
  'updated.milder',
  'updated.retracted',
  'updated.high',
  'updated.critical',
  'updated.liquidatable',
  'updated.depeg',
  'resolved.recovered',
  'resolved.depeg',
  'resolved.depeg_unknown',
  'resolved.closed',
  'resolved.unwatched',
  'resolved.dust',
  'resolved.escalated',
  'resolved.retracted',
  'resolved.collateral_steady',
  'resolved.collateral_in_danger',
] as const;
export type AlertTextVariant = (typeof ALERT_TEXT_VARIANTS)[number];

/** The inputs of a text. */
export interface AlertTextInput {
  position: PositionState;
  content: AlertContent;
  /** Share that the collateral lost within the last hour, 0 to 1. */
  collateralDrop: number;
  /** The account's minimum position size for alerts, USD. */
  minUsd: number;
  /** Fresh market prices of the position's assets. */
  market: MarketPrices;
}

interface Words extends AlertTextInput {
  healthFactor: string;
  /** The health factor at market prices. */
  atMarket: string;
  venue: string;
  whose: string;
}

const danger =
  (headline: (words: Words) => string) =>
  (words: Words): AlertText => {
    const { content, position, venue } = words;
    return {
      title: `${headline(words)} in ${venue}`,
      message: message(
        causeSentence(content),
        dropSentence(content),
        liquidationSentence(content, position),
        remediesSentence(content),
      ),
    };
  };

const liquidatable =
  (headline: string) =>
  ({ content, healthFactor, venue }: Words): AlertText => ({
    title: `${headline}: health factor ${healthFactor} in ${venue}`,
    message: message(
      causeSentence(content),
      dropSentence(content),
      liquidatableSentence(content),
      remediesSentence(content),
    ),
  });

const depeg =
  (headline: (words: Words) => string) =>
  (words: Words): AlertText => {
    const { content, venue } = words;
    return {
      title: `${headline(words)} in ${venue}`,
      message: message(causeSentence(content), depegSentence(content), remediesSentence(content)),
    };
  };

const TEXTS: Readonly<Record<AlertTextVariant, (words: Words) => AlertText>> = {
  'opened.high': danger(({ healthFactor }) => `Health factor ${healthFactor}`),
  'opened.critical': danger(({ healthFactor }) => `Close to liquidation: health factor ${healthFactor}`),
  'opened.liquidatable': liquidatable('Liquidatable now'),
  'opened.depeg': depeg(
    ({ content, atMarket }) =>
      `${content.cause?.asset} off its oracle price: health factor ${atMarket} at market prices`,
  ),
  'opened.collateral_drop': ({ content, position, collateralDrop, healthFactor, venue }) => ({
    title: `Collateral lost ${formatPercent(collateralDrop * 100)} within an hour in ${venue}`,
    message: message(
      `Prices alone took it from ${walletOf(content)} and left a health factor of ${healthFactor}.`,
      liquidationSentence(content, position),
      remediesSentence(content),
    ),
  }),
  'escalated.critical': danger(({ healthFactor }) => `Closer to liquidation: health factor ${healthFactor}`),
  'escalated.depeg': depeg(
    ({ content, atMarket }) =>
      `Closer to liquidation, ${content.cause?.asset} off its oracle price: health factor ${atMarket} at market prices`,
  ),
  'updated.milder': danger(
    ({ healthFactor, position: { level } }) => `Risk fell to ${level}: health factor ${healthFactor}`,
  ),
  'updated.retracted': ({ content, position, healthFactor, venue }) => ({
    title: `Correction: health factor ${healthFactor} in ${venue}`,
    message: message(
      `The chain replaced the block that had made the risk of ${walletOf(content)} worse; it is ${position.level} again.`,
      liquidationSentence(content, position),
      remediesSentence(content),
    ),
  }),
  'updated.high': danger(({ healthFactor }) => `Health factor now ${healthFactor}`),
  'updated.critical': danger(
    ({ healthFactor }) => `Still close to liquidation: health factor ${healthFactor}`,
  ),
  'updated.liquidatable': liquidatable('Still liquidatable'),
  'updated.depeg': depeg(
    ({ content, atMarket }) =>
      `${content.cause?.asset} still off its oracle price: health factor ${atMarket} at market prices`,
  ),
  'resolved.recovered': ({ content, position, healthFactor, venue }) => ({
    title:
      position.healthFactor === null
        ? `Recovered: no debt left in ${venue}`
        : `Recovered: health factor ${healthFactor} in ${venue}`,
    message: causeSentence(content),
  }),
  'resolved.depeg': ({ content, atMarket, venue }) => ({
    title: `Recovered: health factor ${atMarket} at market prices in ${venue}`,
    message: causeSentence(content),
  }),
  'resolved.depeg_unknown': ({ content, position, market, healthFactor, venue }) => ({
    title: `Depeg no longer measurable: health factor ${healthFactor} in ${venue}`,
    message: `No fresh market price of ${unpricedIn(position, market)} is left to compare with the oracle price that ${content.protocolName} uses for ${walletOf(content)}. The alert opens again when a fresh price shows the deviation.`,
  }),
  'resolved.closed': ({ venue, whose }) => ({
    title: `Position closed in ${venue}`,
    message: `${whose} no longer holds collateral or debt there.`,
  }),
  'resolved.unwatched': ({ venue, whose }) => ({
    title: `No longer watched: position in ${venue}`,
    message: `${whose} was removed from your watched wallets. Add it again to receive its alerts.`,
  }),
  'resolved.dust': ({ venue, whose, minUsd }) => ({
    title: `Too small for alerts: position in ${venue}`,
    message: `${whose} has less than ${formatValue(minUsd)} of collateral and of debt there, the least that your account wants alerts for.`,
  }),
  'resolved.escalated': ({ venue, whose, healthFactor }) => ({
    title: `Replaced by a liquidation alert in ${venue}`,
    message: `${whose} fell to a health factor of ${healthFactor}. The new alert lists the remedies.`,
  }),
  'resolved.retracted': ({ venue, whose, healthFactor }) => ({
    title: `Retracted: health factor ${healthFactor} in ${venue}`,
    message: `The chain replaced the block in which ${lower(whose)} had come into danger, so the warning no longer applies.`,
  }),
  'resolved.collateral_steady': ({ venue, whose, healthFactor, content }) => ({
    title: `Collateral steady again in ${venue}`,
    message: message(
      `The collateral of ${lower(whose)} is no longer far below its value of an hour ago, and the health factor is ${healthFactor}.`,
      priceNow(content),
    ),
  }),
  'resolved.collateral_in_danger': ({ venue, whose, healthFactor }) => ({
    title: `Replaced by an alert on the health factor in ${venue}`,
    message: `${whose} has a health factor of ${healthFactor}. The other alert reports the fall of its collateral and lists the remedies.`,
  }),
};

function priceNow({ liquidationPrice }: AlertContent): string {
  if (liquidationPrice === null) return '';
  const { asset, currentPriceUsd } = liquidationPrice;
  return `${asset} is at ${formatPrice(currentPriceUsd)}.`;
}

const unpricedIn = ({ holdings }: PositionState, market: MarketPrices): string =>
  holdings.contract ? unpricedAssets(holdings.contract, market).join(' or ') : '';

const upper = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const lower = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

export function alertText(variant: AlertTextVariant, input: AlertTextInput): AlertText {
  const { position, content, market } = input;
  const { healthFactor, holdings } = position;
  const atMarket =
    healthFactor === null || holdings.contract === undefined
      ? null
      : marketHealthFactor(holdings.contract, healthFactor, market);
  return TEXTS[variant]({
    ...input,
    healthFactor: formatHealthFactor(healthFactor),
    atMarket: atMarket === null ? 'unknown' : formatHealthFactor(atMarket),
    venue: venueOf(content),
    whose: upper(walletOf(content)),
  });
}

/** @param level a danger level */
export function levelVariant<S extends 'opened' | 'updated'>(
  step: S,
  level: Band,
): `${S}.${'high' | 'critical' | 'liquidatable'}` {
  return `${step}.${level === 'liquidatable' || level === 'critical' ? level : 'high'}`;
}

export function resolvedVariant(reason: AlertResolveReason): AlertTextVariant {
  return `resolved.${reason}`;
}
