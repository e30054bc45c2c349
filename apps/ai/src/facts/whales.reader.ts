import { Injectable } from '@nestjs/common';
import type { WhaleActivityItem, WhaleActivityList } from '@plimsoll/contracts';
import type { Fact } from './fact';
import type { Reading } from './reading';
import { ServiceReader } from './service-reader';

/** A move of a large wallet as facts. */
export interface MoveFacts {
  raw: WhaleActivityItem;
  wallet: Fact;
  action: Fact;
  protocol: Fact;
  asset: Fact;
  usd: Fact;
  at: Fact;
}

/** What large wallets did. Null: it could not be read, and the sheet says why. */
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
    return read.body.activity.map((raw) => {
      const add = (field: string, label: string, value: number | string, unit: Fact['unit']): Fact =>
        reading.sheet.add(`move.${raw.id}.${field}`, label, value, unit, { time: raw.timestamp, source });
      return {
        raw,
        wallet: add('wallet', 'wallet of a large move', raw.wallet, 'id'),
        action: add('action', 'kind of a large move', raw.action, 'enum'),
        protocol: add('protocol', 'protocol of a large move', raw.protocol, 'id'),
        asset: add('asset', 'asset of a large move', raw.asset, 'text'),
        usd: add('usd', 'value of a large move', raw.usdValue, 'usd'),
        at: add('at', 'time of a large move', raw.timestamp, 'time'),
      };
    });
  }
}
