import type { ConfidenceBasis } from '@plimsoll/contracts';

/** Age in blocks from which a reading has no confidence. */
const WORTHLESS_AFTER_BLOCKS = 20;

/** Factor for one source. Positions have one, because their prices come only from the protocol's oracle. */
const ONE_SOURCE = 0.9;

/** Spread of the sources of a price, in percent, from which it has no confidence. */
const WORTHLESS_SPREAD_PERCENT = 2;

/** The counted sources of a price. */
export interface SourceAgreement {
  sources: number;
  /** Highest minus lowest, percent of the median. Null with fewer than two. */
  spreadPercent: number | null;
}

/**
 * Returns the confidence of an alert, 0 to 1: clamp(1 − age in blocks/20) × clamp(1 − spread/2 %). The second
 * factor is 0.9 with one source.
 * @param ageBlocks age of the state on which it is based
 * @param spreadPercent of the sources of its price; null: one source
 */
export function confidenceScore(ageBlocks: number, spreadPercent: number | null = null): number {
  return ageFactor(ageBlocks) * spreadFactor({ spreadPercent });
}

/**
 * Returns the factors of the score.
 * @param agreement of the sources of a market price; null: the alert is based on the oracle of a protocol
 */
export function confidenceBasis(ageBlocks: number, agreement: SourceAgreement | null): ConfidenceBasis {
  const blocksBehind = Math.max(0, Math.trunc(ageBlocks));
  const { sources, spreadPercent } = agreement ?? { sources: 1, spreadPercent: null };
  const factors = { age: ageFactor(blocksBehind), spread: spreadFactor({ spreadPercent }) };
  const age = `${blocksBehind} block${blocksBehind === 1 ? '' : 's'} behind`;
  const one = agreement === null ? 'one price source, the oracle of the protocol' : 'one price source';
  const spread = spreadPercent === null ? one : `${sources} price sources within ${shown(spreadPercent)} %`;
  return {
    blocksBehind,
    ageFactor: factors.age,
    sources,
    spreadPercent,
    spreadFactor: factors.spread,
    text: `${age} (factor ${shown(factors.age)}); ${spread} (factor ${shown(factors.spread)}).`,
  };
}

export function scoreOf(basis: Pick<ConfidenceBasis, 'ageFactor' | 'spreadFactor'>): number {
  return basis.ageFactor * basis.spreadFactor;
}

export function spreadFactor({ spreadPercent }: Pick<SourceAgreement, 'spreadPercent'>): number {
  return spreadPercent === null ? ONE_SOURCE : clamp(1 - spreadPercent / WORTHLESS_SPREAD_PERCENT);
}

const ageFactor = (ageBlocks: number): number => clamp(1 - ageBlocks / WORTHLESS_AFTER_BLOCKS);

const clamp = (share: number): number => Math.min(1, Math.max(0, share));

const shown = (figure: number): string => String(Number(figure.toFixed(3)));
