import { BLOCK_PATHS, type PathBlock } from './path-block';

const SIXTH = 1 / 6;

/** The factors of a kernel; all per step. */
export interface KernelModel {
  constantWeightedUsd: number;
  constantDebtUsd: number;
  weightedUsd: readonly number[];
  debtUsd: readonly number[];
  /** Drift of each log price. */
  drift: readonly number[];
  /** Row i: how the factors move the log price of asset i. */
  factor: readonly (readonly number[])[];
}

/**
 * Moves the first `count` paths of a block from row `row − 1` of its factors to `row` (0: sets them to the
 * start): relative prices, balance, and the local variance of ln HF, which is |Σᵢ (wᵢ/W − dᵢ/D)·rᵢ·factorᵢ|².
 */
export type HealthKernel = (block: PathBlock, row: number, count: number) => void;

/**
 * The kernel for as many assets as the model has: one, two and three assets have their own code, and more are
 * processed asset by asset.
 */
export function healthKernel(model: KernelModel): HealthKernel {
  const kernels = [kernelOfMany, kernelOfOne, kernelOfTwo, kernelOfThree];
  const kernel = (kernels[model.drift.length] ?? kernelOfMany)(model);
  return (block, row, count) => {
    if (row > 0) return kernel(block, row, count);
    // A step with only the drift then ends at today's prices, where all paths are equal.
    model.drift.forEach((drift, i) => block.relatives[i]!.fill(Math.exp(-drift)));
    kernel(block, row, 1);
    for (const values of [...block.relatives, block.balance, block.variance]) values.fill(values[0]!);
  };
}

function kernelOfOne(model: KernelModel): HealthKernel {
  const { constantWeightedUsd: wc, constantDebtUsd: dc } = model;
  const [w = 0] = model.weightedUsd;
  const [d = 0] = model.debtUsd;
  const [m = 0] = model.drift;
  const [[a = 0] = []] = model.factor;
  return (block, row, count) => {
    const z = block.factors[0]!;
    const r = block.relatives[0]!;
    const { balance, variance } = block;
    const at = row * BLOCK_PATHS;
    const before = Math.max(0, at - BLOCK_PATHS);
    for (let p = 0; p < count; p += 1) {
      const e = r[p]! * expOfStep(m + a * (z[at + p]! - z[before + p]!));
      r[p] = e;
      const weighted = wc + w * e;
      const debt = dc + d * e;
      balance[p] = (weighted - debt) / (weighted + debt);
      const slope = e * (w / weighted - d / debt) * a;
      variance[p] = slope * slope;
    }
  };
}

function kernelOfTwo(model: KernelModel): HealthKernel {
  const { constantWeightedUsd: wc, constantDebtUsd: dc } = model;
  const [w1 = 0, w2 = 0] = model.weightedUsd;
  const [d1 = 0, d2 = 0] = model.debtUsd;
  const [m1 = 0, m2 = 0] = model.drift;
  const [[a11 = 0, a12 = 0] = [], [a21 = 0, a22 = 0] = []] = model.factor;
  return (block, row, count) => {
    const [z1, z2] = block.factors as [Float64Array, Float64Array];
    const [r1, r2] = block.relatives as [Float64Array, Float64Array];
    const { balance, variance } = block;
    const at = row * BLOCK_PATHS;
    const before = Math.max(0, at - BLOCK_PATHS);
    for (let p = 0; p < count; p += 1) {
      const s1 = z1[at + p]! - z1[before + p]!;
      const s2 = z2[at + p]! - z2[before + p]!;
      const e1 = r1[p]! * expOfStep(m1 + a11 * s1 + a12 * s2);
      const e2 = r2[p]! * expOfStep(m2 + a21 * s1 + a22 * s2);
      r1[p] = e1;
      r2[p] = e2;
      const weighted = wc + w1 * e1 + w2 * e2;
      const debt = dc + d1 * e1 + d2 * e2;
      balance[p] = (weighted - debt) / (weighted + debt);
      const perWeighted = 1 / weighted;
      const perDebt = 1 / debt;
      const g1 = e1 * (w1 * perWeighted - d1 * perDebt);
      const g2 = e2 * (w2 * perWeighted - d2 * perDebt);
      const v1 = g1 * a11 + g2 * a21;
      const v2 = g1 * a12 + g2 * a22;
      variance[p] = v1 * v1 + v2 * v2;
    }
  };
}

function kernelOfThree(model: KernelModel): HealthKernel {
  const constants = Float64Array.from([
    model.constantWeightedUsd,
    model.constantDebtUsd,
    ...model.weightedUsd,
    ...model.debtUsd,
    ...model.drift,
    ...model.factor.flat(),
  ]);
  return (block, row, count) => {
    // Local variables, because captured ones would be read again for every path.
    const wc = constants[0]!;
    const dc = constants[1]!;
    const w1 = constants[2]!;
    const w2 = constants[3]!;
    const w3 = constants[4]!;
    const d1 = constants[5]!;
    const d2 = constants[6]!;
    const d3 = constants[7]!;
    const m1 = constants[8]!;
    const m2 = constants[9]!;
    const m3 = constants[10]!;
    const a11 = constants[11]!;
    const a12 = constants[12]!;
    const a13 = constants[13]!;
    const a21 = constants[14]!;
    const a22 = constants[15]!;
    const a23 = constants[16]!;
    const a31 = constants[17]!;
    const a32 = constants[18]!;
    const a33 = constants[19]!;
    const [z1, z2, z3] = block.factors as [Float64Array, Float64Array, Float64Array];
    const [r1, r2, r3] = block.relatives as [Float64Array, Float64Array, Float64Array];
    const { balance, variance } = block;
    const at = row * BLOCK_PATHS;
    const before = Math.max(0, at - BLOCK_PATHS);
    for (let p = 0; p < count; p += 1) {
      const s1 = z1[at + p]! - z1[before + p]!;
      const s2 = z2[at + p]! - z2[before + p]!;
      const s3 = z3[at + p]! - z3[before + p]!;
      const e1 = r1[p]! * expOfStep(m1 + a11 * s1 + a12 * s2 + a13 * s3);
      const e2 = r2[p]! * expOfStep(m2 + a21 * s1 + a22 * s2 + a23 * s3);
      const e3 = r3[p]! * expOfStep(m3 + a31 * s1 + a32 * s2 + a33 * s3);
      r1[p] = e1;
      r2[p] = e2;
      r3[p] = e3;
      const weighted = wc + w1 * e1 + w2 * e2 + w3 * e3;
      const debt = dc + d1 * e1 + d2 * e2 + d3 * e3;
      const product = weighted * debt;
      const sum = weighted + debt;
      const inverse = 1 / (product * sum);
      balance[p] = (weighted - debt) * product * inverse;
      const scale = sum * inverse;
      const g1 = e1 * (w1 * debt - d1 * weighted);
      const g2 = e2 * (w2 * debt - d2 * weighted);
      const g3 = e3 * (w3 * debt - d3 * weighted);
      const v1 = g1 * a11 + g2 * a21 + g3 * a31;
      const v2 = g1 * a12 + g2 * a22 + g3 * a32;
      const v3 = g1 * a13 + g2 * a23 + g3 * a33;
      variance[p] = (v1 * v1 + v2 * v2 + v3 * v3) * scale * scale;
    }
  };
}

/** Any number of assets: one pass over the block for each asset and factor, sums in scratch rows. */
function kernelOfMany(model: KernelModel): HealthKernel {
  const weighted = new Float64Array(BLOCK_PATHS);
  const debt = new Float64Array(BLOCK_PATHS);
  const change = new Float64Array(BLOCK_PATHS);
  const slope = new Float64Array(BLOCK_PATHS);
  const assets = model.drift.length;

  const advance = (block: PathBlock, asset: number, row: number, count: number): void => {
    const relative = block.relatives[asset]!;
    const at = row * BLOCK_PATHS;
    const before = Math.max(0, at - BLOCK_PATHS);
    change.fill(model.drift[asset]!);
    for (const [f, share] of model.factor[asset]!.entries()) {
      const path = block.factors[f]!;
      for (let p = 0; p < count; p += 1) change[p]! += share * (path[at + p]! - path[before + p]!);
    }
    for (let p = 0; p < count; p += 1) relative[p]! *= expOfStep(change[p]!);
  };

  return (block, row, count) => {
    weighted.fill(model.constantWeightedUsd);
    debt.fill(model.constantDebtUsd);
    for (let asset = 0; asset < assets; asset += 1) {
      advance(block, asset, row, count);
      const relative = block.relatives[asset]!;
      const w = model.weightedUsd[asset]!;
      const d = model.debtUsd[asset]!;
      for (let p = 0; p < count; p += 1) {
        weighted[p]! += w * relative[p]!;
        debt[p]! += d * relative[p]!;
      }
    }
    const { balance, variance } = block;
    for (let p = 0; p < count; p += 1) {
      balance[p] = (weighted[p]! - debt[p]!) / (weighted[p]! + debt[p]!);
      variance[p] = 0;
    }
    for (let f = 0; f < block.factors.length; f += 1) {
      slope.fill(0);
      for (let asset = 0; asset < assets; asset += 1) {
        const relative = block.relatives[asset]!;
        const w = model.weightedUsd[asset]! * model.factor[asset]![f]!;
        const d = model.debtUsd[asset]! * model.factor[asset]![f]!;
        for (let p = 0; p < count; p += 1) slope[p]! += relative[p]! * (w / weighted[p]! - d / debt[p]!);
      }
      for (let p = 0; p < count; p += 1) variance[p]! += slope[p]! * slope[p]!;
    }
  };
}

/**
 * eˣ for the change of a step. Relative error 4e-10 up to |x| = 0.25, 2e-9 up to 1, and the built-in function
 * past it. Three times as fast in a loop over typed arrays.
 */
function expOfStep(x: number): number {
  if (x <= 0.25 && x >= -0.25) return expSeries(x);
  if (x > 1 || x < -1) return Math.exp(x);
  const root = expSeries(0.25 * x);
  const square = root * root;
  return square * square;
}

/** The series of eˣ up to the seventh power. */
function expSeries(x: number): number {
  return (
    1 +
    x *
      (1 +
        x * (0.5 + x * (SIXTH + x * (SIXTH / 4 + x * (SIXTH / 20 + x * (SIXTH / 120 + x * (SIXTH / 840)))))))
  );
}
