import { aaveV3Activity } from './activity';
import { address, alice, bob, carol, pool, token, asset, other, log, readerOf } from '../../test/decode-logs';

const aave = { pool, assetOf: new Map([[token, asset]]) };

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
