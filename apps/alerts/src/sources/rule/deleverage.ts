import type { AutomationV1, DeleverageStrategy } from '@plimsoll/contracts';

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
