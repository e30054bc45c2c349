import {
  CONDITION_VALUE_RANGES,
  CreateAuthorisationBody,
  CreateRuleBody,
  CreateWebhookBody,
  ListAlertsQuery,
  PriceBatchBody,
  RuleActionBody,
  UpdateRuleBody,
  WEBHOOK_EVENT_TYPES,
} from '@plimsoll/contracts';
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
  it('states the limits of the validators in any order', () => {
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

  it('states that a time is one', () => {
    const { expiresAt } = requestSchema(CreateAuthorisationBody).properties;
    expect(expiresAt).toMatchObject({ type: 'string', format: 'date-time' });
    expect(expiresAt).not.toHaveProperty('pattern');
  });

  it('states sizes, words and uniqueness of arrays', () => {
    expect(requestSchema(CreateWebhookBody).properties['events']).toMatchObject({
      type: 'array',
      items: { type: 'string', enum: WEBHOOK_EVENT_TYPES },
      minItems: 1,
      maxItems: WEBHOOK_EVENT_TYPES.length,
      uniqueItems: true,
    });
  });

  it('has the properties of the class above with their defaults, and requires none with a default', () => {
    const schema = requestSchema(ListAlertsQuery);
    expect(schema.properties).toMatchObject({
      limit: { type: 'integer', minimum: 1, maximum: 200, default: 50 },
      cursor: { type: 'string', maxLength: 512, pattern: '^[A-Za-z0-9_-]*$' },
      status: { type: 'string', enum: ['active', 'resolved'] },
    });
    expect(schema.required).toBeUndefined();
  });

  it('excludes U+0000 from free text', () => {
    const { name, asset } = requestSchema(CreateRuleBody).properties;
    const { items } = requestSchema(PriceBatchBody).properties['symbols'] as { items: { pattern: string } };
    for (const { pattern } of [name!, asset!, items]) {
      expect('any\n text €').toMatch(new RegExp(String(pattern)));
      expect('a\0b').not.toMatch(new RegExp(String(pattern)));
    }
  });

  describe('of a rule', () => {
    it('shows its words and every possible field of an action', () => {
      const { conditionType, actionType } = requestSchema(CreateRuleBody).properties;
      expect(conditionType).toMatchObject({ enum: Object.keys(CONDITION_VALUE_RANGES) });
      expect(actionType).toMatchObject({ enum: ['alert', 'webhook', 'deleverage'] });
      const action = requestSchema(RuleActionBody);
      expect(action.required).toBeUndefined();
      expect(Object.keys(action.properties)).toEqual([
        'webhookId',
        'targetHealthFactor',
        'strategy',
        'maxSlippageBps',
        'dryRun',
        'walletSignature',
      ]);
    });

    it('states which value, asset and action fit a type', () => {
      const [condition, action] = requestSchema(CreateRuleBody)['allOf'] as { oneOf: object[] }[];
      expect(condition?.oneOf).toHaveLength(Object.keys(CONDITION_VALUE_RANGES).length);
      expect(condition?.oneOf).toContainEqual({
        properties: {
          conditionType: { enum: ['ltv_above'] },
          conditionValue: { minimum: 0.0001, maximum: 10 },
        },
        allOf: [{ not: { properties: { asset: {} }, required: ['asset'] } }],
      });
      expect(condition?.oneOf).toContainEqual({
        properties: {
          conditionType: { enum: ['price_below'] },
          conditionValue: { minimum: 1e-12, maximum: 1e12 },
        },
        allOf: [{ properties: { asset: {} }, required: ['asset'] }],
      });
      expect(action?.oneOf).toHaveLength(3);
      expect(action?.oneOf).toContainEqual({
        properties: { actionType: { enum: ['deleverage'] } },
        allOf: [
          {
            properties: {
              action: {
                allOf: [
                  { properties: { targetHealthFactor: {} }, required: ['targetHealthFactor'] },
                  { not: { properties: { webhookId: {} }, required: ['webhookId'] } },
                ],
              },
            },
            required: ['action'],
          },
        ],
      });
      expect(requestSchema(UpdateRuleBody)['not']).toMatchObject({ required: ['actionType', 'action'] });
    });
  });
});
