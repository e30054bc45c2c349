import type { AlertRecord } from '../lifecycle/alert-record';
import { type NewExecution, automationEvent } from '../sources/rule/execution';
import { clearedText, firedText } from '../sources/rule/rule-text';
import { type RuleInput, evaluateRule } from '../sources/rule/evaluate-rule';
import type { Rule } from '../sources/rule/rule';
import type { RuleIndex } from '../sources/rule/rule-index';
import { positionContent } from '../content/position-content';
import { AlertLedger, type EvaluationSources, type LedgerText } from '../lifecycle/alert-ledger';
import { type PreferencesByAccount, preferencesOf } from '../accounts/alert-settings';
import type { AlertText } from '../sources/position/alert-text';
import { dropOf } from '../positions/collateral-drop';
import { confidenceBasis } from '../content/confidence-score';
import { StandingEvaluation } from '../sources/position/evaluate-standing';
import type { Evaluation, Outcome } from '../lifecycle/evaluation';
import { liquidationIn } from '../positions/liquidation';

const NO_ACCOUNTS: ReadonlySet<string> = new Set();

/** The inputs of evaluation besides the states. */
export interface EvaluationFacts {
  /** Active alerts of the positions, and alerts that resolved within the hour in which drops are measured. */
  alerts: readonly AlertRecord[];
  /** Watching accounts by wallet. */
  watchers: ReadonlyMap<string, ReadonlySet<string>>;
  preferences: PreferencesByAccount;
  /** Rules of the positions. */
  rules: RuleIndex;
  /** Present fresh market prices for rules and depegs, USD, as price.v1 names their assets. */
  prices: Readonly<Record<string, number>>;
}

/** Evaluates states of positions in order. Each sees the results of the ones before it. */
export class PositionEvaluator {
  private readonly ledger: AlertLedger;

  constructor(
    private readonly facts: EvaluationFacts,
    private readonly sources: EvaluationSources,
  ) {
    this.ledger = new AlertLedger(facts.alerts, sources);
  }

  get outcome(): Outcome {
    return this.ledger.outcome;
  }

  evaluate(evaluation: Evaluation): void {
    const { ledger, facts, sources } = this;
    const { position } = evaluation;
    const watching = facts.watchers.get(position.wallet) ?? NO_ACCOUNTS;
    ledger.begin(position.id);
    this.noteChanges(evaluation, watching);
    const prices = { ...facts.prices, ...evaluation.prices };
    for (const accountId of new Set([...watching, ...ledger.known.accountsOf(position.id)])) {
      const preferences = preferencesOf(facts.preferences, accountId);
      const watcher = { accountId, isWatching: watching.has(accountId), preferences };
      new StandingEvaluation(ledger, { ...evaluation, prices }, watcher, sources.nowMs).run();
    }
    const rules = facts.rules.of(position.id);
    if (rules.length === 0) return;
    const figures = { ...position, prices };
    for (const rule of rules) this.evaluateRule(evaluation, figures, rule);
  }

  private evaluateRule(evaluation: Evaluation, figures: RuleInput, rule: Rule): void {
    const { ledger } = this;
    const { position } = evaluation;
    const { id: ruleId, accountId, webhookId } = rule;
    const memory = ledger.known.ruleMemory(position.id, accountId, ruleId);
    const action = evaluateRule(rule, figures, memory, this.sources.nowMs);
    if (action === null) return;
    const of = { accountId, type: 'rule_triggered' as const, ruleId };
    if (action.kind === 'wait') ledger.wait(of, action.dueAtMs, evaluation);
    else if (action.kind === 'clear') {
      const alert = ledger.active(position.id, of);
      if (!alert) return;
      const text = this.ruleText(clearedText(rule, action, position), rule, evaluation);
      ledger.resolve(alert, { reason: null }, text, evaluation);
    } else {
      const text = this.ruleText(firedText(rule, action.value, position), rule, evaluation);
      const draft = { ...of, severity: 'medium' as const, targetWebhookId: webhookId };
      const { alert, eventId } = ledger.open(draft, text, evaluation);
      const execution = ledger.executed({
        ruleId,
        accountId,
        alertId: alert.id,
        eventId,
        webhookId,
        ...executionOf(rule, text.title, this.sources.nowMs),
      });
      if (rule.deleverage && execution.finishedAtMs === null) {
        const value = automationEvent(rule, rule.deleverage, execution);
        ledger.request({ value, cause: evaluation.cause });
      }
    }
  }

  private ruleText(text: AlertText, rule: Rule, evaluation: Evaluation): LedgerText {
    const { position, previous, ageBlocks, atMs } = evaluation;
    const { targetHealthFactor } = preferencesOf(this.facts.preferences, rule.accountId);
    const content = positionContent({
      position,
      previous,
      threshold: rule.conditionType === 'health_factor_below' ? rule.conditionValue : null,
      targetHealthFactor,
      confidenceBasis: confidenceBasis(ageBlocks, null),
      ...(position.peaks && { collateralDrop: dropOf(position.peaks, atMs) }),
    });
    return { ...text, variant: null, content };
  }

  /** Records liquidations and changes of the band for the incidents of watching accounts. */
  private noteChanges(evaluation: Evaluation, watching: ReadonlySet<string>): void {
    const { position, previous, atMs } = evaluation;
    if (previous === null) return;
    const liquidation = liquidationIn(previous, position);
    for (const accountId of watching) {
      const note = { accountId, position, alert: null, severity: null, atMs };
      if (liquidation !== null) this.ledger.note({ ...note, type: 'liquidation', message: liquidation });
      if (previous.band !== position.band) {
        const message = `Risk level went from ${previous.band} to ${position.band}`;
        this.ledger.note({ ...note, type: 'band_changed', message });
      }
    }
  }
}

/** Returns the progress of an execution when its rule fires. */
function executionOf(
  { webhookId, isEndpointDeleted, deleverage, mayExecute }: Rule,
  title: string,
  nowMs: number,
): Pick<NewExecution, 'status' | 'result' | 'finishedAtMs'> {
  if (deleverage !== null && !mayExecute) {
    const result = `${title}. Not executed: executions are part of the enterprise tier.`;
    return { status: 'skipped', result, finishedAtMs: nowMs };
  }
  if (deleverage !== null) {
    const result = `${title}. It waits to be executed on chain.`;
    return { status: 'pending', result, finishedAtMs: null };
  }
  if (webhookId === null) return { status: 'completed', result: title, finishedAtMs: nowMs };
  if (isEndpointDeleted) {
    const result = `${title}. Not sent: the endpoint ${webhookId} was deleted.`;
    return { status: 'skipped', result, finishedAtMs: nowMs };
  }
  const result = `${title}. It waits for its delivery to ${webhookId}.`;
  return { status: 'pending', result, finishedAtMs: null };
}
