import { Injectable } from '@nestjs/common';
import { Problem } from '@plimsoll/contracts';
import { GatewayConfig } from '../config';

const DEADLINE_MS = 10_000;

/** The control port of the local market, whose token browsers do not learn. */
@Injectable()
export class LocalMarket {
  constructor(private readonly config: GatewayConfig) {}

  get isPresent(): boolean {
    return this.config.LOCAL_MARKET_URL !== '';
  }

  /**
   * Sends an order, or reads the state.
   * @throws Problem invalid_request with the text of the market, upstream_unavailable when it does not respond
   */
  async send(order?: object): Promise<unknown> {
    const { LOCAL_MARKET_URL, LOCAL_MARKET_TOKEN } = this.config;
    const response = await fetch(`${LOCAL_MARKET_URL}/market`, {
      method: order ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${LOCAL_MARKET_TOKEN}` },
      ...(order && { body: JSON.stringify(order) }),
      signal: AbortSignal.timeout(DEADLINE_MS),
    }).catch((error: unknown) => {
      throw new Problem('upstream_unavailable', 'The local market does not respond. See npm run status.', {
        cause: error,
      });
    });
    const body = (await response.json().catch(() => ({}))) as { error?: string };
    if (response.ok) return body;
    throw new Problem('invalid_request', body.error ?? 'The local market refused it.');
  }
}
