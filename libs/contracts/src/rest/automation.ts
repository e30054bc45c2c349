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
  'Threshold, strictly crossed: health factor and LTV as ratios (LTV 0.8 is debt of 80 % of the collateral), amounts and prices in USD, liquidation distance in percent, risk score 0 to 100, liquidation probability (within 30 days) 0 to 1.';

/** `action` of a rule: { webhookId } for webhook, the other fields for deleverage, absent for alert. */
export class RuleActionBody {
  @JSONSchema({ description: 'The endpoint that is told when actionType is webhook.' })
  @Optional()
  @Matches(ID('wh'))
  webhookId?: string;

  @JSONSchema({
    description:
      'deleverage: health factor to reach, above 1 and at most 10; above conditionValue where that is a health factor.',
    exclusiveMinimum: 1,
  })
  @Optional()
  @IsNumber()
  @Max(10)
  targetHealthFactor?: number;

  @JSONSchema({ description: 'deleverage: how to reach it; repay_debt unless given.' })
  @Optional()
  @IsIn(DELEVERAGE_STRATEGIES)
  strategy?: DeleverageStrategy;

  @JSONSchema({
    description:
      'deleverage: most that a sale may lose against the protocol’s own oracle, fees included, basis points; 50 unless given.',
  })
  @Optional()
  @IsInt()
  @Min(1)
  @Max(1_000)
  maxSlippageBps?: number;

  @JSONSchema({ description: 'deleverage: true does everything but send.' })
  @Optional()
  @IsBoolean()
  dryRun?: boolean;

  @JSONSchema({
    description:
      'deleverage: the wallet’s signature that lets this account run executions for it, as POST /v1/execution/deleverage takes it; needed once, and not shown again.',
  })
  @Optional()
  @Matches(WALLET_SIGNATURE)
  walletSignature?: string;
}

/** Condition of a rule on one position; body of POST /v1/automation/rules/preview. */
@FittingCondition()
export class RuleConditionBody {
  @JSONSchema({ description: 'What is looked at, and on which side of conditionValue the rule fires.' })
  @IsIn(CONDITION_TYPES)
  conditionType!: ConditionType;

  @JSONSchema({ description: CONDITION_VALUE })
  @IsNumber()
  conditionValue!: number;

  @JSONSchema({ description: 'The position that the rule is about.' })
  @Matches(ID('pos'))
  positionId!: string;

  @JSONSchema({
    description: 'Symbol of an asset of the position; for price_below and price_above alone.',
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
  @JSONSchema({ description: 'Name of the rule; alerts show it.' })
  @IsString()
  @IsNotEmpty()
  @MaxLength(120)
  name!: string;

  @JSONSchema({ description: 'What is done when the rule fires; deleverage on enterprise alone.' })
  @IsIn(ACTION_TYPES)
  actionType!: ActionType;

  @JSONSchema({
    description:
      'What the action needs: an endpoint for webhook, a target for deleverage; nothing for alert.',
  })
  @Optional()
  @ValidateNested()
  @Class(() => RuleActionBody)
  action?: RuleActionBody;

  @JSONSchema({ description: 'False: created, but not evaluated.' })
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

  @JSONSchema({ description: 'What is done when the rule fires; deleverage on enterprise alone.' })
  @Optional()
  @IsIn(ACTION_TYPES)
  actionType?: ActionType;

  @JSONSchema({ description: 'What the action needs.' })
  @Optional()
  @ValidateNested()
  @Class(() => RuleActionBody)
  action?: RuleActionBody;

  @JSONSchema({ description: 'False: the rule is not evaluated, and its alert is resolved.' })
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
  conditionType: oneOf(CONDITION_TYPES, { description: 'What is looked at, and on which side it fires.' }),
  conditionValue: Type.Number({ description: CONDITION_VALUE }),
  asset: nullable(Type.String(), 'Asset whose price is looked at; null where none is.'),
  actionType: oneOf(ACTION_TYPES, { description: 'What is done when it fires.' }),
  action: nullable(
    Type.Union([
      Type.Object({ webhookId: recordId('wh', 'The endpoint that is told.') }),
      Type.Object({
        targetHealthFactor: Type.Number({ description: 'Health factor to reach.' }),
        strategy: oneOf(DELEVERAGE_STRATEGIES, { description: 'How to reach it.' }),
        maxSlippageBps: Type.Integer({ minimum: 1, description: 'Most that a sale may lose, basis points.' }),
        dryRun: Type.Boolean({ description: 'True: everything but the sending.' }),
      }),
    ]),
    'What the action needs; null for alert.',
  ),
  positionId: recordId('pos', 'The position it is about.'),
  isActive: Type.Boolean({ description: 'False: it is not evaluated.' }),
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
  deleted: recordId('rule', 'Id of the rule that is gone.'),
});
export type DeletedRule = Static<typeof DeletedRule>;

/** Response of POST /v1/automation/rules/preview. */
export const RulePreview = Type.Object({
  firedCount: Type.Integer({ minimum: 0, description: 'How often the rule would have fired.' }),
  firings: Type.Array(
    Type.Object({
      firedAt: timestamp(
        'Time of the block, or for a price of its publication, at which it would have fired.',
      ),
      block: Type.Integer({
        minimum: 0,
        description: 'That block, or for a price the last one before it at which the position changed.',
      }),
      value: nullable(
        Type.Number(),
        'What the condition looks at, as it was then; null where it is infinite.',
      ),
      clearedAt: nullable(
        timestamp('A moment.'),
        'When it would have cleared; null: not within the history.',
      ),
    }),
    { description: 'Oldest first; the last 200.' },
  ),
  history: Type.Object({
    from: nullable(
      timestamp('A moment.'),
      'First stored state of the position, or price of the asset since; null: there is none.',
    ),
    to: nullable(timestamp('A moment.'), 'Last stored state or price; null: there is none.'),
    states: Type.Integer({ minimum: 0, description: 'Stored states or prices that were evaluated.' }),
    resolutionSeconds: Type.Integer({
      description: 'One state is kept of each such span, the last: a shorter crossing does not show.',
    }),
  }),
});
export type RulePreview = Static<typeof RulePreview>;

/** Execution of a rule. */
export const AutomationExecution = Type.Object({
  id: recordId('exec', 'Id of the execution; of deleverage also that of GET /v1/execution/status.'),
  ruleId: recordId('rule', 'The rule that fired; it may be deleted since.'),
  status: oneOf(EXECUTION_STATUSES, { description: 'How far it is.' }),
  triggeredAt: timestamp('When the rule fired.'),
  finishedAt: nullable(timestamp('A moment.'), 'When it came to its end; null before.'),
  result: Type.String({ description: 'What came of it, for people.' }),
  alertId: recordId('alt', 'The alert that it made.'),
});
export type AutomationExecution = Static<typeof AutomationExecution>;

/** Response of GET /v1/automation/executions. */
export const ExecutionList = Type.Object({
  executions: Type.Array(AutomationExecution, { description: 'Newest first.' }),
  count: itemCount,
  nextCursor,
});
export type ExecutionList = Static<typeof ExecutionList>;
