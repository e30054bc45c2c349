import 'reflect-metadata';
import { Type } from '@sinclair/typebox';
import { getMetadataStorage, validateSync } from 'class-validator';
import {
  About,
  AllOptional,
  CHAIN_ID,
  Combined,
  type DtoClass,
  Field,
  FieldsOf,
  Optional,
  dtoInstance,
  responseSchema,
} from '.';
import { IsMoment } from './field';

@About('A part.')
class Part {
  @Field.Number('Its weight.', { above: 0 }) weight!: number;
}
class Whole {
  @Field.Id('pos', 'Its id.') id!: string;
  @Field.Integer('Null without any.', { min: 0, max: 9, nullable: true }) count!: number | null;
  @Field.Word(['up', 'down'], 'Where.', { list: true }) ways!: string[];
  @Field.Integer('By chain.', { map: CHAIN_ID }) blocks!: Record<string, number>;
  @Field.Object(() => Part, 'Its parts.', { list: { min: 1 } }) parts!: Part[];
  @Field.Object(() => Part, 'By name.', { map: true }) named!: Record<string, Part>;
  @Optional() @Field.Timestamp('When.') at?: string;
}
const whole = {
  id: 'pos_01aBcDeFgHiJkLmNoPqRsT',
  count: null,
  ways: ['up'],
  blocks: { '1': 5 },
  parts: [{ weight: 1 }],
  named: { first: { weight: 0.5 } },
};
const invalid = (dto: DtoClass, value: object): string[] =>
  validateSync(dtoInstance(dto, value)).map(({ property }) => property);

describe('a response class', () => {
  it('accepts what it describes, with fields that it does not know', () => {
    expect(invalid(Whole, whole)).toEqual([]);
    expect(invalid(Whole, { ...whole, at: '2026-11-21T12:00:00.000Z', later: 1 })).toEqual([]);
  });

  it.each([
    ['id', 'pos_1'],
    ['id', undefined],
    ['count', 1.5],
    ['count', 10],
    ['count', undefined],
    ['ways', ['up', 'left']],
    ['ways', 'up'],
    ['ways', null],
    ['blocks', { ethereum: 5 }],
    ['blocks', { '1': null }],
    ['blocks', []],
    ['parts', []],
    ['parts', [{ weight: 0 }]],
    ['parts', [null]],
    ['parts', undefined],
    ['named', { first: {} }],
    ['named', { first: 1 }],
    ['at', null],
    ['at', 'today'],
  ])('rejects %s: %j', (name, value) => {
    expect(invalid(Whole, { ...whole, [name]: value })).toEqual([name]);
  });

  it('registers no check with class-validator before a test validates it', () => {
    class Unused {
      @Optional() @Field.Usd('Value.') usd?: number;
    }
    expect(getMetadataStorage().getTargetValidationMetadatas(Unused, '', true, false)).toEqual([]);
  });
});

describe('responseSchema', () => {
  const { properties, required } = responseSchema(Whole) as {
    properties: Record<string, object>;
    required: string[];
  };

  it('has the limits, null, lists and maps of the fields', () => {
    expect(properties['count']).toEqual({
      type: ['integer', 'null'],
      minimum: 0,
      maximum: 9,
      description: 'Null without any.',
    });
    expect(properties['blocks']).toEqual({
      type: 'object',
      propertyNames: { pattern: CHAIN_ID },
      additionalProperties: { type: 'integer' },
      description: 'By chain.',
    });
    expect(properties['parts']).toMatchObject({
      type: 'array',
      minItems: 1,
      items: { type: 'object', description: 'A part.', required: ['weight'] },
    });
  });

  it('requires every field that is not optional', () => {
    expect(required).toEqual(['id', 'count', 'ways', 'blocks', 'parts', 'named']);
  });
});

describe('a class of other classes', () => {
  class Both extends Combined(Part, AllOptional(Whole)) {}
  class Shaped extends FieldsOf(Type.Object({ a: Type.Integer(), b: Type.Optional(Type.String()) })) {}

  it('has the fields of all, and those of a part may be absent', () => {
    expect(responseSchema(Both)).toMatchObject({
      required: ['weight'],
      properties: { id: { type: 'string' } },
    });
    expect(invalid(Both, { weight: 1 })).toEqual([]);
    expect(invalid(Both, { weight: 1, id: 'x' })).toEqual(['id']);
  });

  it('has the fields of a shape of events', () => {
    expect(responseSchema(Shaped)['required']).toEqual(['a']);
    expect(invalid(Shaped, { a: 1 })).toEqual([]);
    expect(invalid(Shaped, { a: 1.5, b: 2 })).toEqual(['a', 'b']);
  });
});

class Query {
  @IsMoment()
  since!: string;
}
const isValid = (since: unknown): boolean => validateSync(Object.assign(new Query(), { since })).length === 0;

describe('IsMoment', () => {
  it.each([
    '2026-11-21',
    '2026-11-21T12:00Z',
    '2026-11-21T12:00:00Z',
    '2026-11-21T12:00:00.123Z',
    '2026-11-21T12:00:00+02:00',
  ])('accepts %s', (since) => expect(isValid(since)).toBe(true));

  it.each([
    '',
    'yesterday',
    '2026-13-01',
    '2026-11-21T12:00:00',
    '2026-W47',
    '1795262400000',
    1795262400000,
    null,
  ])('rejects %s', (since) => expect(isValid(since)).toBe(false));
});
