import type { Address } from 'viem';
import { standIns, type Call } from '../../test/local-chain';
import { expectMoves, type Step } from '../../test/play-moves';
import { anna, ben, liquidator, callsOf, tokensOn } from '../../test/stand-in-calls';
import { useLocalChain } from '../../test/use-local-chain';

jest.setTimeout(60_000);

const WAD = 10n ** 18n;
const local = useLocalChain();
const token = tokensOn(local);

describe('silo-v2', () => {
  it("every action is found once, also in a market that is created later; a hook's actions are the liquidation", async () => {
    const { Silo, SiloFactory, SiloMarket, SiloOracle } = standIns();
    const [weth, usdc] = [await token('WETH', 18), await token('USDC', 6)];
    const oracle = await local().deploy(SiloOracle!, [usdc]);
    const factory = await local().deploy(SiloFactory!);
    const add = async () => {
      const silos = [
        await local().deploy(Silo!, [weth, oracle, (WAD * 8n) / 10n]),
        await local().deploy(Silo!, [usdc, `0x${'0'.repeat(40)}`, 0n]),
      ] as const;
      const market = await local().deploy(SiloMarket!, silos);
      const call: Call = { to: factory, abi: SiloFactory!.abi, name: 'add', args: [market] };
      return { silos, market, call };
    };
    await local().send([(await add()).call]);
    const { silos, market, call: added } = await add();
    const [hook] = (await local().readMany(
      [{ to: market, abi: SiloMarket!.abi, name: 'hook' }],
      await local().head(),
    )) as [Address];
    const [ether, dollars] = [callsOf(silos[0], 'Silo'), callsOf(silos[1], 'Silo')];
    const [held, owed] = [
      { wallet: anna, token: weth, subId: '101' },
      { wallet: anna, token: usdc, subId: '101' },
    ];
    const steps: Step[] = [
      { call: added, moves: [] },
      {
        call: ether(ben, 'deposit', 9n * WAD, anna, false),
        moves: [{ ...held, action: 'supply', counterparty: ben, amountRaw: 9n * WAD }],
      },
      {
        call: ether(anna, 'deposit', WAD, anna, true),
        moves: [{ ...held, action: 'supply', amountRaw: WAD }],
      },
      {
        call: dollars(anna, 'borrow', 7_000n, ben, anna),
        moves: [{ ...owed, action: 'borrow', counterparty: ben, amountRaw: 7_000n }],
      },
      {
        call: dollars(ben, 'repay', 1_000n, anna),
        moves: [{ ...owed, action: 'repay', counterparty: ben, amountRaw: 1_000n }],
      },
      {
        call: ether(anna, 'withdraw', 3n, anna, anna, false),
        moves: [{ ...held, action: 'withdraw', amountRaw: 3n }],
      },
      {
        call: ether(anna, 'withdraw', 4n, ben, anna, true),
        moves: [{ ...held, action: 'withdraw', counterparty: ben, amountRaw: 4n }],
      },
      {
        call: callsOf(hook.toLowerCase() as Address, 'SiloHook')(
          liquidator,
          'liquidationCall',
          silos[1],
          silos[0],
          anna,
          500n,
          6n,
        ),
        moves: [{ ...owed, action: 'liquidation', counterparty: liquidator, amountRaw: 500n }],
      },
    ];
    await expectMoves(local(), { family: 'silo-v2', contracts: { factory } }, steps);
  });
});
