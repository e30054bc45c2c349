import { IsIn, IsInt, IsNumber, IsString, Matches, Max, Min } from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import { Example, Field, TIMESTAMP, WALLET } from '../fields';

const HASH = '0x8e38b4dbf6b11fcc3b9dee84fb7986e29ca0a02cecd8977c161ff7333329681e';
const MOMENT = { now: TIMESTAMP, block: 46 };
const ACT = { ...MOMENT, transactionHash: HASH };
const MOST_ADVANCE_SECONDS = 31_536_000;

/** Acts of a whale of the test market. */
export const TEST_WHALE_ACTIONS = ['supply', 'withdraw', 'borrow', 'repay'] as const;
export type TestWhaleAction = (typeof TEST_WHALE_ACTIONS)[number];

/** Wallets of the test market that act on command. */
export const TEST_WHALES = ['orca-1', 'orca-2', 'orca-3', 'beluga-1', 'beluga-2', 'narwhal'] as const;
export type TestWhale = (typeof TEST_WHALES)[number];

/** Body of POST /v1/test/clock. */
@Example({ advanceSeconds: 86_400 })
export class AdvanceClockBody {
  @JSONSchema({ description: 'Seconds by which the clock of the market moves forward: at most a year.' })
  @IsInt()
  @Min(1)
  @Max(MOST_ADVANCE_SECONDS)
  advanceSeconds!: number;
}

/** Body of POST /v1/test/shock. */
@Example({ asset: 'ETH', priceChangePercent: -30 })
export class ShockBody {
  @JSONSchema({ description: 'Symbol of an asset of the test market, in any case.' })
  @IsString()
  @Matches(/^[A-Za-z0-9]{2,12}$/, { message: 'asset must be the symbol of an asset' })
  asset!: string;

  @JSONSchema({ description: 'Change of its price in percent: -30 is a fall by 30 %.' })
  @IsNumber()
  @Min(-99)
  @Max(1_000)
  priceChangePercent!: number;
}

/** Body of POST /v1/test/whale. */
@Example({ whale: 'narwhal', action: 'supply', asset: 'ETH', amount: '400' })
export class TestWhaleBody {
  @JSONSchema({ description: 'The wallet that acts.' })
  @IsIn(TEST_WHALES)
  whale!: TestWhale;

  @JSONSchema({ description: 'Its act on its position.' })
  @IsIn(TEST_WHALE_ACTIONS)
  action!: TestWhaleAction;

  @JSONSchema({ description: 'Symbol of an asset of the test market, in any case.' })
  @IsString()
  @Matches(/^[A-Za-z0-9]{2,12}$/, { message: 'asset must be the symbol of an asset' })
  asset!: string;

  @JSONSchema({ description: 'Amount in whole tokens, as a decimal number.' })
  @IsString()
  @Matches(/^(?!0+(\.0+)?$)[0-9]{1,12}(\.[0-9]{1,18})?$/, { message: 'amount must be a number above 0' })
  amount!: string;
}

/** Response of GET and POST /v1/test/clock. */
@Example(MOMENT)
export class TestClock {
  @Field.Timestamp('Time of the market: that of its newest block.') now!: string;
  @Field.Integer('Number of its newest block.', { min: 0 }) block!: number;
}

/** Response of POST /v1/test/shock. */
@Example({ asset: 'WETH', priceUsd: 2_100, ...ACT })
export class TestShock extends TestClock {
  @Field.Text('The asset, as the market names it.') asset!: string;
  @Field.Usd('Its new price.', { above: 0 }) priceUsd!: number;
  @Field.Text('Transaction of the new price.', { pattern: '^0x[0-9a-f]{64}$' }) transactionHash!: string;
}

/** Response of POST /v1/test/whale. */
@Example({ wallet: WALLET, action: 'supply', asset: 'WETH', amount: '400', ...ACT })
export class TestWhaleMove extends TestClock {
  @Field.Address('The wallet that acted.') wallet!: string;
  @Field.Word(TEST_WHALE_ACTIONS, 'What it did.') action!: TestWhaleAction;
  @Field.Text('The asset, as the market names it.') asset!: string;
  @Field.Text('Amount in whole tokens.') amount!: string;
  @Field.Text('Transaction of the act.', { pattern: '^0x[0-9a-f]{64}$' }) transactionHash!: string;
}

class TestWallet {
  @Field.Address('A wallet with a position.') address!: string;
  @Field.Text('What its position shows.') label!: string;
  @Field.Number('Health factor at the start of the market. Null: the position has no debt.', {
    nullable: true,
  })
  startHealthFactor!: number | null;
}

class TestAsset {
  @Field.Text('The asset, as the market names it.') asset!: string;
  @Field.Usd('Price at the newest block.', { above: 0 }) priceUsd!: number;
}

/** Response of GET /v1/test/market. */
@Example({
  ...MOMENT,
  chainId: 1,
  startedAt: TIMESTAMP,
  actions: 2,
  mostActions: 500,
  assets: [{ asset: 'WETH', priceUsd: 3_000 }],
  wallets: [{ address: WALLET, label: 'one collateral and one debt', startHealthFactor: 1.05 }],
  whales: ['narwhal'],
})
export class TestMarket extends TestClock {
  @Field.Integer('Id of its chain.', { min: 1 }) chainId!: number;
  @Field.Timestamp('Time of the market at its start.') startedAt!: string;
  @Field.Integer('Number of recorded actions. They restore a stopped market.', { min: 0 }) actions!: number;
  @Field.Integer('Most actions until a reset.', { min: 1 }) mostActions!: number;
  @Field.Object(() => TestAsset, 'Assets with their prices.', { list: true }) assets!: TestAsset[];
  @Field.Object(() => TestWallet, 'Wallets with positions, to watch.', { list: true }) wallets!: TestWallet[];
  @Field.Word(TEST_WHALES, 'Wallets that act on command.', { list: true }) whales!: TestWhale[];
}

/** Response of POST /v1/test/reset. */
@Example({ success: true })
export class TestReset {
  @Field.Boolean('Always true.') success!: boolean;
}
