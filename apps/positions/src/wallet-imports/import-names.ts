import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Problem, isEnsName } from '@plimsoll/contracts';
import { NamesService } from '../names/names.service';
import type { PendingRow } from './wallet-imports.repository';

/** Most names of a batch. Each may cost several requests to the node. */
const MOST_NAMES = 20;
/** The node is shared with the tracking of positions, which comes first. */
const EVERY_MS = 1_000;

/** The address of each name of a batch, or why there is none. A name that is missing here was not looked up. */
export type BatchNames = ReadonlyMap<string, string | Problem>;

/** Resolves the names in rows of imports: at most 20 in a second on this instance, for all accounts. */
@Injectable()
export class ImportNames {
  private nextTurnAtMs = -Infinity;

  constructor(private readonly names: NamesService) {}

  /** Resolves the first names of the rows. A signal that is aborted ends the wait for them. */
  async ofBatch(rows: readonly PendingRow[], signal: AbortSignal): Promise<BatchNames> {
    const sent = rows.map(({ wallet }) => wallet.address).filter(isEnsName);
    const names = [...new Set(sent)].slice(0, MOST_NAMES);
    if (names.length === 0) return new Map();
    await this.turn(signal);
    const found = names.map(async (name) => [name, await this.addressOf(name)] as const);
    return new Map(await Promise.all(found));
  }

  private async turn(signal: AbortSignal): Promise<void> {
    const waitMs = this.nextTurnAtMs - performance.now();
    if (waitMs > 0) await delay(waitMs, undefined, { signal, ref: false });
    this.nextTurnAtMs = performance.now() + EVERY_MS;
  }

  private async addressOf(name: string): Promise<string | Problem> {
    try {
      return (await this.names.addressForImport(name)).address;
    } catch (error) {
      if (error instanceof Problem) return error;
      throw error;
    }
  }
}

/** Whether the name may have an address that could not be read now. */
export const isUnread = (found: string | Problem | undefined): boolean =>
  found instanceof Problem && found.status >= 500;

/** The number of rows before the first one whose name was not looked up. */
export function rowsWithNames(rows: readonly PendingRow[], names: BatchNames): number {
  const at = rows.findIndex(({ wallet: { address } }) => isEnsName(address) && !names.has(address));
  return at === -1 ? rows.length : at;
}
