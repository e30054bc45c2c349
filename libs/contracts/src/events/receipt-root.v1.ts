import { Type, type Static } from '@sinclair/typebox';
import { defineEvent } from './define-event';

/**
 * A root of the log of receipts, once an hour. It has the fields of GET /v1/receipts/roots, so that a consumer verifies
 * it in the same way.
 */
const ReceiptRootV1Schema = Type.Object({
  /** Receipts in the log. */
  size: Type.Integer({ minimum: 1 }),
  rootHash: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  signature: Type.Object({
    keyId: Type.String({ minLength: 1 }),
    /** Unix milliseconds, as they are signed. */
    signedAt: Type.Integer({ minimum: 0 }),
    /** Ed25519, base64url. */
    value: Type.String({ pattern: '^[A-Za-z0-9_-]{86}$' }),
  }),
});

export type ReceiptRootV1 = Static<typeof ReceiptRootV1Schema>;

export const receiptRootV1 = defineEvent({
  topic: 'receipt-root.v1',
  schema: ReceiptRootV1Schema,
  compacted: false,
  keyOf: () => 'receipts',
});
