import { Type } from '@sinclair/typebox';
import { ID_FORM } from '../ids';
import { BANDS, type Band } from '../risk/bands';
import { oneOf } from '../schema-fields';
import { TIERS, type Tier } from '../tiers';

export { oneOf };

/** A bigint as decimal digits: exact on the wire, whatever its size. */
export const Wei = Type.String({ pattern: '^-?[0-9]+$' });
/** 0x address in lower case, so that keys and ids compare as text. */
export const Address = Type.String({ pattern: '^0x[0-9a-f]{40}$' });
export const Hash = Type.String({ pattern: '^0x[0-9a-f]{64}$' });
/** SHA-256 in hexadecimal digits. */
export const Sha256 = Type.String({ pattern: '^[0-9a-f]{64}$' });
/** ISO 8601 UTC with milliseconds and Z. */
export const Timestamp = Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$' });
/** A UTC day, YYYY-MM-DD. */
export const Day = Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\d$' });
export const RecordId = (prefix: string) => Type.String({ pattern: `^${prefix}_${ID_FORM}$` });
export const BandName = oneOf<Band>(BANDS);
export const TierName = oneOf<Tier>(TIERS);
export const Nullable = <S extends Parameters<typeof Type.Union>[0][number]>(schema: S) =>
  Type.Union([schema, Type.Null()]);
