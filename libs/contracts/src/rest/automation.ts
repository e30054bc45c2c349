import { type Static, Type } from '@sinclair/typebox';
import { Type as Class } from 'class-transformer';
import {
  IsBoolean,
  IsIn,
  IsInt,
  IsNotEmpty,
  IsNumber,
  IsString,
  Matches,
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
} from '../automation';
import { itemCount, nextCursor, nullable, oneOf, recordId, timestamp } from './fields';
import { Optional } from './optional';
import { PageQuery } from './paging';
import { WALLET_SIGNATURE } from './wallet-signature';
import { FittingChange, FittingCondition, FittingRule } from './rule-schemas';

const ID = (prefix: string): RegExp => new RegExp(`^${prefix}_[0-9A-Za-z]{22}$`);
const CONDITION_VALUE =
  'Threshold, strictly crossed. Health factor and LTV are ratios (LTV 0.8: debt is 80 % of the collateral), amounts and prices are USD, liquidation distance is percent, risk score is 0 to 100, liquidation probability (within 30 days) is 0 to 1.';

/** `action` of a rule: { webhookId } for webhook, the other fields for deleverage, absent for alert. */
export class RuleActionBody {
  @JSONSchema({ description: 'The endpoint that receives the event when actionType is webhook.' })
  @Optional()
  @Matches(ID('wh'))
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
      'deleverage: the wallet’s signature that lets this account run executions for it, as in POST /v1/execution/deleverage. Needed once and never shown.',
  })
  @Optional()
  @Matches(WALLET_SIGNATURE)
  walletSignature?: string;
}

/** Condition of a rule on one position; body of POST /v1/automation/rules/preview. */
@FittingCondition()
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
  @Matches(ID('pos'))
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

/** Body of PATCH /v1/automation/rules/:id. Absent fields keep their value. */
@FittingChange()
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
  @Matches(ID('rule'))
  ruleId?: string;

  @JSONSchema({ description: 'Only executions with this status.' })
  @Optional()
  @IsIn(EXECUTION_STATUSES)
  status?: ExecutionStatus;
}

/** Automation rule. */
export const AutomationRule = Type.Object({
  id: recordId('rule', 'Id of the rule.'),
  name: Type.String({ description: 'Name of the rule.' }),
  conditionType: oneOf(CONDITION_TYPES, {
    description: 'The figure to compare, and the side on which the rule fires.',
  }),
  conditionValue: Type.Number({ description: CONDITION_VALUE }),
  asset: nullable(Type.String(), 'Asset whose price is compared. Null without one.'),
  actionType: oneOf(ACTION_TYPES, { description: 'Action when the rule fires.' }),
  action: nullable(
    Type.Union([
      Type.Object({ webhookId: recordId('wh', 'The endpoint that receives the event.') }),
      Type.Object({
        targetHealthFactor: Type.Number({ description: 'Health factor to reach.' }),
        strategy: oneOf(DELEVERAGE_STRATEGIES, { description: 'Strategy.' }),
        maxSlippageBps: Type.Integer({ minimum: 1, description: 'Most that a sale may lose, basis points.' }),
        dryRun: Type.Boolean({ description: 'True: run every step except sending.' }),
      }),
    ]),
    'Details of the action. Null for alert.',
  ),
  positionId: recordId('pos', 'Position of the rule.'),
  isActive: Type.Boolean({ description: 'False: the rule is not evaluated.' }),
  createdAt: timestamp('When it was created.'),
  updatedAt: timestamp('When it was last changed.'),
});
export type AutomationRule = Static<typeof AutomationRule>;

/** Response of GET /v1/automation/rules. */
export const RuleList = Type.Object({
  rules: Type.Array(AutomationRule, { description: 'Newest first.' }),
  count: itemCount,
  nextCursor,
});
export type RuleList = Static<typeof RuleList>;

/** Response of POST /v1/automation/rules and PATCH /v1/automation/rules/:id. */
export const RuleAnswer = Type.Object({ rule: AutomationRule });
export type RuleAnswer = Static<typeof RuleAnswer>;

/** Response of DELETE /v1/automation/rules/:id. */
export const DeletedRule = Type.Object({
  success: Type.Boolean({ description: 'Always true.' }),
  deleted: recordId('rule', 'Id of the deleted rule.'),
});
export type DeletedRule = Static<typeof DeletedRule>;

/** Response of POST /v1/automation/rules/preview. */
export const RulePreview = Type.Object({
  firedCount: Type.Integer({ minimum: 0, description: 'How often the rule would have fired.' }),
  firings: Type.Array(
    Type.Object({
      firedAt: timestamp(
        'Time of the block, or of the price’s publication, at which the rule would have fired.',
      ),
      block: Type.Integer({
        minimum: 0,
        description: 'That block. For a price, the last earlier block at which the position changed.',
      }),
      value: nullable(Type.Number(), 'The compared figure at that time. Null when it is infinite.'),
      clearedAt: nullable(
        timestamp('A moment.'),
        'When the condition would have become false. Null: not within the history.',
      ),
    }),
    { description: 'Oldest first; the last 200.' },
  ),
  history: Type.Object({
    from: nullable(
      timestamp('A moment.'),
      'First stored state of the position, or its price since then. Null without any.',
    ),
    to: nullable(timestamp('A moment.'), 'Last stored state or price. Null without any.'),
    states: Type.Integer({ minimum: 0, description: 'Number of evaluated states or prices.' }),
    resolutionSeconds: Type.Integer({
      description: 'The history keeps the last state of each such span. A shorter crossing does not appear.',
    }),
  }),
});
export type RulePreview = Static<typeof RulePreview>;

/** Execution of a rule. */
export const AutomationExecution = Type.Object({
  id: recordId('exec', 'Id of the execution. For deleverage, also the id in GET /v1/execution/status.'),
  ruleId: recordId('rule', 'The rule that fired. It may have been deleted since.'),
  status: oneOf(EXECUTION_STATUSES, { description: 'Status of the execution.' }),
  triggeredAt: timestamp('When the rule fired.'),
  finishedAt: nullable(timestamp('A moment.'), 'When the execution ended. Null before.'),
  result: Type.String({ description: 'The result, as text.' }),
  alertId: recordId('alt', 'The alert that it opened.'),
});
export type AutomationExecution = Static<typeof AutomationExecution>;

/** Response of GET /v1/automation/executions. */
export const ExecutionList = Type.Object({
  executions: Type.Array(AutomationExecution, { description: 'Newest first.' }),
  count: itemCount,
  nextCursor,
});
export type ExecutionList = Static<typeof ExecutionList>;
