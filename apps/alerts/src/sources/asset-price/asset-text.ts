import { formatPercent, formatPrice } from '../../content/format-figures';
import type { AssetPrice } from '../../prices/asset-price';
import type { ConditionText } from './asset-condition';

/**
 * Returns the texts of a move.
 * @param move share, negative for a fall
 */
export function moveTexts(
  { asset, priceUsd }: AssetPrice,
  move: number,
  windowMinutes: number,
): { met: ConditionText; over: ConditionText } {
  const span = windowMinutes === 60 ? 'an hour' : `${windowMinutes} minutes`;
  const moved = `${move < 0 ? 'fell' : 'rose'} ${formatPercent(move * 100)} within ${span}`;
  const price = formatPrice(priceUsd);
  return {
    met: {
      title: `${asset} ${moved}`,
      message: `The market price went from ${formatPrice(priceUsd / (1 + move))} to ${price}.`,
    },
    over: {
      title: `${asset} steady again at ${price}`,
      message: `The market price moved less than the alert threshold over the last ${span.replace(/^an /, '')}.`,
    },
  };
}

/** Returns the texts of a price that left its target. */
export function depegTexts(
  { asset, priceUsd }: AssetPrice,
  pegUsd: number,
): { met: ConditionText; over: ConditionText } {
  const price = formatPrice(priceUsd);
  const target = formatPrice(pegUsd);
  const distance = formatPercent((priceUsd / pegUsd - 1) * 100);
  return {
    met: {
      title: `${asset} ${distance} ${priceUsd < pegUsd ? 'below' : 'above'} its target of ${target}`,
      message: `The market price has been at least 2 % away for five minutes, and is ${price} now.`,
    },
    over: {
      title: `${asset} near its target of ${target} again: ${price}`,
      message: 'The market price is less than 1 % away.',
    },
  };
}

/** Returns the texts of a stale price. */
export function staleTexts({ asset, priceUsd, observedAtMs }: AssetPrice): {
  met: ConditionText;
  over: ConditionText;
} {
  const price = formatPrice(priceUsd);
  const at = new Date(observedAtMs).toISOString();
  return {
    met: {
      title: `No fresh price of ${asset}`,
      message: `The last one, ${price}, was observed at ${at}. Rules on this price neither fire nor clear until a source responds, so check the market yourself.`,
    },
    over: {
      title: `Price of ${asset} fresh again: ${price}`,
      message: 'Rules on this price are evaluated again.',
    },
  };
}

/** Returns the text of an alert that resolves because its account no longer holds the asset. */
export function notHeldText(asset: string): ConditionText {
  return {
    title: `${asset} no longer held`,
    message: 'No position of your watched wallets has it as collateral or debt now.',
  };
}
