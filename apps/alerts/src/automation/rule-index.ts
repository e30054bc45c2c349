import type { Rule } from './rule';

const NONE: readonly Rule[] = [];

/** Rules by the position that they watch: an event of a position touches these and no others. */
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
