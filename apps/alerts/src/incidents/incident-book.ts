import { type IncidentTrigger, SEVERITIES, type Severity } from '@plimsoll/contracts';
import { type Incident, type IncidentNote, type IncidentScope, scopeKey } from './incident';

/**
 * Alerts of an account in one market that open within this time are a series
 * (docs/decisions/0009-incidents.md).
 */
export const RUN_WINDOW_MS = 600_000;
export const RUN_LENGTH = 3;

/** A stored alert as incidents use it. */
export interface PriorAlert extends IncidentScope {
  alertId: string;
  positionId: string;
  severity: Severity;
  /** Null when it belongs to no incident. */
  incidentId: string | null;
  isActive: boolean;
  openedAtMs: number;
}

/** A note with its incident. Null: none so far. */
export interface PlacedNote {
  note: IncidentNote;
  incidentId: string | null;
}

/** Applies the notes of a batch to the incidents, in order. */
export class IncidentBook {
  readonly opened: Incident[] = [];
  /** Stored incidents that changed. */
  readonly changed = new Set<Incident>();
  /** Alerts that join an incident: incident id by alert id. */
  readonly joined = new Map<string, string>();

  private readonly notes: PlacedNote[] = [];
  private readonly open: Map<string, Incident>;
  private readonly alerts = new Map<string, PriorAlert>();
  private readonly stored: ReadonlySet<string>;

  /**
   * @param open open incidents of the notes' scopes
   * @param alerts alerts of those scopes that are active or opened within the window
   */
  constructor(
    open: readonly Incident[],
    alerts: readonly PriorAlert[],
    private readonly sources: { nowMs: number; newIncidentId(): string },
  ) {
    this.open = new Map(open.map((incident) => [scopeKey(incident), incident]));
    for (const alert of alerts) this.alerts.set(alert.alertId, { ...alert });
    this.stored = new Set(this.alerts.keys());
  }

  /** Those of `joined` that were stored before the batch. */
  get joinedStored(): ReadonlyMap<string, string> {
    return new Map([...this.joined].filter(([alertId]) => this.stored.has(alertId)));
  }

  /**
   * Returns the notes to store. The note of an alert that joined an incident later in the batch is included.
   */
  get placed(): PlacedNote[] {
    return this.notes.map(({ note, incidentId }) => ({
      note,
      incidentId: incidentId ?? (note.alert && (this.joined.get(note.alert.id) ?? null)),
    }));
  }

  apply(note: IncidentNote): void {
    const scope = scopeOf(note);
    if (note.type === 'alert_opened' && note.alert) this.alerts.set(note.alert.id, priorAlert(note, scope));
    if (note.type === 'alert_escalated' && note.alert) this.escalated(note.alert.id, note.severity);
    const trigger = this.triggerOf(note, scope);
    let incident = this.open.get(scopeKey(scope));
    if (!incident && trigger) incident = this.openIncident(scope, trigger, note);
    if (incident && note.alert && worsened(note)) this.join(note.alert.id, incident);
    const incidentId = incident && this.isPartOf(incident, note) ? incident.id : null;
    // A change of the band matters only to an incident that is already open.
    if (incidentId !== null || note.type !== 'band_changed') this.notes.push({ note, incidentId });
    if (note.type === 'alert_resolved' && note.alert) this.resolved(note.alert.id);
    if (incident) this.closeIfResolved(incident);
  }

  private triggerOf(note: IncidentNote, scope: IncidentScope): IncidentTrigger | null {
    if (note.type === 'liquidation') return 'liquidation';
    if (!worsened(note)) return null;
    if (note.severity === 'critical') return 'critical_alert';
    if (note.type !== 'alert_opened') return null;
    return this.recent(scope).length >= RUN_LENGTH ? 'alert_run' : null;
  }

  private openIncident(scope: IncidentScope, trigger: IncidentTrigger, note: IncidentNote): Incident {
    const incident: Incident = {
      id: this.sources.newIncidentId(),
      ...scope,
      trigger,
      severity: trigger === 'liquidation' ? 'critical' : (note.severity ?? 'high'),
      title: titleOf(trigger, scope),
      openedAtMs: this.sources.nowMs,
      closedAtMs: null,
    };
    this.opened.push(incident);
    this.open.set(scopeKey(scope), incident);
    const related = [...this.alerts.values()].filter(
      (alert) =>
        scopeKey(alert) === scopeKey(scope) && alert.isActive && alert.positionId === note.position.id,
    );
    for (const { alertId } of [...related, ...this.recent(scope)]) this.join(alertId, incident);
    return incident;
  }

  /** Returns alerts of the scope that opened within the window and belong to no incident. */
  private recent(scope: IncidentScope): PriorAlert[] {
    const since = this.sources.nowMs - RUN_WINDOW_MS;
    return [...this.alerts.values()].filter(
      (alert) => alert.incidentId === null && scopeKey(alert) === scopeKey(scope) && alert.openedAtMs > since,
    );
  }

  private join(alertId: string, incident: Incident): void {
    const alert = this.alerts.get(alertId);
    if (!alert || (alert.incidentId !== null && alert.incidentId !== incident.id)) return;
    if (alert.incidentId === null) this.joined.set(alertId, incident.id);
    alert.incidentId = incident.id;
    if (SEVERITIES.indexOf(alert.severity) <= SEVERITIES.indexOf(incident.severity)) return;
    incident.severity = alert.severity;
    this.touch(incident);
  }

  private escalated(alertId: string, severity: Severity | null): void {
    const alert = this.alerts.get(alertId);
    if (alert && severity) alert.severity = severity;
  }

  private resolved(alertId: string): void {
    const alert = this.alerts.get(alertId);
    if (alert) alert.isActive = false;
  }

  private isPartOf(incident: Incident, { alert }: IncidentNote): boolean {
    return alert === null || this.alerts.get(alert.id)?.incidentId === incident.id;
  }

  private closeIfResolved(incident: Incident): void {
    for (const alert of this.alerts.values()) if (alert.incidentId === incident.id && alert.isActive) return;
    incident.closedAtMs = this.sources.nowMs;
    this.open.delete(scopeKey(incident));
    this.touch(incident);
  }

  private touch(incident: Incident): void {
    if (!this.opened.includes(incident)) this.changed.add(incident);
  }
}

/** Returns true for an alert that opened or worsened. */
function worsened({ type }: IncidentNote): boolean {
  return type === 'alert_opened' || type === 'alert_escalated';
}

function scopeOf({ accountId, position: { protocol, chainId } }: IncidentNote): IncidentScope {
  return { accountId, protocol, chainId };
}

function priorAlert({ alert, position, severity }: IncidentNote, scope: IncidentScope): PriorAlert {
  return {
    ...scope,
    alertId: alert?.id ?? '',
    positionId: position.id,
    severity: severity ?? 'info',
    incidentId: null,
    isActive: true,
    openedAtMs: alert?.createdAtMs ?? 0,
  };
}

function titleOf(trigger: IncidentTrigger, { protocol, chainId }: IncidentScope): string {
  const what: Record<IncidentTrigger, string> = {
    critical_alert: 'Liquidation risk',
    liquidation: 'Liquidation',
    alert_run: 'A run of alerts',
  };
  return `${what[trigger]} in ${protocol} on chain ${chainId}`;
}
