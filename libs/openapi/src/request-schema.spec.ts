import { CreateWebhookBody, ListAlertsQuery, WEBHOOK_EVENT_TYPES } from '@plimsoll/contracts';
import { Type } from 'class-transformer';
import { IsInt, IsNumber, IsString, Matches, Max, Min, MinLength, ValidateNested } from 'class-validator';
import { requestSchema } from './request-schema';

class Inner {
  @IsString()
  @MinLength(2)
  name!: string;
}
class Outer {
  @Min(1)
  @Max(9)
  @IsInt()
  whole!: number;

  @IsNumber()
  @Min(-100)
  fraction: number = 2.5;

  @Matches(/^a+$/)
  letters!: string;

  @ValidateNested({ each: true })
  @Type(() => Inner)
  inner!: Inner[];
}

describe('requestSchema', () => {
  it('says the limits of the validators, in whatever order they stand', () => {
    expect(requestSchema(Outer)).toEqual({
      type: 'object',
      properties: {
        whole: { type: 'integer', minimum: 1, maximum: 9 },
        fraction: { type: 'number', minimum: -100, default: 2.5 },
        letters: { type: 'string', pattern: '^a+$' },
        inner: { type: 'array', items: { $ref: '#/components/schemas/Inner' } },
      },
      required: ['whole', 'letters', 'inner'],
      additionalProperties: false,
    });
  });

  it('says sizes, words and uniqueness of arrays', () => {
    expect(requestSchema(CreateWebhookBody).properties['events']).toMatchObject({
      type: 'array',
      items: { type: 'string', enum: WEBHOOK_EVENT_TYPES },
      minItems: 1,
      maxItems: WEBHOOK_EVENT_TYPES.length,
      uniqueItems: true,
    });
  });

  it('has the properties of the class above, with their defaults, and requires none that has one', () => {
    const schema = requestSchema(ListAlertsQuery);
    expect(schema.properties).toMatchObject({
      limit: { type: 'integer', minimum: 1, maximum: 200, default: 50 },
      cursor: { type: 'string', maxLength: 512, pattern: '^[A-Za-z0-9_-]*$' },
      status: { type: 'string', enum: ['active', 'resolved'] },
    });
    expect(schema.required).toBeUndefined();
  });
});
