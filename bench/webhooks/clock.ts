/** Milliseconds since 1970 with fractions: what two processes of one machine can compare. */
export function wallMs(): number {
  return performance.timeOrigin + performance.now();
}
