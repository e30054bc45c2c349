import { JSONSchema } from 'class-validator-jsonschema';
import {
  type ActionType,
  CONDITION_VALUE_RANGES,
  type ConditionType,
  isPriceCondition,
} from '../../automation';

type Schema = Record<string, unknown>;

const withField = (name: string): Schema => ({ properties: { [name]: {} }, required: [name] });

const withoutField = (name: string): Schema => ({ not: withField(name) });

/** Allowed combinations in a condition: the range of conditionValue, and whether it has an asset. */
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

/** Returns the schema of an action with one field and none of the others. */
const actionWith = (needed: string, others: readonly string[]): Schema => ({
  properties: { action: { allOf: [withField(needed), ...others.map(withoutField)] } },
  required: ['action'],
});

/** Allowed combinations in an action: an endpoint for webhook, a target for deleverage, nothing for alert. */
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

/** Puts the service's checks between the fields of a condition into the schema of a body. */
export const FittingCondition = (): ClassDecorator => JSONSchema({ allOf: [CONDITION] });

/** As FittingCondition, with the checks between the fields of an action. */
export const FittingRule = (): ClassDecorator => JSONSchema({ allOf: [CONDITION, ACTION] });

/** For a change: the action alert never has details. The other checks depend on the rule that changes. */
export const FittingChange = (): ClassDecorator =>
  JSONSchema({
    not: {
      properties: { actionType: ofType('alert'), action: {} },
      required: ['actionType', 'action'],
    },
  });
