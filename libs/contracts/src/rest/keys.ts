import { type Static, Type } from '@sinclair/typebox';
import {
  ArrayMaxSize,
  ArrayMinSize,
  ArrayUnique,
  IsArray,
  IsIn,
  IsInt,
  IsRFC3339,
  IsString,
  Matches,
  Max,
  MaxLength,
  Min,
} from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import { SCOPES, type Scope } from '../tiers';
import { itemCount, nextCursor, nullable, oneOf, recordId, timestamp } from './fields';
import { Optional } from './optional';

/**
 * Not blank, and without control characters. The pattern has only one way to match, so no text makes it slow.
 */
const CONTROL = '\\x00-\\x1f\\x7f-\\x9f';
const NAME = new RegExp(`^[ \\xa0]*[^${CONTROL} \\xa0][^${CONTROL}]*$`);

/** Body of POST /account/v1/keys. */
export class CreateKeyBody {
  @JSONSchema({ description: 'Name that distinguishes keys.' })
  @IsString()
  @Matches(NAME, {
    message: 'name must not be blank or contain control characters',
  })
  @MaxLength(100)
  name!: string;

  @JSONSchema({ description: 'Permissions of the key. All scopes when absent.' })
  @Optional()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(SCOPES.length)
  @ArrayUnique()
  @IsIn(SCOPES, { each: true })
  scopes?: Scope[];

  @JSONSchema({
    description: 'When the key stops working. It must be in the future. Absent: never.',
    format: 'date-time',
  })
  @Optional()
  @IsRFC3339({ message: 'expiresAt must be a time with its zone, such as 2027-01-01T00:00:00Z' })
  expiresAt?: string;
}

/** Body of POST /account/v1/keys/:id/rotate. */
export class RotateKeyBody {
  @JSONSchema({ description: 'Hours for which the old key continues to work. 0 ends it immediately.' })
  @Optional()
  @IsInt()
  @Min(0)
  @Max(168)
  overlapHours: number = 24;
}

/** Current state of a key. */
export const KEY_STATUSES = ['active', 'disabled', 'expired', 'revoked'] as const;
export type KeyStatus = (typeof KEY_STATUSES)[number];

const keyFields = {
  id: recordId('key', 'Id of the key. It gives no access.'),
  hint: Type.String({ description: 'First characters of the key, to distinguish keys.' }),
  name: Type.String({ description: 'Name from its creation.' }),
  scopes: Type.Array(oneOf(SCOPES), { description: 'Permissions.' }),
  status: oneOf(KEY_STATUSES, {
    description: 'disabled: above the cap of the account’s tier. A higher tier enables it again.',
  }),
  createdAt: timestamp('When it was created.'),
  expiresAt: nullable(timestamp('When it stops working.'), 'null: never.'),
  lastUsedAt: nullable(timestamp('When it was last used, to the minute.'), 'null: never.'),
  revokedAt: nullable(timestamp('When it was revoked.'), 'null: not revoked.'),
  replacedBy: nullable(recordId('key', 'The key that a rotation created from it.'), 'null: not rotated.'),
};

/** An API key without the key itself. */
export const KeyItem = Type.Object(keyFields);
export type KeyItem = Static<typeof KeyItem>;

const NewKeyItem = Type.Object({
  ...keyFields,
  key: Type.String({
    pattern: '^psk_(live|demo)_[0-9A-Za-z]{38}$',
    description: 'The key itself. Only this response contains it. Keep it as a secret.',
  }),
});

/** Response of GET /account/v1/keys. */
export const KeyList = Type.Object({
  keys: Type.Array(KeyItem, { description: 'Newest first, including revoked and expired ones.' }),
  count: itemCount,
  limit: nullable(Type.Integer({ minimum: 0 }), 'Most keys that work at the same time. Null: no limit.'),
  nextCursor,
});
export type KeyList = Static<typeof KeyList>;

/** Response of POST /account/v1/keys. */
export const CreatedKey = Type.Object({ key: NewKeyItem });
export type CreatedKey = Static<typeof CreatedKey>;

/** Response of POST /account/v1/keys/:id/rotate. */
export const RotatedKey = Type.Object({ key: NewKeyItem, replaced: KeyItem });
export type RotatedKey = Static<typeof RotatedKey>;

/** Response of DELETE /account/v1/keys/:id. */
export const RevokedKey = Type.Object({
  success: Type.Boolean({ description: 'Always true.' }),
  deleted: recordId('key', 'The revoked key.'),
});
export type RevokedKey = Static<typeof RevokedKey>;
