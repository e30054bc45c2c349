import { type AlertResolveReason, type AlertType, type Severity, severityNumber } from '@plimsoll/contracts';
import { confidenceScore } from '../content/confidence-score';
import type { IncidentNote } from '../incidents/incident';
import { isDangerType } from '../positions/danger-level';
import { type DueOpening, type Evaluation, causeFor } from '../positions/evaluation';
import type { PositionState } from '../positions/position-state';
import { type AlertNotice, type BlockRef, type PositionAlert, alertKey, wasRemoved } from './alert';
import { type AlertChangeFields, type AlertEvent, alertEvent } from './alert-event';
import { KnownAlerts } from './known-alerts';

/** The results of a batch of evaluations, to write in one transaction. */
export interface LedgerOutcome {
  /** New alerts. Those that resolved within the batch have their resolvedAtMs. */
  opened: PositionAlert[];
  /** Stored alerts that resolve now. */
  resolved: PositionAlert[];
  /** Stored alerts that stay active with another level, other figures or another block. */
  changed: PositionAlert[];
  /** The events to publish, in order. */
  events: LedgerEvent[];
  /** Facts that may belong to an incident, in order. */
  notes: IncidentNote[];
  /** All due openings of the evaluated positions. Earlier ones are void. */
  due: DueOpening[];
}

type LedgerEvent = AlertEvent & { eventId: string; text: string | null };

/** Inputs of evaluation from outside. */
export interface EvaluationSources {
  /** Milliseconds since 1970. */
  nowMs: number;
  newId(prefix: 'alt' | 'evt' | 'exec'): string;
}

/** Fields of a new alert. */
export interface AlertDraft {
  accountId: string;
  type: AlertType;
  severity: Severity;
  ruleId: string | null;
  targetWebhookId: string | null;
}

/** A text with the figures of the position, and its name. Null for the text of a rule. */
export interface LedgerText extends Required<AlertNotice> {
  variant: string | null;
}

/**
 * Collects the results of a batch: alerts that opened, changed and resolved, events to publish, and due
 * openings.
 */
export class AlertLedger {
  readonly known: KnownAlerts;
  private readonly opened = new Set<PositionAlert>();
  private readonly changed = new Set<PositionAlert>();
  private readonly resolved = new Set<PositionAlert>();
  private readonly events: LedgerEvent[] = [];
  private readonly notes: IncidentNote[] = [];
  /** By position. A later state of a position replaces the openings of an earlier one. */
  private readonly due = new Map<string, DueOpening[]>();

  constructor(
    known: readonly PositionAlert[],
    private readonly sources: EvaluationSources,
  ) {
    this.known = new KnownAlerts(known);
  }

  get outcome(): LedgerOutcome {
    const { opened, changed, resolved, events, notes, due } = this;
    return {
      opened: [...opened],
      resolved: [...resolved],
      changed: [...changed].filter((alert) => !resolved.has(alert)),
      events,
      notes,
      due: [...due.values()].flat(),
    };
  }

  /** Starts a new state of the position. Its pending openings are evaluated again. */
  begin(positionId: string): void {
    this.due.set(positionId, []);
  }

  open(
    draft: AlertDraft,
    text: LedgerText,
    evaluation: Evaluation,
    id = this.sources.newId('alt'),
  ): { alert: PositionAlert; eventId: string } {
    const { position, ageBlocks } = evaluation;
    const { nowMs } = this.sources;
    const isDanger = isDangerType(draft.type);
    const alert: PositionAlert = {
      id,
      ...draft,
      positionId: position.id,
      title: text.title,
      message: text.message,
      openedBand: position.band,
      confidenceScore: confidenceScore(ageBlocks),
      incidentId: null,
      createdAtMs: nowMs,
      resolvedAtMs: null,
      resolveReason: null,
      escalatedTo: null,
      level: isDanger ? position.level : null,
      healthFactor: position.healthFactor,
      updatedAtMs: nowMs,
      revision: 1,
      openedAt: isDanger ? blockRefOf(evaluation) : null,
      worsenedAt: isDanger ? blockRefOf(evaluation) : null,
      silence: null,
      silencedSeverity: null,
      content: text.content,
    };
    this.known.store(alert);
    this.opened.add(alert);
    return { alert, eventId: this.publish('alert_opened', alert, text, evaluation) };
  }

  resolve(
    alert: PositionAlert,
    { reason, escalatedTo = null }: { reason: AlertResolveReason | null; escalatedTo?: string | null },
    text: LedgerText,
    evaluation: Evaluation,
  ): void {
    const { nowMs } = this.sources;
    this.move(alert, evaluation.position);
    Object.assign(alert, { resolvedAtMs: nowMs, resolveReason: reason, escalatedTo, content: text.content });
    alert.silence = null;
    this.known.store(alert);
    if (!this.opened.has(alert)) this.resolved.add(alert);
    this.publish('alert_resolved', alert, text, evaluation);
  }

  /**
   * Replaces an active alert with another one. The first resolves before the second opens, so two are never
   * active.
   */
  replace(
    alert: PositionAlert,
    draft: AlertDraft,
    texts: { resolved: LedgerText; opened: LedgerText },
    evaluation: Evaluation,
  ): void {
    const id = this.sources.newId('alt');
    this.resolve(alert, { reason: 'escalated', escalatedTo: id }, texts.resolved, evaluation);
    const resolvedNote = this.notes.pop();
    this.open(draft, texts.opened, evaluation, id);
    // An incident sees the successor first, so that it does not end in between.
    if (resolvedNote) this.notes.push(resolvedNote);
  }

  /**
   * Records that an active alert worsened, improved or has other figures. Row and event get the same fields.
   * The row of a silenced alert changes without an event.
   */
  change(
    alert: PositionAlert,
    severity: Severity,
    fields: AlertChangeFields,
    text: LedgerText,
    evaluation: Evaluation,
  ): void {
    const { position, ageBlocks } = evaluation;
    const cause = causeFor(alert.accountId, evaluation);
    this.move(alert, position);
    const { title, message, content } = text;
    Object.assign(alert, { severity, title, message, content, confidenceScore: confidenceScore(ageBlocks) });
    if (fields.change === 'escalated') alert.worsenedAt = blockRefOf(evaluation);
    // The reorg removed the block of the last worsening.
    if (fields.reason === 'retracted') alert.worsenedAt = alert.openedAt;
    this.keep(alert);
    if (isAboveSnooze(alert)) alert.silence = null;
    if (alert.silence === null) {
      const value = { ...alertEvent(alert, text, position), ...fields };
      const eventId = this.sources.newId('evt');
      this.events.push({ topic: 'alert-change.v1', value, eventId, cause, text: text.variant });
    }
    if (fields.change === 'escalated') this.noteAlert('alert_escalated', alert, text, evaluation);
  }

  /**
   * A reorg removed the blocks of an alert whose condition is still met. The alert refers to the new block
   * from now on.
   */
  reanchor(alert: PositionAlert, evaluation: Evaluation): void {
    const { orphanedFrom } = evaluation;
    const here = blockRefOf(evaluation);
    for (const place of ['openedAt', 'worsenedAt'] as const) {
      if (!wasRemoved(alert[place]?.number ?? null, orphanedFrom ?? null)) continue;
      alert[place] = here;
      this.keep(alert);
    }
  }

  wait(
    of: Pick<PositionAlert, 'accountId' | 'type' | 'ruleId'>,
    dueAtMs: number,
    evaluation: Evaluation,
  ): void {
    const { position } = evaluation;
    const { accountId, type, ruleId } = of;
    const cause = causeFor(accountId, evaluation);
    this.due.get(position.id)?.push({ positionId: position.id, accountId, type, ruleId, dueAtMs, cause });
  }

  note(note: IncidentNote): void {
    this.notes.push(note);
  }

  active(positionId: string, of: Pick<PositionAlert, 'accountId' | 'type' | 'ruleId'>): PositionAlert | null {
    return this.known.active(positionId, of.accountId, alertKey(of));
  }

  private move(alert: PositionAlert, { level, healthFactor }: PositionState): void {
    if (isDangerType(alert.type)) alert.level = level;
    alert.healthFactor = healthFactor;
    alert.updatedAtMs = this.sources.nowMs;
    alert.revision += 1;
  }

  private keep(alert: PositionAlert): void {
    if (!this.opened.has(alert)) this.changed.add(alert);
  }

  private publish(
    type: 'alert_opened' | 'alert_resolved',
    alert: PositionAlert,
    text: LedgerText,
    evaluation: Evaluation,
  ): string {
    const { position, ageBlocks } = evaluation;
    const cause = causeFor(alert.accountId, evaluation);
    const eventId = this.sources.newId('evt');
    const value = alertEvent(alert, text, position);
    value.confidenceScore = confidenceScore(ageBlocks);
    this.events.push({ topic: 'alert.v1', value, eventId, cause, text: text.variant });
    this.noteAlert(type, alert, text, evaluation);
    return eventId;
  }

  private noteAlert(
    type: IncidentNote['type'],
    alert: PositionAlert,
    { title }: AlertNotice,
    { position, atMs }: Evaluation,
  ): void {
    const { accountId, severity } = alert;
    this.note({ type, accountId, position, alert, severity, message: title, atMs });
  }
}

/** Returns the block of the change. Null when a market price caused it, because no reorg reverts a price. */
function blockRefOf({ position: { block, blockHash }, depeg }: Evaluation): BlockRef | null {
  return block === null || depeg !== undefined ? null : { number: block, hash: blockHash };
}

/** Returns whether the alert is worse than when it was snoozed. That ends the snooze. */
function isAboveSnooze({ silence, severity, silencedSeverity }: PositionAlert): boolean {
  if (silence !== 'snoozed') return false;
  return silencedSeverity === null || severityNumber(severity) > severityNumber(silencedSeverity);
}
