import { type Static, Type } from '@sinclair/typebox';
import { defineEvent } from './define-event';
import { Nullable, RecordId, Timestamp, oneOf } from './fields';

/** Why an API key ends. */
export const KEY_ENDINGS = ['expired', 'revoked', 'rotated'] as const;

/**
 * State of an API key that ends or has ended, for services that keep connections open. It never contains the
 * key itself.
 */
const KeyV1Schema = Type.Object({
  keyId: RecordId('key'),
  accountId: RecordId('acc'),
  /** When the key stops working. Null when no end is set. */
  endsAt: Nullable(Timestamp),
  /** Null with endsAt. */
  ending: Nullable(oneOf(KEY_ENDINGS)),
});

export type KeyV1 = Static<typeof KeyV1Schema>;

export const keyV1 = defineEvent({
  topic: 'key.v1',
  schema: KeyV1Schema,
  compacted: true,
  keyOf: (value) => value.keyId,
});
