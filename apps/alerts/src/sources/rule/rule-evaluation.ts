import type { AutomationV1, Correlation } from '@plimsoll/contracts';
import { confidenceBasis } from '../../content/confidence-score';
import { positionContent } from '../../content/position-content';
import type { AlertText } from '../../lifecycle/alert';
import type { AlertLedger, EvaluationSources, LedgerText } from '../../lifecycle/alert-ledger';
import { dropOf } from '../../positions/collateral-drop';
import { type Evaluation, causeFor } from '../../positions/evaluation';
import type { PositionState } from '../../positions/position-state';
import { type RuleInput, evaluateRule } from './evaluate-rule';
import { type NewExecution, automationEvent } from './execution';
import type { Rule } from './rule';
import { clearedText, firedText } from './rule-text';

/** A request for an execution. */
export interface AutomationRequest {
  value: AutomationV1;
  cause: Correlation;
}

/** The preferences of the account that has a rule. */
interface RuleAccount {
  /** The health factor that its remedies reach. */
  targetHealthFactor: number;
  /** Its name for the wallet. */
  walletLabel: string | null;
}

/** Evaluates rules on states of positions. */
export class RuleEvaluation {
  /** Executions of rules that fired. */
  readonly executions: NewExecution[] = [];
  /** The executions among them that run on chain. */
  readonly requests: AutomationRequest[] = [];

  constructor(
    private readonly ledger: AlertLedger,
    private readonly sources: EvaluationSources,
  ) {}

  run(rule: Rule, figures: RuleInput, evaluation: Evaluation, account: RuleAccount): void {
    const { ledger } = this;
    const { position } = evaluation;
    const { id: ruleId, accountId, webhookId } = rule;
    const of = { accountId, type: 'rule_triggered' as const, ruleId };
    const memory = ledger.known.memory(position.id, of);
    const action = evaluateRule(rule, figures, memory, this.sources.nowMs);
    if (action === null) return;
    if (action.kind === 'wait') return ledger.wait(of, action.dueAtMs, evaluation);
    const withContent = (text: AlertText): LedgerText => ruleText(text, rule, evaluation, account);
    if (action.kind === 'clear') {
      const alert = ledger.active(position.id, of);
      if (alert)
        ledger.resolve(alert, { reason: null }, withContent(clearedText(rule, action, position)), evaluation);
      return;
    }
    const text = withContent(firedText(rule, action.value, position));
    const draft = { ...of, severity: 'medium' as const, targetWebhookId: webhookId };
    const { alert, eventId } = ledger.open(draft, text, evaluation);
    this.execute(rule, { alertId: alert.id, eventId }, text.title, causeFor(accountId, evaluation));
  }

  private execute(
    rule: Rule,
    of: Pick<NewExecution, 'alertId' | 'eventId'>,
    title: string,
    cause: Correlation,
  ): void {
    const { nowMs } = this.sources;
    const { id: ruleId, accountId, webhookId, deleverage } = rule;
    const progress = executionOf(rule, title, nowMs);
    const made = {
      id: this.sources.newId('exec'),
      ruleId,
      accountId,
      ...of,
      webhookId,
      triggeredAtMs: nowMs,
      ...progress,
    };
    this.executions.push(made);
    if (deleverage && made.finishedAtMs === null)
      this.requests.push({ value: automationEvent(rule, deleverage, made), cause });
  }
}

function ruleText(
  text: AlertText,
  rule: Rule,
  { position, previous, ageBlocks, atMs }: Evaluation,
  account: RuleAccount,
): LedgerText {
  const content = positionContent({
    position,
    previous,
    threshold: rule.conditionType === 'health_factor_below' ? rule.conditionValue : null,
    ...account,
    confidenceBasis: confidenceBasis(ageBlocks, null),
    receiptHash: receiptOf(rule, position),
    ...(position.peaks && { collateralDrop: dropOf(position.peaks, atMs) }),
  });
  return { ...text, variant: null, content };
}

/** Returns the receipt of the change that fired or cleared a rule on the health factor. Null for another rule or cause. */
function receiptOf({ conditionType }: Rule, { sequence, holdings }: PositionState): string | null {
  const { receipt } = holdings;
  return conditionType === 'health_factor_below' && receipt?.sequence === sequence ? receipt.hash : null;
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
