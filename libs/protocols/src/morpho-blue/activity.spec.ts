import { morphoActivity } from './activity';
import { alice, bob, pool, asset, other, market, log, readerOf } from '../../test/decode-logs';

const morpho = { morpho: pool, markets: new Map([[market, { loan: asset, collateral: other }]]) };

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
