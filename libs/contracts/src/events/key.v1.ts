import { type Static, Type } from '@sinclair/typebox';
import { defineEvent } from './define-event';
import { Nullable, RecordId, Timestamp, oneOf } from './fields';

/** Why an API key ends. */
export const KEY_ENDINGS = ['expired', 'revoked', 'rotated'] as const;

/** State of an API key that ends, or has ended: for services that keep a connection open. Never the key itself. */
const KeyV1Schema = Type.Object({
  keyId: RecordId('key'),
  accountId: RecordId('acc'),
  /** When it stops working; null: not foreseen. */
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
