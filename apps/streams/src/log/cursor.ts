import type { StreamName } from '@plimsoll/contracts';

const MAX_PARTITIONS = 1_024;
const FORMAT = /^([12])([a-z]+)((?:\.[0-9a-z]{1,11})*)$/;
/** Version 1 of the alerts cursor only had the partitions of its first topic. */
const VERSIONS: Record<StreamName, string> = { positions: '1', alerts: '2', whales: '1' };

/** Offsets in the topics of a stream: the offset of the next event of each stream partition, by its number. */
export type StreamOffset = readonly number[];

/** Offset of a stream partition that a cursor of an earlier release does not contain. */
export const UNNAMED = -1;

/** Returns a cursor. It is opaque to clients, and the same for the same offsets on every instance. */
export function encodeCursor(stream: StreamName, streamOffset: StreamOffset): string {
  let text = VERSIONS[stream] + stream;
  for (const offset of streamOffset) text += `.${offset.toString(36)}`;
  return Buffer.from(text, 'latin1').toString('base64url');
}

/** Returns null for text that is not a cursor of this stream. */
export function decodeCursor(stream: StreamName, cursor: string): StreamOffset | null {
  const text = Buffer.from(cursor, 'base64url').toString('latin1');
  const [, version, name, offsets = ''] = FORMAT.exec(text) ?? [];
  if (name !== stream || version === undefined || version > VERSIONS[stream]) return null;
  const streamOffset = offsets
    .split('.')
    .slice(1)
    .map((digits) => Number.parseInt(digits, 36));
  if (streamOffset.length > MAX_PARTITIONS || !streamOffset.every(Number.isSafeInteger)) return null;
  return version === VERSIONS[stream] ? streamOffset : streamOffset.flatMap((offset) => [offset, UNNAMED]);
}
