import { JSONSchema } from 'class-validator-jsonschema';
import { type ActionType, CONDITION_VALUE_RANGES, type ConditionType, isPriceCondition } from '../automation';

type Schema = Record<string, unknown>;

const withField = (name: string): Schema => ({ properties: { [name]: {} }, required: [name] });
const withoutField = (name: string): Schema => ({ not: withField(name) });

/** What fits together in a condition: the range of conditionValue, and whether there is an asset. */
const CONDITION: Schema = {
  oneOf: Object.entries(CONDITION_VALUE_RANGES).map(([type, [minimum, maximum]]) => ({
    properties: { conditionType: { enum: [type] }, conditionValue: { minimum, maximum } },
    allOf: [isPriceCondition(type as ConditionType) ? withField('asset') : withoutField('asset')],
  })),
};

const ofType = (type: ActionType): Schema => ({ enum: [type] });
const DELEVERAGE_FIELDS = [
  'targetHealthFactor',
  'strategy',
  'maxSlippageBps',
  'dryRun',
  'walletSignature',
] as const;

/** An action that has one field and none of the others. */
const actionWith = (needed: string, others: readonly string[]): Schema => ({
  properties: { action: { allOf: [withField(needed), ...others.map(withoutField)] } },
  required: ['action'],
});

/** What fits together in an action: an endpoint for webhook, a target for deleverage, nothing for alert. */
const ACTION: Schema = {
  oneOf: [
    { properties: { actionType: ofType('alert') }, allOf: [withoutField('action')] },
    { properties: { actionType: ofType('webhook') }, allOf: [actionWith('webhookId', DELEVERAGE_FIELDS)] },
    {
      properties: { actionType: ofType('deleverage') },
      allOf: [actionWith('targetHealthFactor', ['webhookId'])],
    },
  ],
};

/** The schema of a body says what the service checks between the fields of a condition. */
export const FittingCondition = (): ClassDecorator => JSONSchema({ allOf: [CONDITION] });

/** As FittingCondition, and between those of an action. */
export const FittingRule = (): ClassDecorator => JSONSchema({ allOf: [CONDITION, ACTION] });

/** Of a change: the action alert never takes details; the rest depends on the rule that is changed. */
export const FittingChange = (): ClassDecorator =>
  JSONSchema({
    not: {
      properties: { actionType: ofType('alert'), action: {} },
      required: ['actionType', 'action'],
    },
  });
