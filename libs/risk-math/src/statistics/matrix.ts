/** A square matrix by rows. */
export type Matrix = readonly (readonly number[])[];

/** A pivot below this share of its diagonal is a rounding error: the row depends on those before it. */
const DEPENDENT = 1e-12;

/**
 * Lower-triangular C with C·Cᵀ = the matrix, which may be singular (wrapped assets move as one).
 * @throws RangeError when the matrix is not square, symmetric and positive semi-definite
 */
export function cholesky(matrix: Matrix): number[][] {
  const size = matrix.length;
  if (matrix.some((row) => row.length !== size))
    throw new RangeError('The covariance is not a square matrix.');
  const factor = matrix.map(() => Array.from({ length: size }, () => 0));
  for (let i = 0; i < size; i += 1) {
    for (let j = 0; j <= i; j += 1) {
      const value = entry(matrix, i, j);
      let rest = value;
      for (let k = 0; k < j; k += 1) rest -= factor[i]![k]! * factor[j]![k]!;
      factor[i]![j] = i === j ? pivot(rest, value) : offDiagonal(rest, matrix, factor, i, j);
    }
  }
  return factor;
}

function entry(matrix: Matrix, i: number, j: number): number {
  const value = matrix[i]?.[j];
  const mirrored = matrix[j]?.[i];
  if (value === undefined || !(Math.abs(value - (mirrored ?? NaN)) <= 1e-9 * (1 + Math.abs(value)))) {
    throw new RangeError('The covariance is not symmetric.');
  }
  return value;
}

function pivot(rest: number, diagonal: number): number {
  if (rest < -1e-9 * Math.abs(diagonal) || diagonal < 0 || Number.isNaN(rest)) {
    throw new RangeError('The covariance is not positive semi-definite. Check the correlations.');
  }
  return rest <= DEPENDENT * diagonal ? 0 : Math.sqrt(rest);
}

function offDiagonal(rest: number, matrix: Matrix, factor: number[][], i: number, j: number): number {
  const divisor = factor[j]![j]!;
  if (divisor !== 0) return rest / divisor;
  if (Math.abs(rest) > 1e-6 * Math.sqrt(entry(matrix, i, i) * entry(matrix, j, j))) {
    throw new RangeError('The covariance is not positive semi-definite. Check the correlations.');
  }
  return 0;
}

/** Matrix × vector. */
export function apply(matrix: Matrix, vector: readonly number[]): number[] {
  return matrix.map((row) => dot(row, vector));
}

/** Transposed matrix × vector. */
export function applyTransposed(matrix: Matrix, vector: readonly number[]): number[] {
  return (matrix[0] ?? []).map((_, column) =>
    matrix.reduce((sum, row, i) => sum + row[column]! * vector[i]!, 0),
  );
}

export function dot(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, i) => sum + value * b[i]!, 0);
}

/**
 * The matrix multiplied by the reflection that takes the first axis to `direction`: the new first column is
 * matrix × unit vector of the direction, and M·Mᵀ does not change. The direction must not be zero.
 */
export function alignFirstColumn(matrix: Matrix, direction: readonly number[]): number[][] {
  const length = Math.hypot(...direction);
  const mirror = direction.map((value) => value / length);
  const sign = mirror[0]! >= 0 ? 1 : -1;
  mirror[0]! += sign;
  const scale = 2 / dot(mirror, mirror);
  return matrix.map((row) => {
    const along = dot(row, mirror) * scale;
    return row.map((value, k) => -sign * (value - along * mirror[k]!));
  });
}
