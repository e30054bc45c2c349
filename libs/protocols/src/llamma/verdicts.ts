import { contractOf, lowerCase, readAll } from '@plimsoll/evm';
import { encodeFunctionData, parseAbi, type Address } from 'viem';
import { WAD } from '../fixed-point/math';
import { isLiquidatable, type RawPosition } from '../reader/raw-position';
import { readFunds } from '../verdicts/funds';
import {
  forEachOf,
  liquidationVerdict,
  type ReadVerdicts,
  type Verdict,
  type VerdictScope,
} from '../verdicts/verdict';

const abi = parseAbi([
  'struct Position { address user; uint256 x; uint256 y; uint256 debt; int256 health; }',
  'function amm() view returns (address)',
  'function coins(uint256 index) view returns (address)',
  'function get_sum_xy(address user) view returns (uint256[2])',
  'function debt(address user) view returns (uint256)',
  'function health(address user, bool full) view returns (int256)',
  'function users_to_liquidate() view returns (Position[])',
  'function liquidate(address user, uint256 min_x)',
]);

/**
 * The assets of a loan as its AMM states them, its debt and health, whether the controller lists it for liquidation, and
 * whether a liquidation succeeds where the sender can pay.
 */
export const llammaVerdicts: ReadVerdicts = async (scope, positions) => {
  const { block, simulation } = scope;
  const controllers = positions.map((position) => controllerOf(scope, position));
  const markets = await readMarkets(scope, [...new Set(controllers)]);
  const stated = await readAll(scope, 'verdicts', block, (plan) =>
    positions.map(({ wallet }, index) => {
      const controller = controllers[index]!;
      return {
        held: plan.call(markets.get(controller)!.amm, abi, 'get_sum_xy', [wallet]),
        debt: plan.call(controller, abi, 'debt', [wallet]),
        health: plan.call(controller, abi, 'health', [wallet, true]),
      };
    }),
  );
  const funds = await readFunds(
    scope,
    controllers.map((spender) => ({ token: markets.get(spender)!.borrowed, spender })),
  );
  const cases = positions.map((position, index) => {
    return { position, to: controllers[index]!, canPay: funds[index]! >= position.totalDebtRaw };
  });
  const liquidations = await forEachOf(cases, async ({ position, to, canPay }) => {
    if (!canPay) return null;
    const data = encodeFunctionData({ abi, functionName: 'liquidate', args: [position.wallet, 0n] });
    return (await simulation.inOrder([{ to, data }], block)).ok;
  });
  return positions.map((position, index): Verdict[] => {
    const { held, debt, health } = stated[index]!;
    const { borrowed, atRisk } = markets.get(controllers[index]!)!;
    const ofPair = (isBorrowed: boolean): bigint =>
      position.legs
        .filter(({ side, address }) => side === 'collateral' && (address === borrowed) === isBorrowed)
        .reduce((sum, { amountRaw }) => sum + amountRaw, 0n);
    return [
      { of: 'get_sum_xy: borrowed token', computed: ofPair(true), contract: held[0] },
      { of: 'get_sum_xy: collateral', computed: ofPair(false), contract: held[1] },
      { of: 'debt', computed: position.totalDebtRaw, contract: debt },
      { of: 'health', computed: position.healthFactorRaw! - WAD, contract: health },
      ...(atRisk
        ? [
            {
              of: 'users_to_liquidate',
              computed: isLiquidatable(position),
              contract: atRisk.has(position.wallet),
            },
          ]
        : []),
      ...liquidationVerdict('liquidate', position, liquidations[index]!),
    ];
  });
};

/** The sub-id of a loan of LlamaLend. A row of a mint market names its only controller. */
function controllerOf({ row }: VerdictScope, { subId }: RawPosition): Address {
  return subId === '' ? contractOf(row, 'controller') : (subId as Address);
}

/** `atRisk`: the borrowers whom the controller lists for liquidation. Null: it lists too many for one call. */
async function readMarkets(
  scope: VerdictScope,
  controllers: readonly Address[],
): Promise<Map<Address, { amm: Address; borrowed: Address; atRisk: ReadonlySet<Address> | null }>> {
  const { block } = scope;
  const found = await readAll(scope, 'markets', block, (plan) =>
    controllers.map((controller) => ({
      amm: plan.call(controller, abi, 'amm', []),
      atRisk: plan.attempt(controller, abi, 'users_to_liquidate', []),
    })),
  );
  const coins = await readAll(scope, 'coins', block, (plan) =>
    found.map(({ amm }) => plan.call(amm, abi, 'coins', [0n])),
  );
  return new Map(
    controllers.map((controller, index) => {
      const { amm, atRisk } = found[index]!;
      const users = atRisk.ok ? new Set(atRisk.value.map(({ user }) => lowerCase(user))) : null;
      return [controller, { amm, borrowed: lowerCase(coins[index]!), atRisk: users }];
    }),
  );
}
