import { readAll, type Outcome } from '@plimsoll/evm';
import { decodeFunctionResult, encodeFunctionData, maxUint256, parseAbi, type Address, type Hex } from 'viem';
import type { RawLeg, RawPosition } from '../reader/raw-position';
import { readFunds } from '../verdicts/funds';
import {
  forEachOf,
  liquidationVerdict,
  type ReadVerdicts,
  type Verdict,
  type VerdictScope,
} from '../verdicts/verdict';
import { firstVersionAbi, fraxlendAbi } from './market';

const abi = parseAbi([
  'function toBorrowAmount(uint256 shares, bool roundUp, bool previewInterest) view returns (uint256)',
  'function toAssetAmount(uint256 shares, bool roundUp, bool previewInterest) view returns (uint256)',
  'function liquidate(uint128 shares, uint256 deadline, address borrower) returns (uint256)',
]);

/**
 * The amounts of the shares with interest, which pairs of the first version state after addInterest(), and whether a
 * liquidation succeeds where the sender can pay.
 */
export const fraxlendVerdicts: ReadVerdicts = async (scope, positions) => {
  const { block, simulation } = scope;
  const held = await readAll(scope, 'verdicts', block, (plan) =>
    positions.map(({ subId, wallet }) => ({
      shares: plan.call(subId as Address, fraxlendAbi, 'getUserSnapshot', [wallet]),
      asset: plan.call(subId as Address, fraxlendAbi, 'asset', []),
    })),
  );
  const amounts = await readAll(scope, 'amounts', block, (plan) =>
    positions.map(({ subId }, index) => {
      const [lent, borrowed] = held[index]!.shares;
      return {
        debt: plan.attempt(subId as Address, abi, 'toBorrowAmount', [borrowed, true, true]),
        supply: plan.attempt(subId as Address, abi, 'toAssetAmount', [lent, false, true]),
      };
    }),
  );
  const ofFirst = await forEachOf(
    positions.map(({ subId }, index) => ({ pair: subId as Address, held: held[index]!, ...amounts[index]! })),
    async ({ pair, held: { shares }, debt, supply }) =>
      debt.ok || supply.ok ? null : readOfFirstVersion(scope, pair, shares),
  );
  const funds = await readFunds(
    scope,
    positions.map(({ subId }, index) => ({ token: held[index]!.asset, spender: subId as Address })),
  );
  const repayments = positions.map((position, index) => {
    const canPay = position.totalDebtRaw > 0n && funds[index]! >= position.totalDebtRaw * 2n;
    return { position, shares: canPay ? held[index]!.shares[1] : null };
  });
  // Of a small debt a part may be no whole unit of the asset, and all of it more than the collateral.
  const liquidations = await forEachOf(repayments, async ({ position, shares }) => {
    if (shares === null) return null;
    for (const part of [shares, shares / 2n, shares / 100n]) {
      const to = position.subId as Address;
      const outcome = await simulation.inOrder([{ to, data: liquidation(part, position) }], block);
      if (outcome.ok) return true;
    }
    return false;
  });
  return positions.map((position, index): Verdict[] => {
    const [, , collateral] = held[index]!.shares;
    const { debt, supply } = ofFirst[index] ?? amounts[index]!;
    const succeeds = liquidations[index]!;
    const isSecured = ({ usedAsCollateral }: RawLeg): boolean => usedAsCollateral;
    const isLent = ({ side, usedAsCollateral }: RawLeg): boolean =>
      side === 'collateral' && !usedAsCollateral;
    return [
      { of: 'getUserSnapshot', computed: amountOf(position, isSecured), contract: collateral },
      ...(debt.ok ? [{ of: 'toBorrowAmount', computed: position.totalDebtRaw, contract: debt.value }] : []),
      ...(supply.ok
        ? [{ of: 'toAssetAmount', computed: amountOf(position, isLent), contract: supply.value }]
        : []),
      ...liquidationVerdict('liquidate', position, succeeds),
    ];
  });
};

/** The debt and the supply of shares after interest was added. */
async function readOfFirstVersion(
  { simulation, block }: VerdictScope,
  pair: Address,
  [lent, borrowed]: readonly bigint[],
): Promise<{ debt: Outcome<bigint>; supply: Outcome<bigint> }> {
  const accrual = {
    to: pair,
    data: encodeFunctionData({ abi: firstVersionAbi, functionName: 'addInterest' }),
  };
  const read = async (
    functionName: 'toBorrowAmount' | 'toAssetAmount',
    shares: bigint,
    roundUp: boolean,
  ): Promise<Outcome<bigint>> => {
    const data = encodeFunctionData({ abi: firstVersionAbi, functionName, args: [shares, roundUp] });
    const stated = await simulation.inOrder([accrual, { to: pair, data }], block);
    return stated.ok
      ? { ok: true, value: decodeFunctionResult({ abi: firstVersionAbi, functionName, data: stated.value }) }
      : stated;
  };
  const [debt, supply] = await Promise.all([
    read('toBorrowAmount', borrowed!, true),
    read('toAssetAmount', lent!, false),
  ]);
  return { debt, supply };
}

function amountOf({ legs }: RawPosition, counts: (leg: RawLeg) => boolean): bigint {
  return legs.filter(counts).reduce((sum, { amountRaw }) => sum + amountRaw, 0n);
}

function liquidation(shares: bigint, { wallet }: RawPosition): Hex {
  return encodeFunctionData({ abi, functionName: 'liquidate', args: [shares, maxUint256, wallet] });
}
