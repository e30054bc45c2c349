import type { AssetPrice } from '../prices/asset-price';
import type { ConditionText } from './asset-condition';

export const shownUsd = (priceUsd: number): string => `$${Number(priceUsd.toPrecision(8))}`;

/**
 * What is told of a move.
 * @param move share, negative for a fall
 */
export function moveTexts(
  { asset, priceUsd }: AssetPrice,
  move: number,
  windowMinutes: number,
): { met: ConditionText; over: ConditionText } {
  const percent = (Math.abs(move) * 100).toFixed(1);
  const span = windowMinutes === 60 ? 'an hour' : `${windowMinutes} minutes`;
  const moved = `${move < 0 ? 'fell' : 'rose'} ${percent} % within ${span}`;
  const price = shownUsd(priceUsd);
  return {
    met: {
      title: `${asset} ${moved}`,
      message: `The market price of ${asset} ${moved}, to ${price}. You have it in positions of wallets that you watch: check what the move does to them.`,
    },
    over: {
      title: `${asset} steady again at ${price}`,
      message: `The market price of ${asset} is ${price}, no longer far from what it was within ${span}.`,
    },
  };
}

/** What is told of a price that is not fresh. */
export function staleTexts({ asset, priceUsd, observedAtMs }: AssetPrice): {
  met: ConditionText;
  over: ConditionText;
} {
  const price = shownUsd(priceUsd);
  const at = new Date(observedAtMs).toISOString();
  return {
    met: {
      title: `No fresh price of ${asset}`,
      message: `No source has had a fresh market price of ${asset} since ${at}; the last known one is ${price}. Until there is one, rules on its price neither fire nor clear. Check the market yourself.`,
    },
    over: {
      title: `Price of ${asset} fresh again: ${price}`,
      message: `The market price of ${asset} is known again: ${price}. Rules on it are evaluated.`,
    },
  };
}

/** What is told when an alert resolves because its account does not hold the asset any more. */
export function notHeldText(asset: string): ConditionText {
  return {
    title: `${asset} no longer held`,
    message: `None of the wallets that you watch has ${asset} in a position any more.`,
  };
}
