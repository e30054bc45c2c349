import { findFreePort } from '@plimsoll/local-parts';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { TIER_LIMITS } from '@plimsoll/access';
import { type Identity, type PositionV1, type Tier, type WalletV1, newId } from '@plimsoll/contracts';
import { type ReceivedEvent, kafkaConsumers } from '@plimsoll/event-bus';
import { type ChainEndpoint } from '@plimsoll/evm';
import { createTestDatabase, waitFor, ServiceHarness, type ServiceResponse } from '@plimsoll/testing';
import { AppModule } from '../src/app.module';
import { PositionsConfig } from '../src/config';

export type TestResponse<T> = Pick<ServiceResponse<T>, 'status' | 'body'>;

/** A new account of a tier; `more` changes its caps. */
export function identityOf(tier: Tier, more: Partial<Identity['limits']> = {}): Identity {
  const { wallets, webhooks } = TIER_LIMITS[tier];
  return {
    accountId: newId('acc'),
    keyId: newId('key'),
    tier,
    scopes: ['wallets:read', 'wallets:write', 'positions:read', 'analytics:read'],
    limits: { wallets, webhooks, ...more },
    requestId: newId('req'),
    issuedAt: 0,
  };
}

/** The service on the chains of a test. */
export class ServiceFixture extends ServiceHarness<PositionsConfig> {
  /** The events so far. */
  events: { positions: ReceivedEvent<PositionV1>[]; wallets: ReceivedEvent<WalletV1>[] } = {
    positions: [],
    wallets: [],
  };

  /** Prepares the service for a chain whose node does not respond. */
  static async withoutNode(): Promise<ServiceFixture> {
    return ServiceFixture.create([{ chainId: 1, rpcUrl: `http://127.0.0.1:${await findFreePort()}` }]);
  }

  /** Prepares the service for these chains. Nothing runs before `start`. */
  static async create(chains: ChainEndpoint[], registryOverlay = ''): Promise<ServiceFixture> {
    const fixture = new ServiceFixture(
      { module: AppModule, config: PositionsConfig, schema: 'positions', consumers: kafkaConsumers },
      await createTestDatabase(),
      {
        RPC_URL: { chains, problem: null },
        REGISTRY_OVERLAY: registryOverlay,
        BLOCK_POLL_INTERVAL_MS: 100,
        RPC_TIMEOUT_MS: 500,
        TRACKING_REFRESH_MS: 1_000,
        CHAIN_HEARTBEAT_MS: 1_000,
      },
    );
    fixture.events = {
      positions: (await fixture.collect('position.v1')).events,
      wallets: (await fixture.collect('wallet.v1')).events,
    };
    return fixture;
  }

  async call<T>(
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    url: string,
    as: Identity,
    body?: unknown,
  ): Promise<TestResponse<T>> {
    const response = await this.request<T>(method, url, { as, body });
    return { status: response.status, body: response.body };
  }

  /** The first position.v1 of a wallet, past or future, that matches. */
  waitForPosition(wallet: string, fits: (event: PositionV1) => boolean): Promise<PositionV1> {
    const { positions } = this.events;
    return waitFor(
      () => positions.find(({ value }) => value?.wallet === wallet.toLowerCase() && fits(value))?.value,
      { message: `a position.v1 of ${wallet} that fits; ${positions.length} events came` },
    );
  }

  /** A chain may be unavailable. */
  protected override async consume(app: NestFastifyApplication): Promise<void> {
    await app.startAllMicroservices();
    await waitFor(() => kafkaConsumers(app).health().ok, { message: 'the consumer is in its group' });
  }
}
