/** An asset in a naive simulation. */
interface SimulatedAsset {
  price: number;
  weightedUsd: number;
  drift: number;
  loadings: readonly number[];
}

/** The parameters of `simulateWithObjects`. */
export interface ObjectTask {
  weights: readonly number[];
  debt: number;
  drift: readonly number[];
  /** Lower-triangular factor of the daily covariance. */
  factor: readonly (readonly number[])[];
  days: number;
}

/** One normal from two uniforms of Math.random (Box–Muller), the usual way. */
function gaussian(): number {
  return Math.sqrt(-2 * Math.log(1 - Math.random())) * Math.cos(2 * Math.PI * Math.random());
}

/**
 * The usual first version: an object for each asset, a new array for each day, one check a day. Probability
 * of HF < 1.
 */
export function simulateWithObjects(task: ObjectTask, paths: number): number {
  const outcomes = Array.from({ length: paths }, () => {
    let assets: SimulatedAsset[] = task.weights.map((weightedUsd, i) => ({
      price: 1,
      weightedUsd,
      drift: task.drift[i]!,
      loadings: task.factor[i]!,
    }));
    return Array.from({ length: task.days }, () => {
      const normals = assets.map(() => gaussian());
      assets = assets.map((asset) => ({
        ...asset,
        price:
          asset.price *
          Math.exp(asset.drift + asset.loadings.reduce((sum, loading, k) => sum + loading * normals[k]!, 0)),
      }));
      return assets.reduce((sum, { price, weightedUsd }) => sum + price * weightedUsd, 0) / task.debt;
    });
  });
  return outcomes.filter((path) => path.some((healthFactor) => healthFactor < 1)).length / paths;
}
