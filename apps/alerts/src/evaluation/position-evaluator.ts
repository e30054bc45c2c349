import type { AlertRecord } from '../alerts/alert-record';
import { alertEvent } from './alert-event';
import { openedText, resolvedText } from './alert-text';
import { confidenceScore } from './confidence-score';
import type { DueOpening, Evaluation, Outcome } from './evaluation';
import { StandingAlerts } from './standing-alerts';
import { type StandingAction, evaluateStandingConditions } from './standing-conditions';

type Action<K extends StandingAction['kind']> = Extract<StandingAction, { kind: K }>;

/** What evaluation cannot know by itself. */
export interface EvaluationSources {
  /** Milliseconds since 1970. */
  nowMs: number;
  newAlertId(): string;
}

/** Evaluates states of positions in order; each sees what the ones before it brought about. */
export class PositionEvaluator {
  private readonly alerts: StandingAlerts;
  private readonly opened = new Set<AlertRecord>();
  private readonly resolved: AlertRecord[] = [];
  private readonly events: Outcome['events'] = [];
  /** By position: a later state of it replaces what an earlier one made wait. */
  private readonly due = new Map<string, DueOpening[]>();

  /**
   * @param known active alerts of the positions, and those resolved within the cooldown
   * @param watchers accounts by the wallet they watch
   */
  constructor(
    known: readonly AlertRecord[],
    private readonly watchers: ReadonlyMap<string, ReadonlySet<string>>,
    private readonly sources: EvaluationSources,
  ) {
    this.alerts = new StandingAlerts(known);
  }

  get outcome(): Outcome {
    const { opened, resolved, events, due } = this;
    return { opened: [...opened], resolved, events, due: [...due.values()].flat() };
  }

  evaluate(evaluation: Evaluation): void {
    const { position } = evaluation;
    const watching = this.watchers.get(position.wallet) ?? new Set<string>();
    this.due.set(position.id, []);
    for (const accountId of new Set([...watching, ...this.alerts.accountsOf(position.id)])) {
      const input = { band: position.band, closed: position.closed, watched: watching.has(accountId) };
      const memory = this.alerts.memoryOf(position.id, accountId);
      for (const action of evaluateStandingConditions(input, memory, this.sources.nowMs)) {
        if (action.kind === 'open') this.open(action, evaluation, accountId);
        else if (action.kind === 'resolve') this.resolve(action, evaluation, accountId);
        else this.wait(action, evaluation, accountId);
      }
    }
  }

  private open({ type, severity }: Action<'open'>, evaluation: Evaluation, accountId: string): void {
    const { position, ageBlocks } = evaluation;
    const text = openedText(type, position);
    const alert: AlertRecord = {
      id: this.sources.newAlertId(),
      accountId,
      positionId: position.id,
      type,
      severity,
      ...text,
      openedBand: position.band,
      confidenceScore: confidenceScore(ageBlocks),
      createdAtMs: this.sources.nowMs,
      resolvedAtMs: null,
    };
    this.alerts.put(alert);
    this.opened.add(alert);
    this.events.push({ value: alertEvent(alert, text, evaluation), cause: evaluation.cause });
  }

  private resolve({ type, reason }: Action<'resolve'>, evaluation: Evaluation, accountId: string): void {
    const { position, cause } = evaluation;
    const alert = this.alerts.active(position.id, accountId, type);
    if (!alert) return;
    alert.resolvedAtMs = this.sources.nowMs;
    this.alerts.put(alert);
    if (!this.opened.has(alert)) this.resolved.push(alert);
    this.events.push({ value: alertEvent(alert, resolvedText(reason, position), evaluation), cause });
  }

  private wait({ type, dueAtMs }: Action<'wait'>, { position, cause }: Evaluation, accountId: string): void {
    this.due.get(position.id)?.push({ positionId: position.id, accountId, type, dueAtMs, cause });
  }
}
