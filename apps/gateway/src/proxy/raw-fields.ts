/** Above it what lies between two fields is more than heads have. */
const MAX_SPAN = 65_536;

/**
 * The text of raw header fields. They mostly lie in one piece of memory, as they came: that is read in one go and cut,
 * where to read each of some twenty costs several times as much.
 */
export function fieldsOf(raw: readonly Buffer[]): string[] {
  const first = raw[0];
  const last = raw[raw.length - 1];
  if (!first || !last) return [];
  const { buffer: memory, byteOffset: start } = first;
  const end = last.byteOffset + last.length;
  if (last.buffer !== memory || end < start || end - start > MAX_SPAN) return raw.map(latin1);
  const text = Buffer.from(memory, start, end - start).toString('latin1');
  return raw.map((field) => {
    const from = field.byteOffset - start;
    const to = from + field.length;
    return field.buffer === memory && from >= 0 && to <= text.length ? text.slice(from, to) : latin1(field);
  });
}

const latin1 = (field: Buffer): string => field.toString('latin1');
