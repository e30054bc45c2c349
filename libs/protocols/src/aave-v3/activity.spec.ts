import type { MinedLog } from '@plimsoll/evm';
import {
  type AbiEvent,
  type Address,
  type Hex,
  encodeAbiParameters,
  encodeEventTopics,
  parseAbiItem,
} from 'viem';
import { aaveV2Activity, aaveV3Activity } from './activity';
import type { ActivityFamily } from '../activity/activity-family';
import { type ActivityReader, activityReader } from '../activity/activity-reader';
import { compoundV2Activity, venusCoreActivity, venusIsolatedActivity } from '../compound-v2/activity';
import { morphoActivity } from '../morpho-blue/activity';

const address = (digit: string): Address => `0x${digit.repeat(40)}`;
const [alice, bob, carol] = [address('a'), address('b'), address('c')];
const [pool, token, asset, other] = [address('1'), address('2'), address('3'), address('4')];
const market = `0x${'7'.repeat(64)}` as const;
const block = { number: 1n, hash: `0x${'0'.repeat(64)}` as const, timestamp: 0n };

let index = 0;
/** A log as the contract would write it. */
function log(
  emitter: Address,
  signature: string,
  args: Record<string, unknown>,
  transaction = '1',
): MinedLog {
  const event = parseAbiItem(`event ${signature}` as 'event E()') as AbiEvent;
  const words = event.inputs.filter(({ indexed }) => !indexed);
  return {
    address: emitter,
    topics: encodeEventTopics({ abi: [event], args } as never) as Hex[],
    data: encodeAbiParameters(
      words,
      words.map(({ name }) => args[name ?? ''] ?? (0n as never)),
    ),
    blockNumber: '0x1',
    blockHash: block.hash,
    transactionHash: `0x${transaction.repeat(64)}`,
    logIndex: `0x${(index += 1).toString(16)}`,
  };
}

/** A reader over a market with known addresses, without a chain. */
async function readerOf<S>(family: ActivityFamily<S>, source: unknown): Promise<ActivityReader> {
  const row = { protocol: 'p', family: 'f', chainId: 1, market: 'm', contracts: {} };
  const known = { ...family, readSource: () => Promise.resolve(source as S) };
  const parts = { client: undefined as never, multicall: undefined as never, usdOracles: [] };
  const reader = activityReader(known, { row, ...parts }, 'ETH');
  await reader.open(block);
  return reader;
}

const aave = { pool, assetOf: new Map([[token, asset]]) };
const comptroller = {
  comptroller: pool,
  oracle: other,
  assetOf: new Map([
    [token, asset],
    [other, asset],
  ]),
};
const morpho = {
  morpho: pool,
  markets: new Map([[market, { loan: asset, collateral: other }]]),
};

const SUPPLY =
  'Supply(address indexed reserve, address user, address indexed onBehalfOf, uint256 amount, uint16 indexed referralCode)';
const WITHDRAW =
  'Withdraw(address indexed reserve, address indexed user, address indexed to, uint256 amount)';
const TRANSFER = 'Transfer(address indexed from, address indexed to, uint256 value)';
const CALL =
  'LiquidationCall(address indexed collateralAsset, address indexed debtAsset, address indexed user, uint256 debtToCover, uint256 liquidatedCollateralAmount, address liquidator, bool receiveAToken)';

describe('Aave v3', () => {
  it('reads a supply for another wallet, and skips the same event of an unknown contract', async () => {
    const reader = await readerOf(aaveV3Activity, aave);
    const args = { reserve: asset, user: bob, onBehalfOf: alice, amount: 5n, referralCode: 0 };
    expect(reader.read([log(pool, SUPPLY, args), log(carol, SUPPLY, args)]).activities).toMatchObject([
      { action: 'supply', wallet: alice, counterparty: bob, token: asset, amountRaw: 5n },
    ]);
  });

  it('counts a liquidation once, without the transfers to liquidator and treasury', async () => {
    const reader = await readerOf(aaveV3Activity, aave);
    const { activities } = reader.read([
      log(token, TRANSFER, { from: alice, to: bob, value: 9n }),
      log(token, TRANSFER, { from: alice, to: carol, value: 1n }),
      log(pool, CALL, {
        collateralAsset: asset,
        debtAsset: other,
        user: alice,
        debtToCover: 7n,
        liquidatedCollateralAmount: 10n,
        liquidator: bob,
        receiveAToken: true,
      }),
    ]);
    expect(activities).toMatchObject([
      { action: 'liquidation', wallet: alice, counterparty: bob, token: other, amountRaw: 7n },
    ]);
  });

  it('attributes a withdrawal through a gateway to its owner', async () => {
    const reader = await readerOf(aaveV3Activity, aave);
    const { activities } = reader.read([
      log(token, TRANSFER, { from: alice, to: carol, value: 4n }),
      log(pool, WITHDRAW, { reserve: asset, user: carol, to: carol, amount: 4n }),
    ]);
    expect(activities).toMatchObject([
      { action: 'withdraw', wallet: alice, counterparty: carol, amountRaw: 4n },
    ]);
  });

  it('counts a transfer in a separate transaction, but not minting and burning', async () => {
    const reader = await readerOf(aaveV3Activity, aave);
    const { activities } = reader.read([
      log(token, TRANSFER, { from: address('0'), to: alice, value: 3n }, '2'),
      log(token, TRANSFER, { from: alice, to: bob, value: 3n }, '3'),
      log(token, TRANSFER, { from: alice, to: address('0'), value: 3n }, '4'),
    ]);
    expect(activities).toMatchObject([
      { action: 'transfer', wallet: alice, counterparty: bob, token: asset },
    ]);
  });

  it('reads granted and withdrawn permissions of a position', async () => {
    const reader = await readerOf(aaveV3Activity, aave);
    const { permissions } = reader.read(
      ['PositionManagerApproved', 'PositionManagerRevoked'].map((name) =>
        log(pool, `${name}(address indexed user, address indexed positionManager)`, {
          user: alice,
          positionManager: bob,
        }),
      ),
    );
    expect(permissions).toMatchObject([
      { wallet: alice, delegate: bob, isGranted: true },
      { wallet: alice, delegate: bob, isGranted: false },
    ]);
  });
});

describe('Aave v2', () => {
  it.each([
    [
      'Deposit(address indexed reserve, address user, address indexed onBehalfOf, uint256 amount, uint16 indexed referral)',
      'supply',
      { onBehalfOf: alice, user: alice, referral: 0 },
    ],
    [
      'Borrow(address indexed reserve, address user, address indexed onBehalfOf, uint256 amount, uint256 borrowRateMode, uint256 borrowRate, uint16 indexed referral)',
      'borrow',
      { onBehalfOf: alice, user: alice, referral: 0 },
    ],
    [
      'Repay(address indexed reserve, address indexed user, address indexed repayer, uint256 amount)',
      'repay',
      { user: alice, repayer: alice },
    ],
    [WITHDRAW, 'withdraw', { user: alice, to: alice }],
  ])('reads %s', async (signature, action, args) => {
    const reader = await readerOf(aaveV2Activity, aave);
    expect(
      reader.read([log(pool, signature, { reserve: asset, amount: 8n, ...args })]).activities,
    ).toMatchObject([{ action, wallet: alice, counterparty: null, token: asset, amountRaw: 8n }]);
  });
});

describe('Morpho Blue', () => {
  it('reads the token of the market that a log names, and nothing of an unknown market', async () => {
    const reader = await readerOf(morphoActivity, morpho);
    const signature =
      'SupplyCollateral(bytes32 indexed id, address indexed caller, address indexed onBehalf, uint256 assets)';
    const args = { caller: bob, onBehalf: alice, assets: 6n };
    const { activities } = reader.read([
      log(pool, signature, { id: market, ...args }),
      log(pool, signature, { id: `0x${'8'.repeat(64)}`, ...args }),
    ]);
    expect(activities).toMatchObject([
      { action: 'supply', wallet: alice, counterparty: bob, token: other, amountRaw: 6n, subId: market },
    ]);
  });
});

const REPAY =
  'RepayBorrow(address payer, address borrower, uint256 repayAmount, uint256 accountBorrows, uint256 totalBorrows)';
const LIQUIDATE =
  'LiquidateBorrow(address liquidator, address borrower, uint256 repayAmount, address cTokenCollateral, uint256 seizeTokens)';

describe('Compound v2 and Venus', () => {
  it('counts a liquidation once, and a repayment beside it', async () => {
    const reader = await readerOf(compoundV2Activity, comptroller);
    const { activities } = reader.read([
      log(token, REPAY, { payer: bob, borrower: alice, repayAmount: 5n }),
      log(token, LIQUIDATE, { liquidator: bob, borrower: alice, repayAmount: 5n, cTokenCollateral: other }),
      log(token, REPAY, { payer: alice, borrower: alice, repayAmount: 2n }),
    ]);
    expect(activities).toMatchObject([
      { action: 'liquidation', wallet: alice, counterparty: bob, amountRaw: 5n },
      { action: 'repay', wallet: alice, counterparty: null, amountRaw: 2n },
    ]);
  });

  const indexed =
    'Mint(address indexed minter, uint256 mintAmount, uint256 mintTokens, uint256 accountBalance)';
  const plain = 'Mint(address minter, uint256 mintAmount, uint256 mintTokens, uint256 totalSupply)';

  it('reads the event with the same hash by its contract: indexed in isolated pools, not indexed in the core pool', async () => {
    const args = { minter: alice, mintAmount: 4n };
    const core = await readerOf(venusCoreActivity, comptroller);
    const isolated = await readerOf(venusIsolatedActivity, comptroller);
    const expected = [{ action: 'supply', wallet: alice, token: asset, amountRaw: 4n }];
    expect(core.read([log(token, plain, args)]).activities).toMatchObject(expected);
    expect(isolated.read([log(token, indexed, args)]).activities).toMatchObject(expected);
    expect(core.read([log(token, indexed, args)]).activities).toEqual([]);
    expect(isolated.read([log(token, plain, args)]).activities).toEqual([]);
  });

  it('names the payer of a mint for another wallet', async () => {
    const reader = await readerOf(venusCoreActivity, comptroller);
    const signature =
      'MintBehalf(address payer, address receiver, uint256 mintAmount, uint256 mintTokens, uint256 totalSupply)';
    expect(
      reader.read([log(token, signature, { payer: bob, receiver: alice, mintAmount: 1n })]).activities,
    ).toMatchObject([{ action: 'supply', wallet: alice, counterparty: bob }]);
  });
});
