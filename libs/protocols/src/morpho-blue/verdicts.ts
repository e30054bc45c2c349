import { contractOf, lowerCase, readAll } from '@plimsoll/evm';
import { decodeFunctionResult, encodeFunctionData, parseAbi, type Hex } from 'viem';
import type { RawLeg, RawPosition } from '../reader/raw-position';
import { readFunds } from '../verdicts/funds';
import { forEachOf, liquidationVerdict, type ReadVerdicts, type Verdict } from '../verdicts/verdict';

const abi = parseAbi([
  'struct MarketParams { address loanToken; address collateralToken; address oracle; address irm; uint256 lltv; }',
  'function idToMarketParams(bytes32 id) view returns (MarketParams)',
  'function position(bytes32 id, address user) view returns (uint256 supplyShares, uint128 borrowShares, uint128 collateral)',
  'function repay(MarketParams params, uint256 assets, uint256 shares, address onBehalf, bytes data) returns (uint256 assetsRepaid, uint256 sharesRepaid)',
  'function liquidate(MarketParams params, address borrower, uint256 seizedAssets, uint256 repaidShares, bytes data) returns (uint256, uint256)',
]);

/**
 * The collateral that the contract has, and where the sender can pay: what repay takes for all shares of the debt, and
 * whether liquidate succeeds.
 */
export const morphoBlueVerdicts: ReadVerdicts = async (scope, positions) => {
  const { block, simulation } = scope;
  const morpho = contractOf(scope.row, 'morpho');
  const stored = await readAll(scope, 'verdicts', block, (plan) =>
    positions.map(({ wallet, subId }) => ({
      params: plan.call(morpho, abi, 'idToMarketParams', [subId as Hex]),
      held: plan.call(morpho, abi, 'position', [subId as Hex, wallet]),
    })),
  );
  const loans = [...new Set(stored.map(({ params }) => lowerCase(params.loanToken)))];
  const funds = await readFunds(
    scope,
    loans.map((token) => ({ token, spender: morpho })),
  );
  const call = async (data: Hex): Promise<Hex | null> => {
    const result = await simulation.inOrder([{ to: morpho, data }], block);
    return result.ok ? result.value : null;
  };
  const verdicts = await forEachOf([...positions.entries()], async ([index, position]) => {
    const { params, held } = stored[index]!;
    const [, shares] = held;
    const debt = amountOf(position, 'debt');
    if (shares === 0n || funds[loans.indexOf(lowerCase(params.loanToken))]! < debt) return [];
    const { wallet } = position;
    const repay = encodeFunctionData({
      abi,
      functionName: 'repay',
      args: [params, 0n, shares, wallet, '0x'],
    });
    // One share: a position without collateral has none to seize, and the smallest that has some can give this much.
    const liquidate = encodeFunctionData({
      abi,
      functionName: 'liquidate',
      args: [params, wallet, 0n, 1n, '0x'],
    });
    const [repaid, liquidated] = [await call(repay), await call(liquidate)];
    const owed = repaid && decodeFunctionResult({ abi, functionName: 'repay', data: repaid })[0];
    return [
      { of: 'repay', computed: debt, contract: owed },
      ...liquidationVerdict('liquidate', position, liquidated !== null),
    ];
  });
  return positions.map((position, index): Verdict[] => {
    const [, , collateral] = stored[index]!.held;
    return [
      { of: 'position.collateral', computed: securedBy(position), contract: collateral },
      ...verdicts[index]!,
    ];
  });
};

function amountOf({ legs }: RawPosition, side: RawLeg['side']): bigint {
  return legs.filter((leg) => leg.side === side).reduce((sum, { amountRaw }) => sum + amountRaw, 0n);
}

/** Without the supply of the loan token, which secures nothing. */
function securedBy({ legs }: RawPosition): bigint {
  return legs.filter((leg) => leg.usedAsCollateral).reduce((sum, { amountRaw }) => sum + amountRaw, 0n);
}
