/** One measurement: hours since the start of the soak, and the value. */
export interface Sample {
  hours: number;
  value: number;
}

/** A line through samples. */
export interface Slope {
  /** Change per hour. */
  perHour: number;
  /** Half width of the 95 % confidence interval. Infinity with fewer than three blocks. */
  margin: number;
}

const BLOCKS = 12;
/** 97.5 % quantiles of Student's t for 1 to 10 degrees of freedom. */
const T = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228];

/**
 * Fits a line by least squares to the means of up to 12 consecutive blocks. A garbage collector makes
 * neighbouring samples similar, which the error of a fit through all samples would ignore; means of blocks
 * are nearly independent.
 */
export function slopeOf(samples: readonly Sample[]): Slope {
  const blocks = blockMeans(samples);
  const meanX = mean(blocks.map(({ hours }) => hours));
  const meanY = mean(blocks.map(({ value }) => value));
  const spread = sum(blocks.map(({ hours }) => (hours - meanX) ** 2));
  if (spread === 0) return { perHour: 0, margin: Infinity };
  const perHour = sum(blocks.map(({ hours, value }) => (hours - meanX) * (value - meanY))) / spread;
  const freedom = blocks.length - 2;
  if (freedom < 1) return { perHour, margin: Infinity };
  const residuals = sum(blocks.map(({ hours, value }) => (value - meanY - perHour * (hours - meanX)) ** 2));
  const error = Math.sqrt(residuals / freedom / spread);
  return { perHour, margin: (T[freedom - 1] ?? 2.228) * error };
}

function blockMeans(samples: readonly Sample[]): Sample[] {
  const count = Math.min(BLOCKS, samples.length);
  return Array.from({ length: count }, (_, index) => {
    const from = Math.floor((index * samples.length) / count);
    const block = samples.slice(from, Math.floor(((index + 1) * samples.length) / count));
    return { hours: mean(block.map(({ hours }) => hours)), value: mean(block.map(({ value }) => value)) };
  });
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const mean = (values: readonly number[]): number => (values.length === 0 ? 0 : sum(values) / values.length);
