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
import { SCOPES, TIERS, type Scope, type Tier } from '../../tiers';
import { Example, Field, KEY_ID, OTHER_KEY_ID, Optional, TIMESTAMP } from '../fields';

const KEY = {
  id: KEY_ID,
  hint: 'psk_live_aB3d',
  name: 'production',
  scopes: ['positions:read', 'alerts:read'],
  status: 'active',
  testTier: null,
  createdAt: TIMESTAMP,
  expiresAt: null,
  lastUsedAt: null,
  revokedAt: null,
  replacedBy: null,
};
const NEW_KEY = { ...KEY, key: `psk_live_aB3d${'x'.repeat(34)}` };

/**
 * Not blank, and without control characters. The pattern has only one way to match, so no text makes it slow.
 */
const CONTROL = '\\x00-\\x1f\\x7f-\\x9f';

const NAME = new RegExp(`^[ \\xa0]*[^${CONTROL} \\xa0][^${CONTROL}]*$`);

/** Name and permissions of a new key. */
export class NewKeyFields {
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
}

/** Body of POST /account/v1/keys. */
@Example({ name: 'production', scopes: ['positions:read', 'alerts:read'] })
export class CreateKeyBody extends NewKeyFields {
  @JSONSchema({
    description: 'When the key stops working. It must be in the future. Absent: never.',
    format: 'date-time',
  })
  @Optional()
  @IsRFC3339({ message: 'expiresAt must be a time with its zone, such as 2027-01-01T00:00:00Z' })
  expiresAt?: string;

  @JSONSchema({
    description:
      'Makes a test key with this tier. It sees the test market of the account and no live data. Absent: a live key.',
  })
  @Optional()
  @IsIn(TIERS)
  testTier?: Tier;
}

/** Body of POST /account/v1/keys/:id/rotate. */
@Example({ overlapHours: 24 })
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

class KeyFields {
  @Field.Id('key', 'Id of the key. It gives no access.') id!: string;
  @Field.Text('First characters of the key, to distinguish keys.') hint!: string;
  @Field.Text('Name from its creation.') name!: string;
  @Field.Word(SCOPES, 'Permissions.', { list: true }) scopes!: Scope[];

  @Field.Word(KEY_STATUSES, 'disabled: above the cap of the account’s tier. A higher tier enables it again.')
  status!: KeyStatus;

  @Field.Word(TIERS, 'Tier of a test key. Null: a live key, with the tier of the account.', {
    nullable: true,
  })
  testTier!: Tier | null;

  @Field.Timestamp('When it was created.') createdAt!: string;
  @Field.Timestamp('null: never.', { nullable: true }) expiresAt!: string | null;
  @Field.Timestamp('null: never.', { nullable: true }) lastUsedAt!: string | null;
  @Field.Timestamp('null: not revoked.', { nullable: true }) revokedAt!: string | null;
  @Field.Id('key', 'null: not rotated.', { nullable: true }) replacedBy!: string | null;
}

/** An API key without the key itself. */
export class KeyItem extends KeyFields {}

class NewKeyItem extends KeyFields {
  @Field.Text('The key itself. Only this response contains it. Keep it as a secret.', {
    pattern: '^psk_(live|demo|test)_[0-9A-Za-z]{38}$',
  })
  key!: string;
}

/** Response of GET /account/v1/keys. */
@Example({ keys: [KEY], count: 1, limit: 5, nextCursor: null })
export class KeyList {
  @Field.Object(() => KeyItem, 'Newest first, including revoked and expired ones.', { list: true })
  keys!: KeyItem[];

  @Field.ItemCount() count!: number;

  @Field.Integer('Most keys that work at the same time. Null: no limit.', { min: 0, nullable: true })
  limit!: number | null;

  @Field.NextCursor() nextCursor!: string | null;
}

/** Response of POST /account/v1/keys. */
@Example({ key: NEW_KEY })
export class CreatedKey {
  @Field.Object(() => NewKeyItem, 'The new key.') key!: NewKeyItem;
}

/** Response of POST /account/v1/keys/:id/rotate. */
@Example({
  key: { ...NEW_KEY, id: OTHER_KEY_ID },
  replaced: { ...KEY, expiresAt: TIMESTAMP, replacedBy: OTHER_KEY_ID },
})
export class RotatedKey {
  @Field.Object(() => NewKeyItem, 'The new key.') key!: NewKeyItem;
  @Field.Object(() => KeyItem, 'The key that it replaces.') replaced!: KeyItem;
}

/** Response of DELETE /account/v1/keys/:id. */
@Example({ success: true, deleted: KEY_ID })
export class RevokedKey {
  @Field.Boolean('Always true.') success!: boolean;
  @Field.Id('key', 'The revoked key.') deleted!: string;
}
