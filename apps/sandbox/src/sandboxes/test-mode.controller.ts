import { Body, Controller, Get, HttpCode, Post } from '@nestjs/common';
import {
  AdvanceClockBody,
  type Identity,
  PROBLEM_CONTENT_TYPE,
  Problem,
  ShockBody,
  TEST_WHALES,
  TestClock,
  TestMarket,
  TestReset,
  TestShock,
  TestWhaleBody,
  TestWhaleMove,
  checksumAddress,
  invalidRequest,
  isTestAccount,
  problemBody,
} from '@plimsoll/contracts';
import { ASSETS, assetListing, seededWallets } from '@plimsoll/devnet';
import { Documented } from '@plimsoll/openapi';
import {
  CurrentIdentity,
  CurrentRequest,
  Idempotency,
  type IdempotentRequest,
  type StoredResponse,
  currentCorrelation,
} from '@plimsoll/service-kit';
import type { MarketAction } from '../market/market-action';
import { TEST_CHAIN_ID } from '../market/test-chain';
import { Deadline } from './deadline';
import { Refusal } from './problems';
import { Sandboxes } from './sandboxes';
import { MOST_ACTIONS, SandboxesRepository } from './sandboxes.repository';

const WALLETS = seededWallets().map(({ address, plan: { label, healthFactor } }) => ({
  address: checksumAddress(address),
  label,
  startHealthFactor: healthFactor,
}));

@Controller('v1/test')
export class TestModeController {
  constructor(
    private readonly sandboxes: Sandboxes,
    private readonly repository: SandboxesRepository,
    private readonly idempotency: Idempotency,
  ) {}

  @Get('market')
  @Documented({
    operationId: 'getTestMarket',
    tag: 'Sandbox',
    summary: 'The test market of the account',
    description:
      'Its clock, prices, wallets and whales. The first request of an account starts its market, which takes some seconds. Every account has the same market at its start.',
    responses: [{ status: 200, description: 'The market.', schema: TestMarket }],
  })
  async market(@CurrentIdentity() { accountId }: Identity): Promise<TestMarket> {
    const [startedAt, clock, prices, actions] = await this.sandboxes.read(
      testAccount(accountId),
      ({ chain, startedAt }) =>
        Promise.all([startedAt, chain.clock(), chain.prices(), this.repository.count(accountId)]),
    );
    return {
      ...clock,
      chainId: TEST_CHAIN_ID,
      startedAt: startedAt.toISOString(),
      actions,
      mostActions: MOST_ACTIONS,
      assets: [...prices].map(([asset, priceUsd]) => ({ asset, priceUsd })),
      wallets: WALLETS,
      whales: [...TEST_WHALES],
    };
  }

  @Get('clock')
  @Documented({
    operationId: 'getTestClock',
    tag: 'Sandbox',
    summary: 'Clock of the test market',
    description: 'The time of its newest block. It does not run between two actions.',
    responses: [{ status: 200, description: 'The clock.', schema: TestClock }],
  })
  async clock(@CurrentIdentity() { accountId }: Identity): Promise<TestClock> {
    return this.sandboxes.read(testAccount(accountId), ({ chain }) => chain.clock());
  }

  @Post('clock')
  @HttpCode(200)
  @Documented({
    operationId: 'advanceTestClock',
    tag: 'Sandbox',
    summary: 'Move the clock of the test market forward',
    description:
      'Adds a block at the new time. Interest accrues until then. Waiting times of the service, such as those between two attempts of a delivery, stay in real time.',
    responses: [{ status: 200, description: 'The clock afterwards.', schema: TestClock }],
    idempotent: true,
  })
  advance(
    @CurrentRequest() call: IdempotentRequest,
    @Body() { advanceSeconds }: AdvanceClockBody,
  ): Promise<TestClock> {
    return this.act(call, { kind: 'clock', advanceSeconds });
  }

  @Post('shock')
  @HttpCode(200)
  @Documented({
    operationId: 'shockTestMarket',
    tag: 'Sandbox',
    summary: 'Change a price of the test market',
    description:
      'Sets a new price in the price feed of the market. Positions, alerts, webhooks and streams follow as in a live market.',
    responses: [{ status: 200, description: 'The new price.', schema: TestShock }],
    idempotent: true,
  })
  shock(
    @CurrentRequest() call: IdempotentRequest,
    @Body() { asset, priceChangePercent }: ShockBody,
  ): Promise<TestShock> {
    return this.act(call, { kind: 'shock', asset: listed(asset), priceChangePercent });
  }

  @Post('whale')
  @HttpCode(200)
  @Documented({
    operationId: 'moveTestWhale',
    tag: 'Sandbox',
    summary: 'Let a whale act on the test market',
    description:
      'A large wallet supplies, withdraws, borrows or repays, by a transaction. A transaction that reverts is a 409.',
    responses: [{ status: 200, description: 'The act.', schema: TestWhaleMove }],
    idempotent: true,
  })
  whale(
    @CurrentRequest() call: IdempotentRequest,
    @Body() { whale, action, asset, amount }: TestWhaleBody,
  ): Promise<TestWhaleMove> {
    return this.act(call, { kind: 'whale', whale, action, asset: listed(asset), amount });
  }

  @Post('reset')
  @HttpCode(200)
  @Documented({
    operationId: 'resetTestMarket',
    tag: 'Sandbox',
    summary: 'Begin a new test market',
    description:
      'Removes the market of the account with all its test data: wallets, alerts, webhooks and events. The next request starts a new one. Keys stay.',
    responses: [{ status: 200, description: 'The market is removed.', schema: TestReset }],
    idempotent: true,
  })
  reset(@CurrentRequest() call: IdempotentRequest): Promise<TestReset> {
    return this.once(call, async (accountId, deadline) => {
      await this.sandboxes.reset(accountId, deadline);
      return { success: true };
    });
  }

  private act<T>(call: IdempotentRequest, action: MarketAction): Promise<T> {
    return this.once(
      call,
      async (accountId, deadline) => (await this.sandboxes.act(accountId, action, deadline)) as T,
    );
  }

  /** Does the work, or returns the response to an earlier request with the same Idempotency-Key. */
  private async once<T>(
    call: IdempotentRequest,
    work: (accountId: string, deadline: Deadline) => Promise<T>,
  ): Promise<T> {
    const [accountId, deadline] = [testAccount(call.accountId), new Deadline()];
    return this.idempotency.respond(call, async (commit) => {
      const response = await work(accountId, deadline).then(
        (body) => ({ status: 200, body }),
        (error: unknown) => refusalOf<T>(error, call.path),
      );
      return commit(() => Promise.resolve(response));
    });
  }
}

/** The response to an action that the market refused, which a request with the same key must not repeat. @throws any other error */
function refusalOf<T>(error: unknown, path: string): StoredResponse<T> {
  if (!(error instanceof Refusal)) throw error;
  const body = problemBody(error, path, currentCorrelation().requestId ?? '');
  return { status: error.status, headers: { 'content-type': PROBLEM_CONTENT_TYPE }, body: body as T };
}

/** @throws Problem test_key_required: the gateway sends no other, and a live account must never have a market */
function testAccount(accountId: string): string {
  if (isTestAccount(accountId)) return accountId;
  throw new Problem(
    'test_key_required',
    'This endpoint moves a test market. Use a key that begins with psk_test_.',
  );
}

/** The symbol of the market. @throws Problem invalid_request */
function listed(asset: string): string {
  try {
    return assetListing(asset).symbol;
  } catch {
    const message = `asset must be one of ${ASSETS.map(({ symbol }) => symbol).join(', ')}`;
    throw invalidRequest([{ field: 'asset', code: 'unknown_asset', message }]);
  }
}
