/** Why an incident opened: a critical alert, a liquidation, or several alerts in one market of a chain. */
export const INCIDENT_TRIGGERS = ['critical_alert', 'liquidation', 'alert_run'] as const;
export type IncidentTrigger = (typeof INCIDENT_TRIGGERS)[number];

/** States of an incident. It closes when all its alerts have resolved. */
export const INCIDENT_STATES = ['open', 'closed'] as const;
export type IncidentState = (typeof INCIDENT_STATES)[number];

/** Kinds of facts in an incident's timeline. */
export const INCIDENT_FACTS = [
  'alert_opened',
  'alert_escalated',
  'alert_resolved',
  'band_changed',
  'liquidation',
] as const;
export type IncidentFactKind = (typeof INCIDENT_FACTS)[number];
