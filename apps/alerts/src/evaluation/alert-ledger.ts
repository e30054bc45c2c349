import type { AlertType, Severity } from '@plimsoll/contracts';
import { type AlertRecord, alertKey } from '../alerts/alert-record';
import type { NewExecution } from '../automation/execution';
import { alertEvent } from './alert-event';
import type { AlertText } from './alert-text';
import { confidenceScore } from './confidence-score';
import type { DueOpening, Evaluation, Outcome } from './evaluation';
import { KnownAlerts } from './known-alerts';

/** What evaluation cannot know by itself. */
export interface EvaluationSources {
  /** Milliseconds since 1970. */
  nowMs: number;
  newId(prefix: 'alt' | 'evt' | 'exec'): string;
}

/** What is particular to an alert that opens. */
export interface AlertDraft {
  accountId: string;
  type: AlertType;
  severity: Severity;
  ruleId: string | null;
  targetWebhookId: string | null;
}

/** Keeps the books of a batch: what opened, what resolved, what is published and what waits. */
export class AlertLedger {
  readonly known: KnownAlerts;
  private readonly opened = new Set<AlertRecord>();
  private readonly resolved: AlertRecord[] = [];
  private readonly events: Outcome['events'] = [];
  private readonly executions: Outcome['executions'] = [];
  private readonly requests: Outcome['requests'] = [];
  private readonly notes: Outcome['notes'] = [];
  /** By position: a later state of it replaces what an earlier one made wait. */
  private readonly due = new Map<string, DueOpening[]>();

  constructor(
    known: readonly AlertRecord[],
    private readonly sources: EvaluationSources,
  ) {
    this.known = new KnownAlerts(known);
  }

  get outcome(): Outcome {
    const { opened, resolved, events, executions, requests, notes, due } = this;
    return {
      opened: [...opened],
      resolved,
      events,
      executions,
      requests,
      notes,
      due: [...due.values()].flat(),
    };
  }

  /** A new state of the position: what waited on it is looked at anew. */
  begin(positionId: string): void {
    this.due.set(positionId, []);
  }

  open(draft: AlertDraft, text: AlertText, evaluation: Evaluation): { alert: AlertRecord; eventId: string } {
    const { position, ageBlocks } = evaluation;
    const alert: AlertRecord = {
      id: this.sources.newId('alt'),
      ...draft,
      positionId: position.id,
      ...text,
      openedBand: position.band,
      confidenceScore: confidenceScore(ageBlocks),
      incidentId: null,
      createdAtMs: this.sources.nowMs,
      resolvedAtMs: null,
    };
    this.known.put(alert);
    this.opened.add(alert);
    return { alert, eventId: this.tell('alert_opened', alert, text, evaluation) };
  }

  resolve(alert: AlertRecord, text: AlertText, evaluation: Evaluation): void {
    alert.resolvedAtMs = this.sources.nowMs;
    this.known.put(alert);
    if (!this.opened.has(alert)) this.resolved.push(alert);
    this.tell('alert_resolved', alert, text, evaluation);
  }

  wait(
    of: Pick<AlertRecord, 'accountId' | 'type' | 'ruleId'>,
    dueAtMs: number,
    evaluation: Evaluation,
  ): void {
    const { position, cause } = evaluation;
    const { accountId, type, ruleId } = of;
    this.due.get(position.id)?.push({ positionId: position.id, accountId, type, ruleId, dueAtMs, cause });
  }

  executed(execution: Omit<NewExecution, 'id' | 'triggeredAtMs'>): NewExecution {
    const made = { ...execution, id: this.sources.newId('exec'), triggeredAtMs: this.sources.nowMs };
    this.executions.push(made);
    return made;
  }

  request(request: Outcome['requests'][number]): void {
    this.requests.push(request);
  }

  note(note: Outcome['notes'][number]): void {
    this.notes.push(note);
  }

  active(positionId: string, of: Pick<AlertRecord, 'accountId' | 'type' | 'ruleId'>): AlertRecord | null {
    return this.known.active(positionId, of.accountId, alertKey(of));
  }

  private tell(
    type: 'alert_opened' | 'alert_resolved',
    alert: AlertRecord,
    text: AlertText,
    evaluation: Evaluation,
  ): string {
    const eventId = this.sources.newId('evt');
    const { position, cause, atMs } = evaluation;
    this.events.push({ value: alertEvent(alert, text, evaluation), eventId, cause });
    this.note({ type, accountId: alert.accountId, position, alert, message: text.title, atMs });
    return eventId;
  }
}
