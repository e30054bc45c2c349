import { Injectable } from '@nestjs/common';
import type { WhaleActivityItem, WhaleActivityList } from '@plimsoll/contracts';
import type { Fact } from './fact';
import type { FactSheet } from './fact-sheet';
import type { Reading } from './reading';
import { ServiceReader } from './service-reader';

/** Up to this number of moves all facts are available, beyond it only those that an answer uses. */
const MAX_DETAILED = 10;

/** An action of a large wallet as facts. Each enters the sheet at its first use. */
export class MoveFacts {
  constructor(
    private readonly sheet: FactSheet,
    readonly raw: WhaleActivityItem,
    private readonly source: string,
  ) {}

  get wallet(): Fact {
    return this.fact('wallet', 'wallet of a large move', this.raw.wallet, 'id');
  }

  get action(): Fact {
    return this.fact('action', 'kind of a large move', this.raw.action, 'enum');
  }

  get protocol(): Fact {
    return this.fact('protocol', 'protocol of a large move', this.raw.protocol, 'id');
  }

  get asset(): Fact {
    return this.fact('asset', 'asset of a large move', this.raw.asset, 'text');
  }

  get usd(): Fact {
    return this.fact('usd', 'value of a large move', this.raw.usdValue, 'usd');
  }

  get at(): Fact {
    return this.fact('at', 'time of a large move', this.raw.timestamp, 'time');
  }

  /** All of its facts. They enter the sheet. */
  all(): Fact[] {
    const { wallet, action, protocol, asset, usd, at } = this;
    return [wallet, action, protocol, asset, usd, at];
  }

  private fact(field: string, label: string, value: number | string, unit: Fact['unit']): Fact {
    const { id, timestamp: time } = this.raw;
    return this.sheet.once(`move.${id}.${field}`, label, value, unit, { time, source: this.source });
  }
}

/** The actions of large wallets. Null: they could not be read, and the sheet states the reason. */
@Injectable()
export class WhalesReader {
  constructor(private readonly services: ServiceReader) {}

  /** The newest moves, at most 200. */
  async moves(reading: Reading, since: string | null, protocol: string | null): Promise<MoveFacts[] | null> {
    const query = new URLSearchParams({ limit: '200' });
    if (since !== null) query.set('since', since);
    if (protocol !== null) query.set('protocol', protocol);
    const source = 'GET /v1/whales/activity';
    const path = `/v1/whales/activity?${query}`;
    const read = await this.services.get<WhaleActivityList>(reading, 'whales', path);
    if (read.state !== 'read') return null;
    const moves = read.body.activity.map((raw) => new MoveFacts(reading.sheet, raw, source));
    for (const move of moves.slice(0, MAX_DETAILED)) move.all();
    return moves;
  }
}
