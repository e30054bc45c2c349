import { type Identity, type Tier, type WhaleV1, newId } from '@plimsoll/contracts';
import { type ReceivedEvent } from '@plimsoll/event-bus';
import { type ChainEndpoint } from '@plimsoll/evm';
import { createTestDatabase, waitFor, ServiceHarness, type ServiceResponse } from '@plimsoll/testing';
import { AppModule } from '../src/app.module';
import { WhalesConfig } from '../src/config';

/** Returns a new account of a tier. */
export function identityOf(tier: Tier): Partial<Identity> {
  return {
    accountId: newId('acc'),
    keyId: newId('key'),
    tier,
    scopes: ['analytics:read'],
    requestId: newId('req'),
  };
}

/** The service on the chains of a test. */
export class ServiceFixture extends ServiceHarness<WhalesConfig> {
  /** The whale.v1 events so far. */
  events: ReceivedEvent<WhaleV1>[] = [];

  /** Prepares the service for these chains. Nothing runs before `start`. */
  static async create(
    chains: ChainEndpoint[],
    overlayPath: string,
    settings: Partial<WhalesConfig> = {},
  ): Promise<ServiceFixture> {
    const fixture = new ServiceFixture(
      { module: AppModule, config: WhalesConfig, schema: 'whales' },
      await createTestDatabase(),
      {
        RPC_URL: { chains, problem: null },
        REGISTRY_OVERLAY: overlayPath,
        BLOCK_POLL_INTERVAL_MS: 50,
        WHALE_THRESHOLD_USD: 10_000,
        ...settings,
      },
    );
    fixture.events = (await fixture.collect('whale.v1')).events;
    return fixture;
  }

  /** Waits until the logs of the chain's blocks up to this one are read. */
  async indexedTo(block: number, chainId = 1): Promise<void> {
    const sql = 'SELECT block FROM cursors WHERE chain_id = $1';
    await waitFor(
      async () => Number((await this.query<{ block: string }>(sql, [chainId]))[0]?.block ?? -1) >= block,
      { timeoutMs: 20_000, message: `the index of chain ${chainId} comes to block ${block}` },
    );
  }

  get<T>(url: string, as: Partial<Identity> = identityOf('business')): Promise<ServiceResponse<T>> {
    return this.request<T>('GET', url, { as });
  }

  /** The chain may be unavailable. */
  protected override consume(): Promise<void> {
    return Promise.resolve();
  }
}
