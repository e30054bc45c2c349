import { compoundV2Activity, venusCoreActivity, venusIsolatedActivity } from './activity';
import { alice, bob, pool, token, asset, other, log, readerOf } from '../../test/decode-logs';

const comptroller = {
  comptroller: pool,
  oracle: other,
  assetOf: new Map([
    [token, asset],
    [other, asset],
  ]),
};

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
