/** A field that differs from the reference, and the size of the difference. */
export interface Difference {
  path: string;
  expected: unknown;
  actual: unknown;
}

/** Largest accepted differences: |actual − expected| ≤ absolute + relative·|expected|. */
export interface Tolerance {
  absolute: number;
  relative: number;
}

/**
 * All places where `actual` differs from `expected` by more than the tolerance. Only fields of the reference
 * are compared: numbers by the tolerance, everything else exactly.
 */
export function differences(
  expected: unknown,
  actual: unknown,
  tolerance: Tolerance,
  path = '',
): Difference[] {
  if (typeof expected === 'number' && typeof actual === 'number') {
    const allowed = tolerance.absolute + tolerance.relative * Math.abs(expected);
    return Math.abs(actual - expected) <= allowed ? [] : [{ path, expected, actual }];
  }
  if (typeof expected === 'object' && expected !== null && typeof actual === 'object' && actual !== null) {
    return Object.entries(expected).flatMap(([name, value]) =>
      differences(value, (actual as Record<string, unknown>)[name], tolerance, `${path}/${name}`),
    );
  }
  return expected === actual ? [] : [{ path, expected, actual }];
}
