import { Body, Controller, Get, HttpCode, Post } from '@nestjs/common';
import {
  AdvanceClockBody,
  type Identity,
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
} from '@plimsoll/contracts';
import { ASSETS, assetListing, seededWallets } from '@plimsoll/devnet';
import { Documented } from '@plimsoll/openapi';
import { CurrentIdentity } from '@plimsoll/service-kit';
import { TEST_CHAIN_ID } from '../market/test-chain';
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
    const { chain, startedAt } = await this.sandboxes.use(testAccount(accountId));
    const [clock, prices, actions] = await Promise.all([
      chain.clock(),
      chain.prices(),
      this.repository.count(accountId),
    ]);
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
    return (await this.sandboxes.use(testAccount(accountId))).chain.clock();
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
    errors: ['conflict'],
  })
  advance(
    @CurrentIdentity() { accountId }: Identity,
    @Body() { advanceSeconds }: AdvanceClockBody,
  ): Promise<TestClock> {
    return this.sandboxes.act(testAccount(accountId), { kind: 'clock', advanceSeconds });
  }

  @Post('shock')
  @HttpCode(200)
  @Documented({
    operationId: 'shockTestMarket',
    tag: 'Sandbox',
    summary: 'Change a price of the test market',
    description:
      'Sets a new price in the price feed of the market. Positions, alerts, webhooks and streams follow as in a live market. Sent twice, it acts twice.',
    responses: [{ status: 200, description: 'The new price.', schema: TestShock }],
    errors: ['conflict'],
  })
  async shock(
    @CurrentIdentity() { accountId }: Identity,
    @Body() { asset, priceChangePercent }: ShockBody,
  ): Promise<TestShock> {
    const action = { kind: 'shock', asset: listed(asset), priceChangePercent } as const;
    return (await this.sandboxes.act(testAccount(accountId), action)) as TestShock;
  }

  @Post('whale')
  @HttpCode(200)
  @Documented({
    operationId: 'moveTestWhale',
    tag: 'Sandbox',
    summary: 'Let a whale act on the test market',
    description:
      'A large wallet supplies, withdraws, borrows or repays, by a transaction. A transaction that reverts is a 409. Sent twice, it acts twice.',
    responses: [{ status: 200, description: 'The act.', schema: TestWhaleMove }],
    errors: ['conflict'],
  })
  async whale(
    @CurrentIdentity() { accountId }: Identity,
    @Body() { whale, action, asset, amount }: TestWhaleBody,
  ): Promise<TestWhaleMove> {
    const act = { kind: 'whale', whale, action, asset: listed(asset), amount } as const;
    return (await this.sandboxes.act(testAccount(accountId), act)) as TestWhaleMove;
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
  })
  async reset(@CurrentIdentity() { accountId }: Identity): Promise<TestReset> {
    await this.sandboxes.reset(testAccount(accountId));
    return { success: true };
  }
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
