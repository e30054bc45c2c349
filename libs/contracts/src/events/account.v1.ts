import { Type, type Static } from '@sinclair/typebox';
import { defineEvent } from './define-event';
import { Nullable, RecordId, TierName, Timestamp } from './fields';

const Cap = Nullable(Type.Integer({ minimum: 0 }));

/**
 * Full state of an account: its tier and caps (null: no limit). It never contains e-mail addresses or keys.
 */
const AccountV1Schema = Type.Object({
  accountId: RecordId('acc'),
  tier: TierName,
  limits: Type.Object({
    requestsPerMinute: Type.Integer({ minimum: 1 }),
    requestsPerDay: Cap,
    keys: Cap,
    webhooks: Cap,
    wallets: Cap,
  }),
  updatedAt: Timestamp,
});

export type AccountV1 = Static<typeof AccountV1Schema>;

export const accountV1 = defineEvent({
  topic: 'account.v1',
  schema: AccountV1Schema,
  compacted: true,
  keyOf: (value) => value.accountId,
});
