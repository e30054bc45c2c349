import { type Static, Type } from '@sinclair/typebox';
import { Type as Class } from 'class-transformer';
import {
  IsBoolean,
  IsIn,
  IsInt,
  IsNotEmpty,
  IsNumber,
  IsString,
  Max,
  MaxLength,
  Min,
  ValidateNested,
} from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import {
  ACTION_TYPES,
  type ActionType,
  CONDITION_TYPES,
  type ConditionType,
  DELEVERAGE_STRATEGIES,
  type DeleverageStrategy,
  EXECUTION_STATUSES,
  type ExecutionStatus,
} from '../../automation';
import { oneOf, recordId } from '../../schema-fields';
import {
  ALERT_ID,
  EXECUTION_ID,
  Example,
  Field,
  IsId,
  IsWalletSignature,
  Optional,
  POSITION_ID,
  PageQuery,
  RULE_ID,
  TIMESTAMP,
} from '../fields';
import { FittingChange, FittingCondition, FittingRule } from './rule-schemas';

const CONDITION = { conditionType: 'health_factor_below', conditionValue: 1.2, positionId: POSITION_ID };
const RULE = {
  id: RULE_ID,
  name: 'Keep me above 1.2',
  ...CONDITION,
  asset: null,
  actionType: 'alert',
  action: null,
  isActive: true,
  createdAt: TIMESTAMP,
  updatedAt: TIMESTAMP,
};

const CONDITION_VALUE =
  'Threshold, strictly crossed. Health factor and LTV are ratios (LTV 0.8: debt is 80 % of the collateral), amounts and prices are USD, liquidation distance is percent, risk score is 0 to 100, liquidation probability (within 30 days) is 0 to 1.';

/** `action` of a rule: { webhookId } for webhook, the other fields for deleverage, absent for alert. */
export class RuleActionBody {
  @JSONSchema({ description: 'The endpoint that receives the event when actionType is webhook.' })
  @Optional()
  @IsId('wh')
  webhookId?: string;

  @JSONSchema({
    description:
      'deleverage: health factor to reach, above 1 and at most 10. It must be above conditionValue when that is a health factor.',
    exclusiveMinimum: 1,
  })
  @Optional()
  @IsNumber()
  @Max(10)
  targetHealthFactor?: number;

  @JSONSchema({ description: 'deleverage: strategy. The default is repay_debt.' })
  @Optional()
  @IsIn(DELEVERAGE_STRATEGIES)
  strategy?: DeleverageStrategy;

  @JSONSchema({
    description:
      'deleverage: most that a sale may lose against the protocol’s own oracle, including fees, in basis points. The default is 50.',
  })
  @Optional()
  @IsInt()
  @Min(1)
  @Max(1_000)
  maxSlippageBps?: number;

  @JSONSchema({ description: 'deleverage: true runs every step except sending.' })
  @Optional()
  @IsBoolean()
  dryRun?: boolean;

  @JSONSchema({
    description:
      'deleverage: the wallet’s signature that lets this account run executions for it, as in POST /v1/execution/deleverage. Never shown. The rule needs an authorisation whenever it fires.',
  })
  @Optional()
  @IsWalletSignature()
  walletSignature?: string;
}

/** Condition of a rule on one position. */
@FittingCondition()
@Example(CONDITION)
export class RuleConditionBody {
  @JSONSchema({
    description: 'The figure to compare, and the side of conditionValue on which the rule fires.',
  })
  @IsIn(CONDITION_TYPES)
  conditionType!: ConditionType;

  @JSONSchema({ description: CONDITION_VALUE })
  @IsNumber()
  conditionValue!: number;

  @JSONSchema({ description: 'Position of the rule.' })
  @IsId('pos')
  positionId!: string;

  @JSONSchema({
    description: 'Symbol of an asset of the position. Only for price_below and price_above.',
  })
  @Optional()
  @IsString()
  @IsNotEmpty()
  @MaxLength(32)
  asset?: string;
}

/** Body of POST /v1/automation/rules. */
@FittingRule()
@Example({ ...CONDITION, name: RULE.name, actionType: 'alert' })
export class CreateRuleBody extends RuleConditionBody {
  @JSONSchema({ description: 'Name of the rule. Alerts show it.' })
  @IsString()
  @IsNotEmpty()
  @MaxLength(120)
  name!: string;

  @JSONSchema({ description: 'Action when the rule fires. deleverage needs the enterprise tier.' })
  @IsIn(ACTION_TYPES)
  actionType!: ActionType;

  @JSONSchema({
    description: 'Details of the action: an endpoint for webhook, a target for deleverage, absent for alert.',
  })
  @Optional()
  @ValidateNested()
  @Class(() => RuleActionBody)
  action?: RuleActionBody;

  @JSONSchema({ description: 'False: the rule is created but not evaluated.' })
  @Optional()
  @IsBoolean()
  isActive?: boolean;
}

/** Body of POST /v1/automation/rules/preview: a condition, or the whole body of a rule to create. */
@FittingCondition()
@Example(CONDITION)
export class PreviewRuleBody extends RuleConditionBody {
  @JSONSchema({ description: 'As in a rule to create. It has no effect here.' })
  @Optional()
  @IsString()
  @IsNotEmpty()
  @MaxLength(120)
  name?: string;

  @JSONSchema({ description: 'As in a rule to create. It has no effect here.' })
  @Optional()
  @IsIn(ACTION_TYPES)
  actionType?: ActionType;

  @JSONSchema({ description: 'As in a rule to create. It has no effect here.' })
  @Optional()
  @ValidateNested()
  @Class(() => RuleActionBody)
  action?: RuleActionBody;

  @JSONSchema({ description: 'As in a rule to create. It has no effect here.' })
  @Optional()
  @IsBoolean()
  isActive?: boolean;
}

/** Body of PATCH /v1/automation/rules/:id. Absent fields keep their value. */
@FittingChange()
@Example({ conditionValue: 1.2 })
export class UpdateRuleBody {
  @JSONSchema({ description: 'Name of the rule.' })
  @Optional()
  @IsString()
  @IsNotEmpty()
  @MaxLength(120)
  name?: string;

  @JSONSchema({ description: CONDITION_VALUE })
  @Optional()
  @IsNumber()
  conditionValue?: number;

  @JSONSchema({ description: 'Action when the rule fires. deleverage needs the enterprise tier.' })
  @Optional()
  @IsIn(ACTION_TYPES)
  actionType?: ActionType;

  @JSONSchema({ description: 'Details of the action.' })
  @Optional()
  @ValidateNested()
  @Class(() => RuleActionBody)
  action?: RuleActionBody;

  @JSONSchema({ description: 'False: the rule is not evaluated and its alert resolves.' })
  @Optional()
  @IsBoolean()
  isActive?: boolean;
}

/** Query of GET /v1/automation/executions. */
export class ListExecutionsQuery extends PageQuery {
  @JSONSchema({ description: 'Only executions of this rule.' })
  @Optional()
  @IsId('rule')
  ruleId?: string;

  @JSONSchema({ description: 'Only executions with this status.' })
  @Optional()
  @IsIn(EXECUTION_STATUSES)
  status?: ExecutionStatus;
}

/** `action` of a rule in responses: two shapes, which no class describes. */
const ruleAction = Type.Union([
  Type.Object({ webhookId: recordId('wh', 'The endpoint that receives the event.') }),
  Type.Object({
    targetHealthFactor: Type.Number({ description: 'Health factor to reach.' }),
    strategy: oneOf(DELEVERAGE_STRATEGIES, { description: 'Strategy.' }),
    maxSlippageBps: Type.Integer({ minimum: 1, description: 'Most that a sale may lose, basis points.' }),
    dryRun: Type.Boolean({ description: 'True: run every step except sending.' }),
  }),
]);

/** Automation rule. */
export class AutomationRule {
  @Field.Id('rule', 'Id of the rule.') id!: string;
  @Field.Text('Name of the rule.') name!: string;

  @Field.Word(CONDITION_TYPES, 'The figure to compare, and the side on which the rule fires.')
  conditionType!: ConditionType;

  @Field.Number(CONDITION_VALUE) conditionValue!: number;
  @Field.Text('Asset whose price is compared. Null without one.', { nullable: true }) asset!: string | null;
  @Field.Word(ACTION_TYPES, 'Action when the rule fires.') actionType!: ActionType;

  @Field.Shape(ruleAction, 'Details of the action. Null for alert.', { nullable: true })
  action!: Static<typeof ruleAction> | null;

  @Field.Id('pos', 'Position of the rule.') positionId!: string;
  @Field.Boolean('False: the rule is not evaluated.') isActive!: boolean;
  @Field.Timestamp('When it was created.') createdAt!: string;
  @Field.Timestamp('When it was last changed.') updatedAt!: string;
}

/** Response of GET /v1/automation/rules. */
@Example({ rules: [RULE], count: 1, nextCursor: null })
export class RuleList {
  @Field.Object(() => AutomationRule, 'Newest first.', { list: true }) rules!: AutomationRule[];
  @Field.ItemCount() count!: number;
  @Field.NextCursor() nextCursor!: string | null;
}

/** Response of POST /v1/automation/rules and PATCH /v1/automation/rules/:id. */
@Example({ rule: RULE })
export class RuleAnswer {
  @Field.Object(() => AutomationRule, 'The rule.') rule!: AutomationRule;
}

/** Response of DELETE /v1/automation/rules/:id. */
@Example({ success: true, deleted: RULE_ID })
export class DeletedRule {
  @Field.Boolean('Always true.') success!: boolean;
  @Field.Id('rule', 'Id of the deleted rule.') deleted!: string;
}

class RulePreviewFirings {
  @Field.Timestamp('Time of the block, or of the price’s publication, at which the rule would have fired.')
  firedAt!: string;

  @Field.Integer('That block. For a price, the last earlier block at which the position changed.', { min: 0 })
  block!: number;

  @Field.Number('The compared figure at that time. Null when it is infinite.', { nullable: true })
  value!: number | null;

  @Field.Timestamp('When the condition would have become false. Null: not within the history.', {
    nullable: true,
  })
  clearedAt!: string | null;
}

class RulePreviewHistory {
  @Field.Timestamp('First stored state of the position, or its price since then. Null without any.', {
    nullable: true,
  })
  from!: string | null;

  @Field.Timestamp('Last stored state or price. Null without any.', { nullable: true }) to!: string | null;
  @Field.Integer('Number of evaluated states or prices.', { min: 0 }) states!: number;

  @Field.Integer('The history keeps the last state of each such span. A shorter crossing does not appear.')
  resolutionSeconds!: number;
}

/** Response of POST /v1/automation/rules/preview. */
@Example({
  firedCount: 1,
  firings: [{ firedAt: TIMESTAMP, block: 21_300_017, value: 1.1834, clearedAt: null }],
  history: { from: TIMESTAMP, to: TIMESTAMP, states: 1, resolutionSeconds: 60 },
})
export class RulePreview {
  @Field.Integer('How often the rule would have fired.', { min: 0 }) firedCount!: number;

  @Field.Object(() => RulePreviewFirings, 'Oldest first; the last 200.', { list: true })
  firings!: RulePreviewFirings[];

  @Field.Object(() => RulePreviewHistory, 'The history that was searched.') history!: RulePreviewHistory;
}

/** Execution of a rule. */
export class AutomationExecution {
  @Field.Id('exec', 'Id of the execution. For deleverage, also the id in GET /v1/execution/status.')
  id!: string;

  @Field.Id('rule', 'The rule that fired. It may have been deleted since.') ruleId!: string;
  @Field.Word(EXECUTION_STATUSES, 'Status of the execution.') status!: ExecutionStatus;
  @Field.Timestamp('When the rule fired.') triggeredAt!: string;
  @Field.Timestamp('When the execution ended. Null before.', { nullable: true }) finishedAt!: string | null;
  @Field.Text('The result, as text.') result!: string;
  @Field.Id('alt', 'The alert that it opened.') alertId!: string;
}

/** Response of GET /v1/automation/executions. */
@Example({
  executions: [
    {
      id: EXECUTION_ID,
      ruleId: RULE_ID,
      status: 'completed',
      triggeredAt: TIMESTAMP,
      finishedAt: TIMESTAMP,
      result: 'Keep me above 1.2: health factor 1.1834 is below 1.2',
      alertId: ALERT_ID,
    },
  ],
  count: 1,
  nextCursor: null,
})
export class ExecutionList {
  @Field.Object(() => AutomationExecution, 'Newest first.', { list: true })
  executions!: AutomationExecution[];
  @Field.ItemCount() count!: number;
  @Field.NextCursor() nextCursor!: string | null;
}
