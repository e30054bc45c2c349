import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type Receiver, type ReceiverResponse, startReceiver } from '@plimsoll/testing';

type Coingecko = Record<string, { usd: number; last_updated_at: number }>;
interface Defillama {
  coins: Record<string, { symbol: string; price: number; timestamp: number }>;
}

/** Behaviour of one of the APIs. */
export interface Behaviour {
  /** Factor of its prices. */
  factor: number;
  /** Age of its prices. */
  ageMs: number;
  /** Fault instead of a response. */
  fault: 'none' | 'status_500' | 'no_json' | 'too_many' | 'hangs';
}

const WORKING: Behaviour = { factor: 1, ageMs: 5_000, fault: 'none' };

const written = <T>(name: string): T =>
  JSON.parse(readFileSync(path.join(__dirname, 'responses', name), 'utf8')) as T;

/**
 * Responds in the form of CoinGecko's and DefiLlama's APIs with current times, on a local server with
 * switchable faults.
 */
export class FakeSources {
  coingecko: Behaviour = { ...WORKING };
  defillama: Behaviour = { ...WORKING };

  private constructor(
    readonly server: Receiver,
    private readonly now: () => number,
  ) {}

  static async start(now: () => number): Promise<FakeSources> {
    const server = await startReceiver();
    const sources = new FakeSources(server, now);
    server.respondWith(({ path: asked }) =>
      asked.startsWith('/coingecko')
        ? respond(sources.coingecko, () => sources.coingeckoBody())
        : respond(sources.defillama, () => sources.defillamaBody()),
    );
    return sources;
  }

  restore(): void {
    this.coingecko = { ...WORKING };
    this.defillama = { ...WORKING };
  }

  private coingeckoBody(): Coingecko {
    const prices = written<Coingecko>('coingecko-simple-price.json');
    const { factor, ageMs } = this.coingecko;
    for (const price of Object.values(prices)) {
      price.usd *= factor;
      price.last_updated_at = Math.floor((this.now() - ageMs) / 1_000);
    }
    return prices;
  }

  private defillamaBody(): Defillama {
    const recorded = written<Defillama>('defillama-prices-current.json');
    const { factor, ageMs } = this.defillama;
    for (const coin of Object.values(recorded.coins)) {
      coin.price *= factor;
      coin.timestamp = Math.floor((this.now() - ageMs) / 1_000);
    }
    return recorded;
  }
}

function respond({ fault }: Behaviour, body: () => object): ReceiverResponse | Promise<ReceiverResponse> {
  switch (fault) {
    case 'none':
      return { status: 200, body: JSON.stringify(body()) };
    case 'status_500':
      return { status: 500, body: 'oops' };
    case 'too_many':
      return { status: 429, headers: { 'retry-after': '60' }, body: '{"status":{"error_code":429}}' };
    case 'no_json':
      return { status: 200, body: '<html>' };
    case 'hangs':
      return new Promise(() => undefined);
  }
}
