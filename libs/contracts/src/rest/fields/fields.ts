import type { TSchema } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import {
  IsBoolean,
  IsIn,
  IsInt,
  IsNumber,
  IsObject,
  IsString,
  Matches,
  Max,
  Min,
  ValidateBy,
  ValidateNested,
  type ValidationOptions,
} from 'class-validator';
import { ID_FORM } from '../../ids';
import { type DtoClass, type FieldOptions, type Json, declareField } from './field';

interface Bounds extends FieldOptions {
  min?: number;
  max?: number;
  /** Exclusive lower bound. */
  above?: number;
}

/** A string. */
function textField(
  description?: string,
  { pattern, format, ...options }: FieldOptions & { pattern?: string; format?: 'uri' } = {},
): PropertyDecorator {
  const schema = { type: 'string', ...(pattern && { pattern }), ...(format && { format }) };
  const checks = [IsString, ...(pattern ? [matching(pattern)] : []), ...(format ? [parses] : [])];
  return declareField({ schema: withExample(schema, options), checks, description, options });
}

const matching = (pattern: string) => (options?: ValidationOptions) => Matches(new RegExp(pattern), options);
const parses = (options?: ValidationOptions) =>
  ValidateBy({ name: 'isUri', validator: { validate: (text) => URL.canParse(String(text)) } }, options);

/** ISO 8601, UTC, with milliseconds and Z. */
const timestampField = (description: string, options: FieldOptions = {}): PropertyDecorator =>
  declareField({
    schema: { type: 'string', format: 'date-time', examples: ['2026-11-21T12:00:00.000Z'] },
    checks: [matching('^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$')],
    description,
    options,
  });

/** A UTC day. */
const dayField = (description: string, options: FieldOptions = {}): PropertyDecorator =>
  declareField({
    schema: { type: 'string', format: 'date', examples: ['2026-11-21'] },
    checks: [matching('^\\d{4}-\\d\\d-\\d\\d$')],
    description,
    options,
  });

/** Record id: prefix, `_`, in test mode `test_`, and 22 base62 characters. */
const idField = (prefix: string, description: string, options: FieldOptions = {}): PropertyDecorator =>
  textField(description, {
    pattern: `^${prefix}_${ID_FORM}$`,
    example: `${prefix}_01aBcDeFgHiJkLmNoPqRsT`,
    ...options,
  });

/** Address: 0x and 40 hexadecimal digits with the EIP-55 checksum. */
const addressField = (description: string, options: FieldOptions = {}): PropertyDecorator =>
  textField(options.nullable || options.list ? description : `${description} With its EIP-55 checksum.`, {
    pattern: '^0x[0-9a-fA-F]{40}$',
    example: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
    ...options,
  });

/** A whole number as decimal digits: exact at any size. */
const digitsField = (description: string, options: FieldOptions = {}): PropertyDecorator =>
  textField(description, { pattern: '^[0-9]+$', ...options });

/** A whole number. */
const integerField = (description?: string, options: Bounds = {}): PropertyDecorator =>
  boundedField('integer', description, options);

/** A double. */
const numberField = (description?: string, options: Bounds = {}): PropertyDecorator =>
  boundedField('number', description, options);

/** A double in US dollars. */
const usdField = (description: string, options: Bounds = {}): PropertyDecorator =>
  numberField(`${description} USD.`, options);

function boundedField(
  type: 'integer' | 'number',
  description: string | undefined,
  { min, max, above, ...options }: Bounds,
): PropertyDecorator {
  const isAbove = (each?: ValidationOptions) =>
    ValidateBy({ name: 'isAbove', validator: { validate: (value) => Number(value) > Number(above) } }, each);
  return declareField({
    schema: withExample(
      {
        type,
        ...(above !== undefined && { exclusiveMinimum: above }),
        ...(min !== undefined && { minimum: min }),
        ...(max !== undefined && { maximum: max }),
      },
      options,
    ),
    checks: [
      type === 'integer' ? IsInt : (each?: ValidationOptions) => IsNumber({}, each),
      ...(min !== undefined ? [(each?: ValidationOptions) => Min(min, each)] : []),
      ...(max !== undefined ? [(each?: ValidationOptions) => Max(max, each)] : []),
      ...(above !== undefined ? [isAbove] : []),
    ],
    description,
    options,
  });
}

const booleanField = (description: string, options: FieldOptions = {}): PropertyDecorator =>
  declareField({ schema: { type: 'boolean' }, checks: [IsBoolean], description, options });

/** One of a fixed list of words. */
const wordField = (
  words: readonly string[],
  description?: string,
  options: FieldOptions = {},
): PropertyDecorator =>
  declareField({
    schema: { type: 'string', enum: [...words] },
    checks: [(each) => IsIn(words, each)],
    description,
    options,
  });

/** An object of another class, whose name a function returns because the class may come later. */
const objectField = (
  schema: () => DtoClass,
  description?: string,
  options: FieldOptions = {},
): PropertyDecorator => declareField({ schema, checks: [IsObject, ValidateNested], description, options });

/** A value whose shape is part of an event, or that no class describes. */
const shapeField = (schema: TSchema, description?: string, options: FieldOptions = {}): PropertyDecorator =>
  declareField({
    schema: schema as unknown as Json,
    checks: [
      (each) =>
        ValidateBy(
          {
            name: 'hasShape',
            validator: {
              validate: (value) => Value.Check(schema, value),
              defaultMessage: (args) => {
                const first = Value.Errors(schema, args?.value).First();
                return `$property${first?.path ?? ''}: ${first?.message ?? 'has another shape'}`;
              },
            },
          },
          each,
        ),
    ],
    description,
    options,
  });

/** Pattern of the keys of a map by chain. */
export const CHAIN_ID = '^[0-9]+$';

/** `nextCursor` of every list. */
const nextCursor = (): PropertyDecorator =>
  textField('Cursor of the next page, to send back unchanged as `cursor`. Null on the last page.', {
    nullable: true,
  });

/** `count` of a list: the number of items in this response, not of all items. */
const itemCount = (): PropertyDecorator => integerField('Number of items in this response.', { min: 0 });

function withExample(schema: Json, { example }: FieldOptions): Json {
  return example === undefined ? schema : { ...schema, examples: [example] };
}

/** Decorators of the fields of responses. Each describes its field and checks it with class-validator. */
export const Field = {
  Text: textField,
  Timestamp: timestampField,
  Day: dayField,
  Id: idField,
  Address: addressField,
  Digits: digitsField,
  Integer: integerField,
  Number: numberField,
  Usd: usdField,
  Boolean: booleanField,
  Word: wordField,
  Object: objectField,
  Shape: shapeField,
  NextCursor: nextCursor,
  ItemCount: itemCount,
} as const;

/** A signature of a wallet in a request: 65 bytes for a key, more for a contract (ERC-1271). */
export const IsWalletSignature = (): PropertyDecorator =>
  Matches(/^0x([0-9a-fA-F]{2}){65,1024}$/, {
    message: '$property must be 0x and the hexadecimal digits of 65 to 1,024 bytes',
  });

/** A record id in a request. */
export const IsId = (prefix: string, options: ValidationOptions = {}): PropertyDecorator =>
  Matches(new RegExp(`^${prefix}_${ID_FORM}$`), {
    ...options,
    message: `$property must be ${prefix}_ and 22 letters or digits`,
  });
