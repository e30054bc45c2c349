import { type AlertContent, type RemediesReason, isCorrelated, isStableAsset } from '@plimsoll/contracts';
import { DROP_OPENS_AT } from '../positions/collateral-drop';
import type { PositionState } from '../positions/position-state';
import {
  formatHealthFactor,
  formatPercent,
  formatPrice,
  formatTokens,
  formatValue,
  shortWallet,
  withArticle,
} from './format-figures';

/** Most remedies in a message. `remedies` has the others. */
const MOST_REMEDIES = 4;
/** A drop that exceeds the price move of the cause by less than this percentage adds no information. */
const SAME_WITHIN_PERCENT = 1;

/** Formats protocol and chain: Aave V3 on Ethereum. */
export function venueOf({ protocolName, chainName }: AlertContent): string {
  return `${protocolName} on ${chainName}`;
}

/** Names the wallet, with the account's own name for it. */
export function walletOf({
  wallet,
  walletLabel = null,
}: {
  wallet: string | null;
  walletLabel?: string | null;
}): string {
  if (wallet === null) return 'the wallet';
  const short = shortWallet(wallet);
  return walletLabel === null ? `wallet ${short}` : `wallet ${walletLabel} (${short})`;
}

/** States what moved the health factor, and from which value. */
export function causeSentence(content: AlertContent): string {
  const { cause, healthFactor } = content;
  const before = healthFactor?.before ?? null;
  const now = healthFactor?.now ?? null;
  const whose = `the health factor of ${walletOf(content)}`;
  if (cause === null || cause.asset === null) return `The position belongs to ${walletOf(content)}.`;
  if (cause.kind === 'depeg') {
    const { changePercent, toUsd } = cause;
    const percent = changePercent ?? 0;
    const distance = percent === 0 ? '' : `${formatPercent(percent)} ${percent < 0 ? 'below' : 'above'} `;
    return `${cause.asset} trades at ${formatPrice(toUsd ?? 0)}, ${distance}the oracle price that ${content.protocolName ?? 'the protocol'} uses for ${walletOf(content)}.`;
  }
  if (cause.kind === 'position_change') return ownerSentence(content, cause.asset, cause.changePercent);
  const verb = before !== null && now !== null && now > before ? 'raised' : 'lowered';
  const effect = before === null ? `changed ${whose}` : `${verb} ${whose} from ${formatHealthFactor(before)}`;
  return `${marketSubject(content)} ${effect}.`;
}

/** States how much collateral was lost through prices within the hour, unless the cause already states it. */
export function dropSentence({ cause, collateralDropPercent }: AlertContent): string {
  const percent = collateralDropPercent ?? 0;
  if (percent < 100 * DROP_OPENS_AT) return '';
  const isReported =
    cause?.kind === 'price' && Math.abs(cause.changePercent ?? 0) > percent - SAME_WITHIN_PERCENT;
  return isReported
    ? ''
    : `Prices alone took ${formatPercent(percent)} of the value of its collateral within an hour.`;
}

/** States the effect of a price, of interest or of the protocol. */
function marketSubject({ cause, protocolName }: AlertContent): string {
  if (cause === null) return 'A change';
  const { kind, asset, changePercent, toUsd } = cause;
  const size = withArticle(formatPercent(changePercent ?? 0));
  const isUp = (changePercent ?? 0) > 0;
  if (kind === 'price')
    return `${size} ${isUp ? 'rise' : 'fall'} of the ${asset} price to ${formatPrice(toUsd ?? 0)}`;
  if (kind === 'interest') return `Interest on the ${asset} debt`;
  return `${size} ${isUp ? 'rise' : 'cut'} of the ${asset} liquidation threshold by ${protocolName}`;
}

/** States what the owner did. The direction of the health factor shows on which side. */
function ownerSentence(content: AlertContent, asset: string, changePercent: number | null): string {
  const before = content.healthFactor?.before ?? null;
  const now = content.healthFactor?.now ?? null;
  const wallet = walletOf(content);
  if (now === null) return `The repayment of all ${asset} left ${wallet} without debt.`;
  if (before === null) return `New borrowing of ${asset} exposed ${wallet} to liquidation.`;
  const isUp = changePercent === null || changePercent > 0;
  const isLower = now < before;
  const acts = isUp ? { true: 'borrowing', false: 'deposit' } : { true: 'withdrawal', false: 'repayment' };
  const act = acts[isLower ? 'true' : 'false'];
  const isAll = changePercent !== null && changePercent <= -100;
  const percent =
    changePercent === null || isAll ? '' : ` (${isUp ? 'up' : 'down'} ${formatPercent(changePercent)})`;
  const subject = act === 'borrowing' ? 'New borrowing' : `${isAll ? 'The' : 'A'} ${act}`;
  const effect = `${isLower ? 'lowered' : 'raised'} the health factor of ${wallet} from ${formatHealthFactor(before)}`;
  return `${subject} of ${isAll ? 'all ' : ''}${asset}${percent} ${effect}.`;
}

/** States when a liquidation can start, and the value at stake. */
export function liquidationSentence(content: AlertContent, position: PositionState): string {
  const { liquidationPrice, usdAtStake } = content;
  const stake = usdAtStake === null ? '' : `; ${formatValue(usdAtStake)} is at stake`;
  const { collateral, debt } = position.holdings;
  const [held, owed] = [Object.keys(collateral), Object.keys(debt)];
  if (held.length > 0 && [...held, ...owed].every(isStableAsset))
    return `Collateral and debt are stable coins, so interest or a depeg decides whether liquidation starts${stake}.`;
  if (liquidationPrice === null) return `Liquidation starts below a health factor of 1${stake}.`;
  const { asset, priceUsd, distancePercent, direction } = liquidationPrice;
  const verb = direction === 'rise' ? 'rises' : 'falls';
  const against = isCorrelated(held, owed) ? ` against ${owed.join(' and ')}` : '';
  return `Liquidation starts when ${asset} ${verb} ${formatPercent(distancePercent)}${against}, to ${formatPrice(priceUsd)}${stake}.`;
}

/** States the effect of a deviation between market and oracle. */
export function depegSentence({ healthFactor, usdAtStake }: AlertContent): string {
  const stake = usdAtStake === null ? '' : `, and ${formatValue(usdAtStake)} is at stake`;
  return `The oracle still gives a health factor of ${formatHealthFactor(healthFactor?.now ?? null)}; liquidation starts if it follows the market below 1${stake}.`;
}

/** For a position below 1, which is liquidatable without a further fall. */
export function liquidatableSentence({ usdAtStake, liquidationPrice }: AlertContent): string {
  const stake = usdAtStake ? ` and take up to ${formatValue(usdAtStake)} of its collateral` : '';
  if (liquidationPrice === null || liquidationPrice.distancePercent >= 0)
    return `Anyone can liquidate the position${stake}.`;
  const { asset, priceUsd, direction } = liquidationPrice;
  const side = direction === 'rise' ? 'below' : 'above';
  return `Anyone can liquidate the position${stake} until ${asset} is back ${side} ${formatPrice(priceUsd)}.`;
}

const NO_REMEDY: Readonly<Record<RemediesReason, string>> = {
  no_position: '',
  closed: '',
  no_debt: '',
  target_reached: '',
  legs_unknown: 'The amounts that would restore it are not known until the position changes on chain.',
  unpriced: 'One of its assets has no oracle price, so no amount can restore it reliably.',
  none_suffices: 'No single repayment or deposit restores the target; it takes several together.',
};

/** States the remedies. */
export function remediesSentence({ remedies, remediesReason, targetHealthFactor }: AlertContent): string {
  if (remedies.length === 0) return remediesReason === null ? '' : NO_REMEDY[remediesReason];
  const ways = remedies.map(({ action, asset, amount, usd }) => {
    const tokens = formatTokens(amount, asset, amount > 0 ? usd / amount : 0);
    return `${action === 'repay' ? 'repay' : 'add'} ${tokens}`;
  });
  const shown = ways.length > MOST_REMEDIES ? ways.slice(0, MOST_REMEDIES - 1) : ways;
  const left = ways.length - shown.length;
  const all = left > 0 ? [...shown, `use one of ${left} other remedies`] : shown;
  const list = all.length === 1 ? all[0] : `${all.slice(0, -1).join(', ')} or ${all.at(-1)}`;
  return `To reach a health factor of ${targetHealthFactor}, ${list}.`;
}

/** Joins sentences to a message, without empty ones. */
export function message(...sentences: string[]): string {
  return sentences.filter((sentence) => sentence !== '').join(' ');
}
