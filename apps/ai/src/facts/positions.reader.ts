import { Injectable } from '@nestjs/common';
import { type PositionDetail, type PositionList, type Unreadable, isId } from '@plimsoll/contracts';
import { Clock } from '@plimsoll/service-kit';
import type { Fact } from './fact';
import { type HeldPosition, PositionFacts } from './position-facts';
import type { Reading } from './reading';
import { type Read, ServiceReader } from './service-reader';

const PAGE = 200;
/** Pages of the positions of one answer. Positions beyond them are reported as missing. */
const MAX_PAGES = 5;
/** Positions that one question may name. */
export const MAX_NAMED = 20;
/**
 * Up to this number of positions all facts are available, beyond it only those that an answer uses: more do
 * not fit into a prompt of 16,000 tokens.
 */
const MAX_DETAILED = 10;

/** The positions of an answer, lowest health factor first; those without debt last. */
export interface PositionsRead {
  positions: PositionFacts[];
  /** Number of all positions. */
  count: Fact;
  /** Requested ids without a position. */
  unknown: string[];
}

/** Positions as facts: those that are named, those of wallets, or those that the account watches. */
@Injectable()
export class PositionsReader {
  constructor(
    private readonly services: ServiceReader,
    private readonly clock: Clock,
  ) {}

  /** Null when they cannot be read. The sheet states the reason. */
  async read(
    reading: Reading,
    wanted: { positionIds: readonly string[]; wallets: readonly string[] },
  ): Promise<PositionsRead | null> {
    const { positionIds, wallets } = wanted;
    return positionIds.length > 0 ? this.named(reading, positionIds) : this.list(reading, wallets);
  }

  private async named(reading: Reading, ids: readonly string[]): Promise<PositionsRead | null> {
    const asked = ids.filter((id) => isId('pos', id)).slice(0, MAX_NAMED);
    const malformed = ids.filter((id) => !isId('pos', id));
    const reads = await Promise.all(
      asked.map((id) =>
        this.services.get<PositionDetail>(reading, 'positions', `/v1/positions/${encodeURIComponent(id)}`),
      ),
    );
    if (reads.length > 0 && reads.every(({ state }) => state === 'away')) return null;
    const positions = reads.flatMap((read, at) => {
      const source = `GET /v1/positions/${asked[at]}`;
      if (read.state === 'away') reading.sheet.lacksPart(source, 'It could not be read.');
      if (read.state !== 'read') return [];
      noteUnreadable(reading, source, read.body.unreadable);
      const from = { time: read.body.updatedAt, source, isStale: read.body.unreadable.length > 0 };
      return [new PositionFacts(reading.sheet, read.body, from)];
    });
    const unknown = [...malformed, ...asked.filter((_, at) => reads[at]!.state === 'not_found')];
    return { ...this.counted(reading, positions, 'GET /v1/positions/:id'), unknown };
  }

  private async list(reading: Reading, wallets: readonly string[]): Promise<PositionsRead | null> {
    const source = 'GET /v1/positions';
    const query = new URLSearchParams({ include: 'assets', limit: String(PAGE) });
    if (wallets.length > 0) query.set('wallet', wallets.join(','));
    const found: { raw: HeldPosition; unreadable: Unreadable[] }[] = [];
    for (let cursor: string | null = '', page = 0; cursor !== null; page += 1) {
      if (page === MAX_PAGES) {
        reading.sheet.lacksPart(
          source,
          `Only the ${PAGE * MAX_PAGES} positions of the lowest health factor were read.`,
        );
        break;
      }
      if (cursor !== '') query.set('cursor', cursor);
      const read: Read<PositionList> = await this.services.get(
        reading,
        'positions',
        `/v1/positions?${query}`,
      );
      if (read.state !== 'read') return null;
      const { positions, unreadable, nextCursor } = read.body;
      noteUnreadable(reading, source, unreadable);
      found.push(...positions.map((raw) => ({ raw, unreadable })));
      cursor = nextCursor;
    }
    const time = new Date(this.clock.now()).toISOString();
    const positions = found.map(({ raw, unreadable }) => {
      const isStale = unreadable.some(
        ({ protocol, chainId }) => protocol === raw.protocol && chainId === raw.chainId,
      );
      return new PositionFacts(reading.sheet, raw, { time, source, isStale });
    });
    return { ...this.counted(reading, positions, source), unknown: [] };
  }

  private counted(
    { sheet }: Reading,
    positions: PositionFacts[],
    source: string,
  ): Pick<PositionsRead, 'positions' | 'count'> {
    const rank = ({ raw }: PositionFacts): number => raw.healthFactor ?? Infinity;
    const ordered = positions.toSorted((a, b) => rank(a) - rank(b));
    for (const position of ordered.slice(0, MAX_DETAILED)) position.all();
    const time = new Date(this.clock.now()).toISOString();
    const count = sheet.add('positions.count', 'number of positions', positions.length, 'count', {
      time,
      source,
    });
    return { positions: ordered, count };
  }
}

/** Records the unreadable parts of a source. */
export function noteUnreadable(
  { sheet }: Pick<Reading, 'sheet'>,
  source: string,
  unreadable: readonly Unreadable[],
): void {
  for (const { protocol, chainId } of unreadable) {
    sheet.lacksPart(`${source} (${protocol}, chain ${chainId})`, 'It could not be read at the newest block.');
  }
}
