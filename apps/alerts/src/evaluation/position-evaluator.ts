import type { AlertRecord } from '../alerts/alert-record';
import { type NewExecution, automationEvent } from '../automation/execution';
import { clearedText, firedText } from '../automation/rule-text';
import { type RuleInput, evaluateRule } from '../automation/evaluate-rule';
import type { Rule } from '../automation/rule';
import type { RuleIndex } from '../automation/rule-index';
import { AlertLedger, type EvaluationSources } from './alert-ledger';
import { openedText, resolvedText } from './alert-text';
import { dropOf, nextBucketMs } from './collateral-drop';
import type { Evaluation, Outcome } from './evaluation';
import { liquidationIn } from './liquidation';
import { type ConditionInput, evaluateStandingConditions } from './standing-conditions';

const NOBODY: ReadonlySet<string> = new Set();

/** Evaluates states of positions in order; each sees what the ones before it brought about. */
export class PositionEvaluator {
  private readonly ledger: AlertLedger;

  /**
   * @param known active alerts of the positions, and those resolved within the cooldown
   * @param watchers accounts by the wallet they watch
   * @param rules of the positions
   * @param prices fresh market prices of now that the rules look at, USD, as price.v1 names their assets
   */
  constructor(
    known: readonly AlertRecord[],
    private readonly watchers: ReadonlyMap<string, ReadonlySet<string>>,
    private readonly rules: RuleIndex,
    private readonly prices: Readonly<Record<string, number>>,
    private readonly sources: EvaluationSources,
  ) {
    this.ledger = new AlertLedger(known, sources);
  }

  get outcome(): Outcome {
    return this.ledger.outcome;
  }

  evaluate(evaluation: Evaluation): void {
    const { position } = evaluation;
    const watching = this.watchers.get(position.wallet) ?? NOBODY;
    this.ledger.begin(position.id);
    this.noteChanges(evaluation, watching);
    const input = conditionInput(evaluation);
    const accounts = new Set([...watching, ...this.ledger.known.accountsOf(position.id)]);
    for (const accountId of accounts)
      this.evaluateStanding(evaluation, accountId, { ...input, watched: watching.has(accountId) });
    const rules = this.rules.of(position.id);
    if (rules.length === 0) return;
    const figures = { ...position, prices: { ...this.prices, ...evaluation.prices } };
    for (const rule of rules) this.evaluateRule(evaluation, figures, rule);
  }

  private evaluateStanding(evaluation: Evaluation, accountId: string, input: ConditionInput): void {
    const { ledger } = this;
    const { position } = evaluation;
    const memory = ledger.known.memoryOf(position.id, accountId);
    for (const action of evaluateStandingConditions(input, memory, this.sources.nowMs)) {
      const of = { accountId, type: action.type, ruleId: null };
      if (action.kind === 'open') {
        const draft = { ...of, severity: action.severity, targetWebhookId: null };
        ledger.open(draft, openedText(action.type, position, input.collateralDrop), evaluation);
      } else if (action.kind === 'resolve') {
        const alert = ledger.active(position.id, of);
        if (alert) ledger.resolve(alert, resolvedText(action, position), evaluation);
      } else ledger.wait(of, action.dueAtMs, evaluation);
    }
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
      if (alert) ledger.resolve(alert, clearedText(rule, action, position), evaluation);
    } else {
      const text = firedText(rule, action.value, position);
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

  /** Liquidations and changes of the band, for the incidents of those who watch. */
  private noteChanges(evaluation: Evaluation, watching: ReadonlySet<string>): void {
    const { position, previous, atMs } = evaluation;
    if (previous === null) return;
    const liquidation = liquidationIn(previous, position);
    for (const accountId of watching) {
      const note = { accountId, position, alert: null, atMs };
      if (liquidation !== null) this.ledger.note({ ...note, type: 'liquidation', message: liquidation });
      if (previous.band !== position.band) {
        const message = `Risk level went from ${previous.band} to ${position.band}`;
        this.ledger.note({ ...note, type: 'band_changed', message });
      }
    }
  }
}

function conditionInput({ position, atMs }: Evaluation): Omit<ConditionInput, 'watched'> {
  return {
    band: position.band,
    closed: position.closed,
    hasDebt: position.debtUsd > 0,
    collateralDrop: position.peaks ? dropOf(position.peaks, atMs) : 0,
    dropChangesAtMs: nextBucketMs(atMs),
  };
}

/** How far an execution is when its rule fires. */
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
