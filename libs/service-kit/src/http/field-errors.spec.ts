import * as contracts from '@plimsoll/contracts';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsIn,
  IsInt,
  IsString,
  Matches,
  Max,
  MaxLength,
  Min,
  MinLength,
  ValidateNested,
  getMetadataStorage,
} from 'class-validator';
import { KNOWN_CONSTRAINTS } from './field-errors';
import { ValidationPipe } from './validation.pipe';

class Part {
  @IsString()
  @MinLength(1)
  @MaxLength(5)
  name!: string;

  @Matches(/^\d+$/, { message: 'digits must be decimal digits' })
  digits: string = '1';
}
class Body {
  @IsInt()
  @Min(1)
  @Max(9)
  count: number = 1;

  @IsArray()
  @ArrayMaxSize(3)
  @IsInt({ each: true })
  @Min(1, { each: true })
  chains: number[] = [1];

  @IsIn(['active', 'resolved'])
  status: string = 'active';

  @ValidateNested({ each: true })
  @Type(() => Part)
  parts: Part[] = [];
}

const pipe = new ValidationPipe();
const errorsOf = (body: object): Promise<unknown> =>
  pipe
    .transform(
      { count: 1, chains: [1], status: 'active', parts: [], ...body },
      { type: 'body', metatype: Body },
    )
    .then(() => [])
    .catch((error: contracts.Problem) => error.options.errors);

describe('errors of fields', () => {
  it.each([
    ['a missing value', { parts: [{}] }, 'parts[0].name', 'is_string', 'is required and must be a string.'],
    ['another type', { count: 'ten' }, 'count', 'is_int', 'must be a whole number.'],
    ['null', { count: null }, 'count', 'is_int', 'must be a whole number.'],
    ['too small', { count: 0 }, 'count', 'min', 'must be at least 1.'],
    [
      'too long',
      { parts: [{ name: 'longer' }] },
      'parts[0].name',
      'max_length',
      'must have at most 5 characters.',
    ],
    [
      'too short',
      { parts: [{ name: '' }] },
      'parts[0].name',
      'min_length',
      'must have at least 1 character.',
    ],
    ['no list', { chains: 1 }, 'chains', 'is_array', 'must be a list.'],
    ['too many items', { chains: [1, 2, 3, 4] }, 'chains', 'array_max_size', 'must have at most 3 items.'],
    ['an item of another type', { chains: [1, '2'] }, 'chains[1]', 'is_int', 'must be a whole number.'],
    ['an item that is too small', { chains: [1, 0] }, 'chains[1]', 'min', 'must be at least 1.'],
    ['an item that is no object', { parts: ['a'] }, 'parts[0]', 'nested_validation', 'must be an object.'],
    [
      'an own message',
      { parts: [{ name: 'a', digits: 'x' }] },
      'parts[0].digits',
      'matches',
      'must be decimal digits.',
    ],
  ])('has one message for %s', async (_, body, field, code, message) => {
    expect(await errorsOf(body)).toEqual([{ field, code, message: `${field} ${message}` }]);
  });

  it('names the nearest word of a list', async () => {
    expect(await errorsOf({ status: 'activ' })).toEqual([
      {
        field: 'status',
        code: 'is_in',
        message: 'status must be one of active, resolved. Did you mean active?',
        suggestion: 'active',
      },
    ]);
  });

  it('has one message for each of several mistakes', async () => {
    const errors = await errorsOf({ count: 0, chains: ['a', 2, 0], parts: [{ name: 1 }, { name: 'b' }] });
    expect((errors as { field: string }[]).map(({ field }) => field)).toEqual([
      'count',
      'chains[0]',
      'chains[2]',
      'parts[0].name',
    ]);
  });

  it('does not report a misspelled field as missing', async () => {
    expect(await errorsOf({ parts: [{ nmae: 'a' }] })).toMatchObject([
      { field: 'parts[0].nmae', code: 'unknown_field', suggestion: 'name' },
    ]);
  });

  it('reports no part of a value that it did not check', async () => {
    expect(await errorsOf({ parts: [[]] })).toMatchObject([{ field: 'parts[0]', code: 'is_object' }]);
  });
});

describe('the classes of requests', () => {
  const classes = Object.entries(contracts).filter(
    (entry): entry is [string, new () => object] => typeof entry[1] === 'function' && 'prototype' in entry[1],
  );
  const rules = classes.flatMap(([name, dto]) =>
    getMetadataStorage()
      .getTargetValidationMetadatas(dto, '', false, false)
      .map((metadata) => ({ name, metadata })),
  );

  it('state in words what a constraint without a known text demands, and show no pattern', () => {
    const texts = rules.flatMap(({ name, metadata }) => {
      const { name: constraint = metadata.type, propertyName, message } = metadata;
      if (['customValidation', 'conditionalValidation', 'nestedValidation'].includes(constraint)) return [];
      if (message === undefined && KNOWN_CONSTRAINTS.has(constraint)) return [];
      const [found] = getMetadataStorage().getTargetValidatorConstraints(metadata.constraintCls);
      const text = typeof message === 'string' ? message : (found?.instance.defaultMessage?.() ?? '');
      return [`${name}.${propertyName} ${constraint}: ${text}`];
    });
    expect(rules.length).toBeGreaterThan(100);
    expect(texts.filter((text) => /regular expression|: $|\/\^/.test(text))).toEqual([]);
  });
});
