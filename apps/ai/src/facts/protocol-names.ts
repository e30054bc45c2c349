import { Injectable } from '@nestjs/common';
import type { ProtocolItem, ProtocolList } from '@plimsoll/contracts';
import { Clock } from '@plimsoll/service-kit';
import type { Reading } from './reading';
import { ServiceReader } from './service-reader';

/** Names change with a release, so they are read again after this time. */
const FRESH_MS = 600_000;

const normal = (text: string): string =>
  ` ${text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()} `;

/** Finds the protocols that a text names. They are the same for every account. */
@Injectable()
export class ProtocolNames {
  private known: readonly Pick<ProtocolItem, 'id' | 'name'>[] = [];
  private readAtMs = -Infinity;

  constructor(
    private readonly services: ServiceReader,
    private readonly clock: Clock,
  ) {}

  /**
   * Ids, in the order of size. A family alone ("aave") names all its protocols. Empty also while they cannot
   * be read.
   */
  async named(reading: Reading, text: string): Promise<string[]> {
    const words = normal(text);
    const known = await this.all(reading);
    const whole = known.filter(({ id, name }) => words.includes(normal(id)) || words.includes(normal(name)));
    if (whole.length > 0) return whole.map(({ id }) => id);
    return known.filter(({ id }) => words.includes(` ${id.split('-')[0]} `)).map(({ id }) => id);
  }

  /** Ids of all protocols, largest first. */
  async ids(reading: Reading): Promise<string[]> {
    return (await this.all(reading)).map(({ id }) => id);
  }

  private async all(reading: Reading): Promise<typeof this.known> {
    if (this.clock.now() - this.readAtMs < FRESH_MS) return this.known;
    const read = await this.services.get<ProtocolList>(reading, 'market-data', '/v1/protocols?limit=200');
    if (read.state === 'read') {
      this.known = read.body.protocols.map(({ id, name }) => ({ id, name }));
      this.readAtMs = this.clock.now();
    }
    return this.known;
  }
}
