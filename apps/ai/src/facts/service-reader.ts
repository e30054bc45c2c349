import { Injectable } from '@nestjs/common';
import { Problem } from '@plimsoll/contracts';
import { AccountSlots, InnerClient, ServiceCalls } from '@plimsoll/service-kit';
import { AiConfig } from '../config';
import { refusalOf } from './may-read';
import { ANSWERS, type Reading } from './reading';

/** Simulation reads the position first, and other simulations may be in the queue. */
const SIMULATION_DEADLINE_MS = 5_000;
const DEADLINE_MS = 4_000;
/** Reads in flight in a process. More would only slow each other down. */
const READS = { total: 8, perAccount: 1 };

export type FactService = 'positions' | 'simulation' | 'market-data' | 'alerts' | 'whales';

/** The outcome of a read. `away`: the source is listed in the sheet's `missing`. */
export type Read<T> = { state: 'read'; body: T } | { state: 'not_found' } | { state: 'away' };

/** Calls our own services, with only the caller's identity. Failures are recorded, not thrown. */
@Injectable()
export class ServiceReader {
  private readonly clients: Readonly<Record<FactService, InnerClient>>;

  constructor(
    config: AiConfig,
    calls: ServiceCalls,
    private readonly slots: AccountSlots,
  ) {
    const client = (to: FactService, origin: string, what: string, deadlineMs = DEADLINE_MS): InnerClient =>
      new InnerClient(calls, to, origin, what, deadlineMs);
    this.clients = {
      positions: client('positions', config.UPSTREAM_POSITIONS, 'The positions'),
      simulation: client(
        'simulation',
        config.UPSTREAM_SIMULATION,
        'The risk of the position',
        SIMULATION_DEADLINE_MS,
      ),
      'market-data': client('market-data', config.UPSTREAM_MARKET_DATA, 'The market'),
      alerts: client('alerts', config.UPSTREAM_ALERTS, 'The alerts'),
      whales: client('whales', config.UPSTREAM_WHALES, 'The moves of large wallets'),
    };
  }

  get<T>(reading: Reading, service: FactService, path: string): Promise<Read<T>> {
    return this.read(reading, 'GET', path, ({ caller, signal }) =>
      this.clients[service].get<T>(path, caller, signal),
    );
  }

  /** A POST that only calculates. */
  post<T>(reading: Reading, service: FactService, path: string, body: object): Promise<Read<T>> {
    return this.read(reading, 'POST', path, ({ caller, signal }) =>
      this.clients[service].post<T>(path, body, caller, signal),
    );
  }

  private async read<T>(
    reading: Reading,
    method: string,
    path: string,
    call: (reading: Reading) => Promise<T | null>,
  ): Promise<Read<T>> {
    const source = `${method} ${path.split('?')[0]}`;
    const refusal = refusalOf(reading.identity, method, path);
    if (refusal !== null) return this.markUnavailable(reading, source, refusal);
    try {
      const body = await this.inTurn(reading, call);
      return body === null ? { state: 'not_found' } : { state: 'read', body };
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      return this.markUnavailable(reading, source, error.detail);
    }
  }

  /** The many reads of one account do not delay those of another. */
  private async inTurn<T>(reading: Reading, call: (reading: Reading) => Promise<T>): Promise<T> {
    const { identity, signal } = reading;
    await this.slots.yieldToLighter(ANSWERS, identity.accountId);
    const endTurn = await this.slots.acquireShared('facts', READS, identity.accountId, signal);
    try {
      return await call(reading);
    } finally {
      endTurn();
    }
  }

  private markUnavailable<T>({ sheet }: Reading, source: string, reason: string): Read<T> {
    sheet.lacks(source, reason);
    return { state: 'away' };
  }
}
