import { Injectable } from '@nestjs/common';
import { type AlertContent, type AlertSilence, type Correlation, newId } from '@plimsoll/contracts';
import { type SqlExecutor, appendToOutbox, outgoing } from '@plimsoll/event-bus';
import { Clock, continueCorrelation } from '@plimsoll/service-kit';
import { IncidentsService } from '../incidents/incidents.service';
import type { PositionState } from '../positions/position-state';
import { PositionsRepository } from '../positions/positions.repository';
import type { Alert, AlertNotice, PositionAlert } from './alert';
import { type AlertEvent, alertEvent } from './alert-event';
import { AlertGroups } from './alert-groups.service';
import type { LedgerOutcome } from './alert-ledger';
import { type AlertSelection, AlertsRepository, type NewAlert } from './alerts.repository';
import { groupBatch } from './batch-groups';

/** An alert to open. Its confidence is 1 when it does not depend on a reading. */
export interface Opening extends Omit<NewAlert, 'id' | 'createdAtMs' | 'confidenceScore' | 'content'> {
  confidenceScore?: number;
  content?: AlertContent;
  cause: Correlation;
}

/** An active alert to resolve, with the text that its account receives. */
export interface Ending {
  alert: Alert;
  text: AlertNotice;
  cause: Correlation;
}

/**
 * Opens, changes and resolves alerts of all kinds. It writes the rows, their events, groups and incidents in
 * the caller's transaction, with one statement each for a batch.
 */
@Injectable()
export class AlertLifecycle {
  constructor(
    private readonly alerts: AlertsRepository,
    private readonly positions: PositionsRepository,
    private readonly incidents: IncidentsService,
    private readonly groups: AlertGroups,
    private readonly clock: Clock,
  ) {}

  active(tx: SqlExecutor, of: AlertSelection, limit?: number): Promise<Alert[]> {
    return this.alerts.active(tx, of, limit);
  }

  /** Returns alerts that depend on the positions' states: active, or resolved after `resolvedAfterMs`. */
  ofPositions(
    tx: SqlExecutor,
    positionIds: readonly string[],
    resolvedAfterMs: number,
  ): Promise<PositionAlert[]> {
    return this.alerts.ofPositions(tx, positionIds, resolvedAfterMs);
  }

  /** The caller makes sure that none of the subjects has an active alert. */
  async open(tx: SqlExecutor, openings: readonly Opening[]): Promise<Alert[]> {
    const opened = this.openedBy(openings);
    await this.alerts.insert(
      tx,
      opened.map(({ alert }) => alert),
    );
    await this.publishOpened(tx, opened);
    return opened.map(({ alert }) => alert);
  }

  /** Opens the alert unless its subject has an active one. */
  async openIfNone(tx: SqlExecutor, opening: Opening): Promise<void> {
    const opened = this.openedBy([opening]);
    const missing = await this.alerts.insertMissing(
      tx,
      opened.map(({ alert }) => alert),
    );
    if (missing.size > 0) await this.publishOpened(tx, opened);
  }

  /** Resolves alerts that are still active. */
  async resolve(tx: SqlExecutor, endings: readonly Ending[]): Promise<void> {
    const nowMs = this.clock.now();
    const ids = endings.map(({ alert }) => alert.id);
    const resolved = await this.alerts.resolve(tx, ids, nowMs);
    const changes = endings
      .filter(({ alert }) => resolved.has(alert.id))
      .map(({ alert, ...ending }) => ({ alert: { ...alert, resolvedAtMs: nowMs }, ...ending }));
    await this.publish(tx, await this.eventsOf(tx, changes));
  }

  /**
   * Writes the results of evaluated positions.
   * @param positions their newest states by id
   */
  async write(
    tx: SqlExecutor,
    { opened, resolved, changed, events, notes }: LedgerOutcome,
    positions: ReadonlyMap<string, PositionState>,
  ): Promise<void> {
    const nowMs = this.clock.now();
    // First, because it sets the incident to which a new alert belongs.
    await this.alerts.joinIncidents(tx, await this.incidents.apply(tx, notes, nowMs));
    // Before the inserts, because a replaced alert must be resolved when its successor becomes active.
    await this.alerts.update(tx, [...resolved, ...changed]);
    await this.alerts.insert(tx, opened);
    await this.groups.join(tx, groupBatch({ opened, events }, positions, nowMs));
    await this.publish(tx, events);
  }

  /**
   * Ends silences of one kind. Each danger alert is published as it is now, because its changes were not. Other
   * alerts have no changes between their opening and their end.
   * @param ids the caller holds the locks of an evaluation of their positions
   * @param which `dueMs`: only those that end until then; null: all
   */
  async endSilences(
    tx: SqlExecutor,
    ids: readonly string[],
    which: { silence: AlertSilence; dueMs: number | null },
    cause: Correlation,
  ): Promise<void> {
    const nowMs = this.clock.now();
    const ended = await this.alerts.endSilences(tx, ids, which, nowMs);
    const positions = await this.statesOf(tx, ended);
    const events = ended.flatMap((alert): AlertEvent[] => {
      const { level, silencedSeverity: previousSeverity, silencedLevel, ended: silenceEnded } = alert;
      if (level === null) return [];
      const { title, message, content } = alert;
      const notice = { title, message, ...(content && { content }) };
      const value = {
        ...alertEvent(
          { ...alert, resolvedAtMs: null, updatedAtMs: nowMs },
          notice,
          positions.get(alert.positionId ?? '') ?? null,
        ),
        change: 'updated' as const,
        previousSeverity,
        previousLevel: silencedLevel ?? level,
        silenceEnded,
      };
      return [{ topic: 'alert-change.v1', value, cause }];
    });
    await this.publish(tx, events);
  }

  private openedBy(openings: readonly Opening[]): (Ending & { alert: NewAlert })[] {
    const createdAtMs = this.clock.now();
    return openings.map(({ cause, ...opening }) => {
      const alert = { confidenceScore: 1, ...opening, id: newId('alt'), createdAtMs };
      return { alert, text: alert, cause };
    });
  }

  private async publishOpened(tx: SqlExecutor, opened: readonly Ending[]): Promise<void> {
    const events = await this.eventsOf(tx, opened);
    const alerts = opened.map(({ alert }) => alert);
    await this.groups.join(tx, groupBatch({ opened: alerts, events }, new Map(), this.clock.now()));
    await this.publish(tx, events);
  }

  /** Each event has the stored state of its position, if there is one. */
  private async eventsOf(tx: SqlExecutor, changes: readonly Ending[]): Promise<AlertEvent[]> {
    const positions = await this.statesOf(
      tx,
      changes.map(({ alert }) => alert),
    );
    return changes.map(({ alert, text, cause }) => {
      const position = positions.get(alert.positionId ?? '') ?? null;
      return { topic: 'alert.v1', value: alertEvent(alert, text, position), cause };
    });
  }

  private async statesOf(
    tx: SqlExecutor,
    alerts: readonly Pick<Alert, 'positionId'>[],
  ): Promise<Map<string, PositionState>> {
    const ids = new Set(alerts.flatMap(({ positionId }) => positionId ?? []));
    const states = ids.size === 0 ? [] : await this.positions.ofIds(tx, [...ids]);
    return new Map(states.map((state) => [state.id, state]));
  }

  private publish(tx: SqlExecutor, events: readonly AlertEvent[]): Promise<void> {
    return appendToOutbox(
      tx,
      events.map((event) => {
        const { cause, eventId } = event;
        const options = {
          ...continueCorrelation(cause.requestId, cause.traceparent),
          ...(eventId && { eventId }),
        };
        return event.topic === 'alert.v1'
          ? outgoing(event.topic, event.value, options)
          : outgoing(event.topic, event.value, options);
      }),
    );
  }
}
