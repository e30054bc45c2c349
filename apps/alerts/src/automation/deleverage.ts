import type { AutomationV1, DeleverageStrategy } from '@plimsoll/contracts';

/** What the action deleverage of a rule asks for. */
export interface DeleverageAction {
  targetHealthFactor: number;
  strategy: DeleverageStrategy;
  /** Basis points. */
  maxSlippageBps: number;
  /** True: everything but the sending. */
  dryRun: boolean;
}

/** The same with what the rule's position is, which its id stands for and never changes. */
export interface Deleverage extends DeleverageAction {
  place: Omit<AutomationV1['position'], 'id'>;
}
