import type { RawPosition } from '../src/reader/raw-position';
import { verificationOf } from '../src/reader/verification';

/** Every position of a full read states where its health factor comes from, as the table of its family does. */
export function expectVerified(family: string, positions: readonly RawPosition[]): void {
  const { published, approximate } = verificationOf(family);
  const readable = positions.filter(({ unreadable }) => unreadable === undefined);
  const stated = new Set(readable.map(({ verification }) => verification));
  if (approximate !== undefined) stated.delete('approximate');
  stated.delete(published);
  expect([...stated]).toEqual([]);
}
