import { aaveV2Activity } from './activity';
import { alice, pool, token, asset, log, readerOf } from '../../test/decode-logs';

const aave = { pool, assetOf: new Map([[token, asset]]) };

const WITHDRAW =
  'Withdraw(address indexed reserve, address indexed user, address indexed to, uint256 amount)';

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
