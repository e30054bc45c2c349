import { Problem } from '@plimsoll/contracts';
import { Type } from 'class-transformer';
import { ArrayMaxSize, ArrayUnique, IsArray, IsString, MaxLength, ValidateNested } from 'class-validator';
import { ValidationPipe } from './validation.pipe';

class Inner {
  @IsString()
  name!: string;
}
class Body {
  @MaxLength(10)
  text!: string;

  @IsArray()
  @ArrayMaxSize(10)
  @ArrayUnique()
  items!: string[];

  @ValidateNested({ each: true })
  @Type(() => Inner)
  inner!: Inner[];
}

const pipe = new ValidationPipe();
const VALID = { text: 'a', items: ['b'], inner: [{ name: 'c' }] };
const PERMITTED_VALUES = 1_990;
/** Most reads of a body whose hostile part is never passed on, as for one with a few values. */
const FEW_READS = 100;
/** Most reads of a hostile part that is visited once, to count its values. */
const ONE_VISIT = PERMITTED_VALUES + FEW_READS;

const validate = (body: object): Promise<unknown> =>
  pipe.transform(body, { type: 'body', metatype: Body }).catch((error: Problem) => error.options.errors);
const names = (count: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`unknown${i}`, '']));

/** Returns the body, and counts each read of a property at every depth. */
function counted<T extends object>(body: T, counts: { reads: number }): T {
  return new Proxy(body, {
    get: (target, name, receiver) => {
      counts.reads += 1;
      const value: unknown = Reflect.get(target, name, receiver);
      return typeof value === 'object' && value !== null ? counted(value, counts) : value;
    },
  });
}

describe('ValidationPipe', () => {
  it('returns an instance of the class', async () => {
    expect(await validate(VALID)).toBeInstanceOf(Body);
    expect(await validate(VALID)).toEqual(VALID);
  });

  it('names unknown fields at every depth, with the other errors', async () => {
    const body = { txet: 1, ...VALID, text: 'much too long', inner: [{ name: 'c', nmae: 1 }] };
    expect(await validate(body)).toMatchObject([
      { field: 'txet', code: 'unknown_field' },
      { field: 'inner[0].nmae', code: 'unknown_field' },
      { field: 'text', code: 'max_length' },
    ]);
  });

  it('rejects an array in place of an object', async () => {
    expect(await validate({ ...VALID, inner: [[]] })).toContainEqual(
      expect.objectContaining({ field: 'inner[0]', code: 'is_object' }),
    );
  });

  it('names the first 20 of many unknown fields', async () => {
    expect(await validate(names(100))).toHaveLength(20);
  });

  it.each([
    ['unknown names', names(PERMITTED_VALUES), FEW_READS],
    ['unknown names in a part', { ...VALID, inner: [names(PERMITTED_VALUES)] }, ONE_VISIT],
    ['a text that is an object of many names', { ...VALID, text: names(PERMITTED_VALUES) }, ONE_VISIT],
    ['a text that is a list of many objects', { ...VALID, text: [names(PERMITTED_VALUES)] }, ONE_VISIT],
    [
      'a long array',
      { ...VALID, items: Array.from({ length: PERMITTED_VALUES }, (_, i) => `item${i}`) },
      FEW_READS,
    ],
  ])('does little work for %s', async (_, body, mostReads) => {
    const counts = { reads: 0 };
    expect(await validate(counted(body, counts))).not.toBeInstanceOf(Body);
    expect(counts.reads).toBeLessThan(mostReads);
  });
});
