import type { Rule } from './rule';

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
