import { contractOf, lowerCase, optionalContractOf, readAll } from '@plimsoll/evm';
import {
  decodeFunctionResult,
  encodeFunctionData,
  parseAbi,
  zeroAddress,
  type Address,
  type Hex,
} from 'viem';
import { WAD } from '../fixed-point/math';
import { isLiquidatable, type RawLeg, type RawPosition } from '../reader/raw-position';
import { forEachOf, type ReadVerdicts, type Verdict, type VerdictScope } from '../verdicts/verdict';
import { liquidationsOf, type Market } from './liquidation-calls';

// An eth_call to the functions of balances accrues interest first.
const abi = parseAbi([
  'function getAllMarkets() view returns (address[])',
  'function underlying() view returns (address)',
  'function isDeprecated(address market) view returns (bool)',
  'function balanceOfUnderlying(address user) view returns (uint256)',
  'function borrowBalanceCurrent(address user) view returns (uint256)',
  'function accrueInterest() returns (uint256)',
  'function getAccountLiquidity(address user) view returns (uint256 errorCode, uint256 liquidity, uint256 shortfall)',
]);

/**
 * The balances that the markets return, getAccountLiquidity, and whether a liquidation succeeds where the sender can pay.
 * getAccountLiquidity takes stored balances, so it is read after an accrual of every market.
 */
export const compoundV2Verdicts: ReadVerdicts = async (scope, positions) => {
  const comptroller = contractOf(scope.row, 'comptroller');
  const markets = await readMarkets(scope, comptroller);
  const accruals = markets.map(({ market }) => ({
    to: market,
    data: encodeFunctionData({ abi, functionName: 'accrueInterest' }),
  }));
  const balances = await readAll(scope, 'verdicts', scope.block, (plan) =>
    positions.map(({ wallet }) =>
      markets.map(({ market }) => ({
        supplied: plan.call(market, abi, 'balanceOfUnderlying', [wallet]),
        borrowed: plan.call(market, abi, 'borrowBalanceCurrent', [wallet]),
      })),
    ),
  );
  const liquidities = await forEachOf(positions, async ({ wallet }) => {
    const data = encodeFunctionData({ abi, functionName: 'getAccountLiquidity', args: [wallet] });
    const result = await scope.simulation.inOrder([...accruals, { to: comptroller, data }], scope.block);
    return result.ok ? liquidityIn(result.value) : null;
  });
  const liquidations = await liquidationsOf(scope, markets, positions, balances);
  const outcomes = await forEachOf(liquidations, async (call) => {
    if (!call) return null;
    const result = await scope.simulation.inOrder([...accruals, call], scope.block);
    // Older markets return an error code where newer ones revert. Other contracts return nothing.
    return result.ok && (result.value === '0x' || BigInt(result.value) === 0n);
  });
  return positions.map((position, index): Verdict[] => {
    const sumOf = (underlying: Address, side: 'supplied' | 'borrowed'): bigint =>
      markets.reduce(
        (sum, market, at) => (market.underlying === underlying ? sum + balances[index]![at]![side] : sum),
        0n,
      );
    const assets = [...new Set(markets.map(({ underlying }) => underlying))];
    const amounts = assets.flatMap((asset): Verdict[] => [
      {
        of: 'balanceOfUnderlying',
        computed: amountIn(position, asset, 'collateral'),
        contract: sumOf(asset, 'supplied'),
      },
      {
        of: 'borrowBalanceCurrent',
        computed: amountIn(position, asset, 'debt'),
        contract: sumOf(asset, 'borrowed'),
      },
    ]);
    const [liquidated, succeeds] = [liquidations[index], outcomes[index]!];
    const isWoundDown = position.flags.includes('shutdown');
    const owesDeprecated = markets.some(
      (market, at) => market.isDeprecated && balances[index]![at]!.borrowed > 0n,
    );
    return [
      ...amounts,
      { of: 'isDeprecated', computed: isWoundDown, contract: owesDeprecated },
      ...verdictsOfLiquidity(position, liquidities[index]!),
      ...(liquidated
        ? [
            {
              of: liquidated.of,
              computed: isLiquidatable(position) || isWoundDown,
              contract: succeeds,
              isLiquidation: true as const,
            },
          ]
        : []),
    ];
  });
};

/** Weighted collateral minus debt, in dollars with 18 decimals. Null if the comptroller returns an error. */
function liquidityIn(data: Hex): bigint | null {
  const [errorCode, liquidity, shortfall] = decodeFunctionResult({
    abi,
    functionName: 'getAccountLiquidity',
    data,
  });
  return errorCode === 0n ? liquidity - shortfall : null;
}

/** The contract's health factor: its surplus plus the debt, over the debt. Debts are verified separately. */
function verdictsOfLiquidity(position: RawPosition, surplus: bigint | null): Verdict[] {
  const { totalDebtRaw: debt, healthFactorRaw } = position;
  const contract = surplus === null || debt === 0n ? null : ((surplus + debt) * WAD) / debt;
  return [
    { of: 'getAccountLiquidity', computed: healthFactorRaw, contract },
    { of: 'shortfall', computed: isLiquidatable(position), contract: surplus !== null && surplus < 0n },
  ];
}

function amountIn({ legs }: RawPosition, asset: Address, side: RawLeg['side']): bigint {
  return legs
    .filter((leg) => leg.address === asset && leg.side === side)
    .reduce((sum, { amountRaw }) => sum + amountRaw, 0n);
}

async function readMarkets(scope: VerdictScope, comptroller: Address): Promise<Market[]> {
  const { row, block } = scope;
  const listed = await readAll(scope, 'markets', block, (plan) =>
    plan.call(comptroller, abi, 'getAllMarkets', []),
  );
  const nativeMarket = optionalContractOf(row.contracts, 'nativeMarket');
  const found = await readAll(scope, 'underlyings', block, (plan) =>
    listed.map((market) => ({
      underlying: plan.attempt(market, abi, 'underlying', []),
      // Forks without the function have no such markets.
      deprecated: plan.attempt(comptroller, abi, 'isDeprecated', [market]),
    })),
  );
  return listed.map(lowerCase).flatMap((market, at): Market[] => {
    const { underlying, deprecated } = found[at]!;
    const isDeprecated = deprecated.ok && deprecated.value;
    if (market === nativeMarket) return [{ market, underlying: zeroAddress, isDeprecated }];
    return underlying.ok ? [{ market, underlying: lowerCase(underlying.value), isDeprecated }] : [];
  });
}
