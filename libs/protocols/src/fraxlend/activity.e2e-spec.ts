import { standIns } from '../../test/local-chain';
import { expectMoves, type Step } from '../../test/play-moves';
import { anna, ben, liquidator, usdOracleOf, callsOf, tokensOn } from '../../test/stand-in-calls';
import { useLocalChain } from '../../test/use-local-chain';

jest.setTimeout(60_000);

const WAD = 10n ** 18n;
const local = useLocalChain();
const token = tokensOn(local);

describe('fraxlend', () => {
  it.each(['FraxlendPairV1', 'FraxlendPairV2'])(
    'every action in a %s is found once, also in a pair that is added later',
    async (version) => {
      const { FraxlendRegistry, ...rest } = standIns();
      const [frax, weth] = [await token('FRAX', 18), await token('WETH', 18)];
      const registry = await local().deploy(FraxlendRegistry!);
      const pair = await local().deploy(rest[version]!, [frax, weth, WAD / 2_500n, 10n ** 24n]);
      const usdOracle = await usdOracleOf(local(), [[frax, 10n ** 8n]]);
      const call = callsOf(pair, version);
      const [lent, held] = [
        { wallet: anna, token: frax, subId: pair },
        { wallet: anna, token: weth, subId: pair },
      ];
      const steps: Step[] = [
        {
          call: { to: registry, abi: FraxlendRegistry!.abi, name: 'addPair', args: [pair], from: ben },
          moves: [],
        },
        {
          call: call(ben, 'deposit', 9n * WAD, anna),
          moves: [{ ...lent, action: 'supply', counterparty: ben, amountRaw: 9n * WAD }],
        },
        {
          call: call(anna, 'withdraw', WAD, ben, anna),
          moves: [{ ...lent, action: 'withdraw', counterparty: ben, amountRaw: WAD }],
        },
        {
          call: call(anna, 'addCollateral', 8n * WAD, anna),
          moves: [{ ...held, action: 'supply', amountRaw: 8n * WAD }],
        },
        {
          call: call(anna, 'borrowAsset', 700n, 3n, anna),
          moves: [
            { ...held, action: 'supply', amountRaw: 3n },
            { ...lent, action: 'borrow', amountRaw: 700n },
          ],
        },
        {
          call: call(ben, 'repayAsset', 100n, anna),
          moves: [{ ...lent, action: 'repay', counterparty: ben, amountRaw: 100n }],
        },
        {
          call: call(anna, 'removeCollateral', WAD, anna),
          moves: [{ ...held, action: 'withdraw', amountRaw: WAD }],
        },
        {
          call: call(liquidator, 'liquidate', 200n, 2n * WAD, anna),
          moves: [{ ...lent, action: 'liquidation', counterparty: liquidator, amountRaw: 200n }],
        },
      ];
      const market = { family: 'fraxlend', contracts: { registry }, usdOracles: [usdOracle] };
      const { usd } = await expectMoves(local(), market, steps);
      expect(await usd(frax, weth)).toEqual([WAD, null]);
    },
  );
});
