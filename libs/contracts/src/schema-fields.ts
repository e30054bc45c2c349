import { FormatRegistry, type SchemaOptions, type TSchema, Type } from '@sinclair/typebox';
import { ID_FORM } from './ids';
import { OR_NAME, WALLET_PATTERN } from './rest/fields/names';

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const DAY = /^\d{4}-\d\d-\d\d$/;
const CHECKSUMMED = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

// TypeBox rejects a string whose format it does not know.
FormatRegistry.Set('date-time', (text) => TIMESTAMP.test(text));
FormatRegistry.Set('date', (text) => DAY.test(text));
FormatRegistry.Set('uri', (text) => URL.canParse(text));

/** ISO 8601, UTC, with milliseconds and Z. */
export const timestamp = (description: string) =>
  Type.String({ format: 'date-time', description, examples: ['2026-11-21T12:00:00.000Z'] });

/** A UTC day. */
export const utcDay = (description: string) =>
  Type.String({ format: 'date', description, examples: ['2026-11-21'] });

/** Record id: prefix, `_`, in test mode `test_`, and 22 base62 characters. */
export const recordId = (prefix: string, description: string) =>
  Type.String({
    pattern: `^${prefix}_${ID_FORM}$`,
    description,
    examples: [`${prefix}_01aBcDeFgHiJkLmNoPqRsT`],
  });

/** Address in a response: 0x and 40 hexadecimal digits with the EIP-55 checksum. */
export const shownAddress = (description: string) =>
  Type.String({
    pattern: '^0x[0-9a-fA-F]{40}$',
    description: `${description} With its EIP-55 checksum.`,
    examples: [CHECKSUMMED],
  });

/** Wallet in a path: an address or an ENS name. */
export const walletInPath = () =>
  Type.String({
    pattern: WALLET_PATTERN,
    description: `Address of the wallet, in lower case or with its checksum. ${OR_NAME}`,
    examples: [CHECKSUMMED],
  });

/** A whole number as decimal digits: exact at any size. */
export const digits = (description: string) => Type.String({ pattern: '^[0-9]+$', description });

/** SHA-256 in hexadecimal digits. */
export const sha256 = (description: string) =>
  Type.String({ pattern: '^[0-9a-f]{64}$', description, examples: ['cd'.repeat(32)] });

/** One of a fixed list of words. */
export const oneOf = <T extends string>(values: readonly T[], options: SchemaOptions = {}) =>
  Type.Unsafe<T>(
    Type.Union(
      values.map((value) => Type.Literal(value)),
      options,
    ),
  );

/** The schema or null. `description` states what null means. */
export const nullable = <S extends TSchema>(schema: S, description: string) =>
  Type.Union([schema, Type.Null()], { description });

/** A double in US dollars. */
export const usd = (description: string) => Type.Number({ description: `${description} USD.` });

/** A map from chain id, as text, to a value of that chain. */
export const byChain = <S extends TSchema>(schema: S, description: string) =>
  Type.Record(Type.String({ pattern: '^[0-9]+$' }), schema, { description });

/** `nextCursor` of every list. */
export const nextCursor = nullable(
  Type.String(),
  'Cursor of the next page, to send back unchanged as `cursor`. Null on the last page.',
);

/** `count` of a list: the number of items in this response, not of all items. */
export const itemCount = Type.Integer({ minimum: 0, description: 'Number of items in this response.' });
