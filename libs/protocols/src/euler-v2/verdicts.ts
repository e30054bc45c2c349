import { contractOf, lowerCase, readAll } from '@plimsoll/evm';
import { encodeFunctionData, maxUint256, parseAbi, type Address } from 'viem';
import { WAD } from '../fixed-point/math';
import type { RawLeg, RawPosition } from '../reader/raw-position';
import { forEachOf, liquidationVerdict, type ReadVerdicts, type Verdict } from '../verdicts/verdict';
import { evcAbi, vaultAbi } from './abi';

const abi = parseAbi([
  'function accountLiquidity(address account, bool liquidation) view returns (uint256 collateralValue, uint256 liabilityValue)',
  'function enableController(address account, address vault)',
  'function liquidate(address violator, address collateral, uint256 repayAssets, uint256 minYieldBalance)',
]);

/** A loan with the shares that secure it. */
interface Loan {
  account: Address;
  controller: Address;
  collaterals: readonly Address[];
}

/**
 * The balances and debts of the vaults, accountLiquidity at liquidation prices, and whether a liquidation yields anything
 * where the sender has shares that secure its part of the debt.
 */
export const eulerV2Verdicts: ReadVerdicts = async (scope, positions) => {
  const { row, block, simulation } = scope;
  const evc = contractOf(row, 'evc');
  const enabled = await readAll(scope, 'accounts', block, (plan) => ({
    own: plan.call(evc, evcAbi, 'getCollaterals', [simulation.sender]),
    accounts: positions.map((position) => ({
      controllers: plan.call(evc, evcAbi, 'getControllers', [accountOf(position)]),
      collaterals: plan.call(evc, evcAbi, 'getCollaterals', [accountOf(position)]),
    })),
  }));
  const loans = positions.map((position, index): Loan | null => {
    const { controllers, collaterals } = enabled.accounts[index]!;
    const [controller] = controllers;
    return controller
      ? {
          account: accountOf(position),
          controller: lowerCase(controller),
          collaterals: collaterals.map(lowerCase),
        }
      : null;
  });
  const stated = await readAll(scope, 'verdicts', block, (plan) =>
    positions.map((_, index) => {
      const loan = loans[index];
      if (!loan) return null;
      return {
        liquidity: plan.call(loan.controller, abi, 'accountLiquidity', [loan.account, true]),
        debt: plan.call(loan.controller, vaultAbi, 'debtOf', [loan.account]),
        oracle: plan.call(loan.controller, vaultAbi, 'oracle', []),
        unit: plan.call(loan.controller, vaultAbi, 'unitOfAccount', []),
        shares: loan.collaterals.map((vault) => plan.call(vault, vaultAbi, 'balanceOf', [loan.account])),
      };
    }),
  );
  const values = await readAll(scope, 'values', block, (plan) =>
    loans.map((loan, index) => {
      const own = stated[index];
      if (!loan || !own) return [];
      return loan.collaterals.flatMap((vault, at) =>
        own.shares[at]! > 0n
          ? [
              {
                ltv: plan.call(loan.controller, vaultAbi, 'LTVLiquidation', [vault]),
                quote: plan.attempt(own.oracle, vaultAbi, 'getQuote', [own.shares[at]!, vault, own.unit]),
              },
            ]
          : [],
      );
    }),
  );
  const attempts = loans.map((loan, index) => ({ loan, stated: stated[index]! }));
  const liquidations = await forEachOf(attempts, async ({ loan, stated: own }) => {
    if (!loan || own.debt === 0n || enabled.own.length === 0) return null;
    const held = loan.collaterals.filter((_, index) => own.shares[index]! > 0n);
    if (held.length === 0) return null;
    const enable = encodeFunctionData({
      abi,
      functionName: 'enableController',
      args: [simulation.sender, loan.controller],
    });
    for (const collateral of held) {
      // A liquidation of a healthy account succeeds and yields nothing.
      const args = [loan.account, collateral, maxUint256, 1n] as const;
      const data = encodeFunctionData({ abi, functionName: 'liquidate', args });
      const calls = [
        { to: evc, data: enable },
        { to: loan.controller, data },
      ];
      if ((await simulation.inOrder(calls, block)).ok) return true;
    }
    return false;
  });
  return positions.map((position, index): Verdict[] => {
    const [loan, own] = [loans[index], stated[index]];
    if (!loan || !own) return [{ of: 'getControllers', computed: position.healthFactorRaw, contract: null }];
    const [collateral, liability] = own.liquidity;
    const sharesOf = (leg: RawLeg): boolean => leg.side === 'collateral' && leg.scaledRaw > 0n;
    const owed = position.legs.find(({ side }) => side === 'debt')?.amountRaw ?? 0n;
    const succeeds = liquidations[index]!;
    // The mid-point value of what counts, as LiquidityUtils takes it for liquidations.
    const value = values[index]!.reduce(
      (sum, { ltv, quote }) => (ltv > 0 && quote.ok ? sum + quote.value : sum),
      0n,
    );
    return [
      { of: 'getQuote', computed: position.totalCollateralRaw, contract: value },
      { of: 'debtOf', computed: owed, contract: own.debt },
      { of: 'accountLiquidity, liability', computed: position.totalDebtRaw, contract: liability },
      {
        of: 'accountLiquidity',
        computed: position.healthFactorRaw,
        contract: liability === 0n ? null : (collateral * WAD) / liability,
      },
      {
        of: 'balanceOf',
        computed:
          position.legs.filter(sharesOf).reduce((sum, { scaledRaw }) => sum + scaledRaw, 0n) >=
          own.shares.reduce((sum, shares) => sum + shares, 0n),
        contract: true,
      },
      ...liquidationVerdict('liquidate', position, succeeds),
    ];
  });
};

function accountOf({ wallet, subId }: RawPosition): Address {
  return `0x${(BigInt(wallet) ^ BigInt(subId)).toString(16).padStart(40, '0')}`;
}
