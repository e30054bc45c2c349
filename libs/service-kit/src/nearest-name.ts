/** No known name is longer. A longer one has no suggestion, which bounds the time to find it. */
const MOST_COMPARED_CHARS = 40;

/**
 * Returns the known name with the fewest edits (insert, delete, replace, swap of neighbours) from a name, in any
 * case. Undefined when every known name differs in more than half of its characters.
 */
export function nearestName(name: string, known: Iterable<string>): string | undefined {
  if (name.length > MOST_COMPARED_CHARS) return undefined;
  const wanted = name.toLowerCase();
  let nearest: string | undefined;
  let fewest = Infinity;
  for (const candidate of known) {
    const edits = editsBetween(wanted, candidate.toLowerCase());
    if (edits >= fewest || edits > Math.max(wanted.length, candidate.length) / 2) continue;
    [nearest, fewest] = [candidate, edits];
  }
  return nearest;
}

/** Returns how many edits (insert, delete, replace, swap of neighbours) lead from one name to another. */
export function editsBetween(one: string, other: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let i = 1; i <= one.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const replaced = last[j - 1]! + (one[i - 1] === other[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      const swapped = isSwap ? beforeLast[j - 2]! + 1 : Infinity;
      row.push(Math.min(replaced, swapped, last[j]! + 1, row[j - 1]! + 1));
    }
    [beforeLast, last] = [last, row];
  }
  return last[other.length]!;
}
