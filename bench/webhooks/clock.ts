/** Milliseconds since 1970 with fractions, comparable between two processes of one machine. */
export function wallMs(): number {
  return performance.timeOrigin + performance.now();
}
