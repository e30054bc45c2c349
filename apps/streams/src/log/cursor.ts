import type { StreamName } from '@plimsoll/contracts';

const MAX_PARTITIONS = 1_024;
const FORMAT = /^1([a-z]+)((?:\.[0-9a-z]{1,11})*)$/;

/** A place in a topic: the offset of the next event of each partition, by the partition's number. */
export type Place = readonly number[];

/** Opaque to clients, and the same for the same place on every instance. */
export function encodeCursor(stream: StreamName, place: Place): string {
  let text = `1${stream}`;
  for (const offset of place) text += `.${offset.toString(36)}`;
  return Buffer.from(text, 'latin1').toString('base64url');
}

/** Null: no cursor of this stream. */
export function decodeCursor(stream: StreamName, cursor: string): Place | null {
  const text = Buffer.from(cursor, 'base64url').toString('latin1');
  const [, name, offsets = ''] = FORMAT.exec(text) ?? [];
  if (name !== stream) return null;
  const place = offsets
    .split('.')
    .slice(1)
    .map((digits) => Number.parseInt(digits, 36));
  return place.length <= MAX_PARTITIONS && place.every(Number.isSafeInteger) ? place : null;
}
