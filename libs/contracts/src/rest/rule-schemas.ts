import { JSONSchema } from 'class-validator-jsonschema';
import {
  type AvailableActionType,
  CONDITION_VALUE_RANGES,
  type ConditionType,
  isPriceCondition,
} from '../automation';

type Schema = Record<string, unknown>;

/** Action types that a rule can be made with. */
export const AVAILABLE_ACTION_TYPES: readonly AvailableActionType[] = ['alert', 'webhook'];

const withField = (name: string): Schema => ({ properties: { [name]: {} }, required: [name] });
const withoutField = (name: string): Schema => ({ not: withField(name) });

/** What fits together in a condition: the range of conditionValue, and whether there is an asset. */
const CONDITION: Schema = {
  oneOf: Object.entries(CONDITION_VALUE_RANGES).map(([type, [minimum, maximum]]) => ({
    properties: { conditionType: { enum: [type] }, conditionValue: { minimum, maximum } },
    allOf: [isPriceCondition(type as ConditionType) ? withField('asset') : withoutField('asset')],
  })),
};

const ofType = (type: AvailableActionType): Schema => ({ enum: [type] });

/** What fits together in an action: its details are there for webhook alone. */
const ACTION: Schema = {
  oneOf: [
    { properties: { actionType: ofType('alert') }, allOf: [withoutField('action')] },
    { properties: { actionType: ofType('webhook') }, allOf: [withField('action')] },
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

/** Words that are known and refused as not available are not in the schema of the field. */
export const AvailableWords = (words: readonly string[], description: string): PropertyDecorator =>
  JSONSchema((schema) => ({ ...schema, enum: [...words], description })) as PropertyDecorator;

/** Of the fields of an action, the schema shows those of the actions that are available. */
export const AvailableAction = (): ClassDecorator =>
  JSONSchema(({ properties: { webhookId = {} } = {}, ...schema }) => ({
    ...schema,
    properties: { webhookId },
    required: ['webhookId'],
  })) as ClassDecorator;
