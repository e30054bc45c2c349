import type { ContractFigures, StoredLeg } from './holdings';

/**
 * Storage of a position's contract figures in one text: values separated by `|`, first those of the position,
 * then those of each leg. As jsonb they took a quarter of the time that the service needs for an event.
 */
const SEPARATOR = '|';
const POSITION_VALUES = 4;
const LEG_VALUES = 11;

/** @param sequence of the state; a text of another sequence does not belong to it */
export function storedFigures(sequence: number, figures: ContractFigures): string {
  const { healthFactorRaw, baseDecimals, isUsdKnown, legs } = figures;
  let text = [sequence, healthFactorRaw ?? '', baseDecimals, Number(isUsdKnown)].join(SEPARATOR);
  for (const leg of legs) {
    const { asset, address, side, amountRaw, scaledRaw, decimals } = leg;
    const { priceRaw, priceDecimals, thresholdBps, amount, priceUsd } = leg;
    // Anyone can name a token, so its symbol may contain the separator.
    const name = asset.replaceAll(/[%|]/g, encodeURIComponent);
    text += `|${name}|${address}|${side}|${amountRaw}|${scaledRaw}|${decimals}|${priceRaw}|${priceDecimals}|${thresholdBps}|${amount}|${priceUsd}`;
  }
  return text;
}

/**
 * Returns the figures of a stored state. Undefined for a text that a release stored with another state of the position,
 * and for a state without figures.
 */
export function figuresOf(text: string | null, sequence: number): ContractFigures | undefined {
  const values = text?.split(SEPARATOR) ?? [];
  if (values[0] !== String(sequence)) return undefined;
  const legs: StoredLeg[] = [];
  for (let at = POSITION_VALUES; at < values.length; at += LEG_VALUES)
    legs.push(legOf(values.slice(at, at + LEG_VALUES)));
  return {
    healthFactorRaw: values[1] || null,
    baseDecimals: Number(values[2]),
    isUsdKnown: values[3] === '1',
    legs,
  };
}

function legOf(values: readonly string[]): StoredLeg {
  const [asset, address, side, amountRaw, scaledRaw, decimals] = values as [
    string,
    string,
    string,
    string,
    string,
    string,
  ];
  const [priceRaw, priceDecimals, thresholdBps, amount, priceUsd] = values.slice(6) as [
    string,
    string,
    string,
    string,
    string,
  ];
  return {
    asset: decodeURIComponent(asset),
    address,
    side: side === 'debt' ? 'debt' : 'collateral',
    amountRaw,
    scaledRaw,
    decimals: Number(decimals),
    priceRaw,
    priceDecimals: Number(priceDecimals),
    thresholdBps: Number(thresholdBps),
    amount: Number(amount),
    priceUsd: Number(priceUsd),
  };
}
