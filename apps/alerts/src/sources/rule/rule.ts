import type { ActionType, AutomationV1, DeleverageStrategy } from '@plimsoll/contracts';
import type { Condition } from './condition';

/** Parameters of a rule's deleverage action. */
export interface DeleverageAction {
  targetHealthFactor: number;
  strategy: DeleverageStrategy;
  /** Basis points. */
  maxSlippageBps: number;
  /** True: plan and simulate, but do not send. */
  dryRun: boolean;
}

/** A deleverage action with the fixed properties of the rule's position. */
export interface Deleverage extends DeleverageAction {
  place: Omit<AutomationV1['position'], 'id'>;
}

/** An automation rule of an account on one position. Times are in milliseconds since 1970. */
export interface Rule extends Condition {
  id: string;
  accountId: string;
  positionId: string;
  name: string;
  actionType: ActionType;
  /** The only endpoint to notify. Null unless actionType is webhook. */
  webhookId: string | null;
  /** The endpoint was deleted since. The rule still fires but notifies no endpoint. */
  isEndpointDeleted: boolean;
  /** Null unless actionType is deleverage. */
  deleverage: Deleverage | null;
  /** True when the account's tier includes executions. */
  mayExecute: boolean;
  isActive: boolean;
  createdAtMs: number;
  updatedAtMs: number;
}

const NONE: readonly Rule[] = [];

/** Rules by their position. An event of a position affects only its rules. */
export class RuleIndex {
  private readonly byPosition = new Map<string, Rule[]>();

  constructor(rules: Iterable<Rule>) {
    for (const rule of rules) {
      const others = this.byPosition.get(rule.positionId);
      if (others) others.push(rule);
      else this.byPosition.set(rule.positionId, [rule]);
    }
  }

  of(positionId: string): readonly Rule[] {
    return this.byPosition.get(positionId) ?? NONE;
  }
}
