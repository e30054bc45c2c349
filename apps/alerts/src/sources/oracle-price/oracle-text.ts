import type { AffectedPosition } from '@plimsoll/contracts';
import { formatHealthFactor, formatPercent, formatPrice, venueName } from '../../content/format-figures';
import { walletOf } from '../../content/sentences';
import type { AlertText } from '../../lifecycle/alert';

/** The price of an oracle. */
interface StatedPrice {
  protocol: string;
  chainId: number;
  asset: string;
  priceUsd: number;
}

/** Returns the texts of an oracle whose price left the market price. */
export function deviationTexts(
  { protocol, chainId, asset, priceUsd }: StatedPrice,
  marketUsd: number,
): { met: AlertText; over: AlertText } {
  const venue = venueName({ protocol, chainId });
  const distance = formatPercent((marketUsd / priceUsd - 1) * 100);
  const direction = marketUsd < priceUsd ? 'below' : 'above';
  const prices = `The oracle states ${formatPrice(priceUsd)}, and the market price is ${formatPrice(marketUsd)}.`;
  return {
    met: {
      title: `${asset} trades ${distance} ${direction} the oracle price of ${venue}`,
      message: `${prices} They have differed by at least 2 % for five minutes. Liquidations follow the oracle.`,
    },
    over: {
      title: `The oracle price of ${asset} in ${venue} is near the market again`,
      message: prices,
    },
  };
}

/** States the health factor that the position would have at the market price. */
export function effectSentence(affected: AffectedPosition | undefined): string {
  const { before = null, now = null } = affected?.healthFactor ?? {};
  if (affected === undefined || before === null || now === null) return '';
  const whose = `the health factor of ${walletOf(affected)}`;
  return `At the market price, ${whose} is ${formatHealthFactor(now)} instead of ${formatHealthFactor(before)}.`;
}

/** Returns the text of an alert whose position no longer depends on the oracle. */
export function notAffectedText(asset: string): AlertText {
  return {
    title: `The oracle price of ${asset} no longer matters`,
    message:
      'The position no longer depends on it or is too small for alerts, its wallet is no longer watched, or the oracle is no longer read.',
  };
}
