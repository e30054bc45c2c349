import { Injectable } from '@nestjs/common';
import { newId } from '@plimsoll/contracts';
import type { SqlExecutor } from '@plimsoll/event-bus';
import { type IncidentNote, type IncidentScope, scopeKey } from './incident';
import { IncidentBook, RUN_WINDOW_MS } from './incident-book';
import { IncidentsRepository } from './incidents.repository';

/** Opens, extends and closes incidents in the transaction of the events that cause it. */
@Injectable()
export class IncidentsService {
  constructor(private readonly incidents: IncidentsRepository) {}

  /**
   * Applies notes in order, and sets the incident of their alerts before the alerts are written.
   * @returns the incidents that stored alerts join: incident id by alert id
   */
  async apply(
    tx: SqlExecutor,
    notes: readonly IncidentNote[],
    nowMs: number,
  ): Promise<ReadonlyMap<string, string>> {
    if (notes.length === 0) return new Map();
    const scopes = new Map<string, IncidentScope>();
    for (const { accountId, position } of notes) {
      const scope = { accountId, protocol: position.protocol, chainId: position.chainId };
      scopes.set(scopeKey(scope), scope);
    }
    await this.incidents.lock(tx, [...scopes.keys()]);
    const open = await this.incidents.open(tx, [...scopes.values()]);
    const alerts = await this.incidents.alertsOf(tx, [...scopes.values()], nowMs - RUN_WINDOW_MS);
    const book = new IncidentBook(open, alerts, { nowMs, newIncidentId: () => newId('inc') });
    for (const note of notes) book.apply(note);
    for (const { alert } of notes) if (alert) alert.incidentId ??= book.joined.get(alert.id) ?? null;
    // Before the inserts, because a closed incident must be stored before the next one of its scope opens.
    await this.incidents.update(tx, [...book.changed]);
    await this.incidents.insert(tx, book.opened);
    await this.incidents.joinFacts(tx, book.joinedStored);
    await this.incidents.addFacts(tx, book.placed);
    return book.joinedStored;
  }
}
