import { contractOf, lowerCase, readAll } from '@plimsoll/evm';
import { encodeFunctionData, parseAbi } from 'viem';
import { isLiquidatable } from '../reader/raw-position';
import { forEachOf, type ReadVerdicts, type Verdict } from '../verdicts/verdict';
import { WAD } from '../fixed-point/math';
import { liquityV2Abi } from './layout';

const abi = parseAbi(['function batchLiquidateTroves(uint256[] troves)']);

/**
 * The amounts of each trove, its ratio at our price over the minimum of its branch, and whether a liquidation, which fetches
 * the price itself, succeeds.
 */
export const liquityV2Verdicts: ReadVerdicts = async (scope, positions) => {
  const { row, block, simulation } = scope;
  const registry = contractOf(row, 'collateralRegistry');
  const troves = positions.map(({ subId }) => {
    const [branch, id] = subId.split(':') as [string, string];
    return { branch: Number(branch), id: BigInt(id) };
  });
  const managers = await readAll(scope, 'trove managers', block, (plan) =>
    troves.map(({ branch }) => plan.call(registry, liquityV2Abi, 'getTroveManager', [BigInt(branch)])),
  );
  const operations = await readAll(scope, 'borrower operations', block, (plan) =>
    managers.map((manager) => plan.call(manager, liquityV2Abi, 'borrowerOperations', [])),
  );
  const priceOf = (index: number): bigint =>
    positions[index]!.legs.find(({ side }) => side === 'collateral')?.priceRaw ?? 0n;
  const stated = await readAll(scope, 'verdicts', block, (plan) =>
    troves.map(({ id }, index) => ({
      data: plan.call(managers[index]!, liquityV2Abi, 'getLatestTroveData', [id]),
      ratio: plan.call(managers[index]!, liquityV2Abi, 'getCurrentICR', [id, priceOf(index)]),
      minimum: plan.call(operations[index]!, liquityV2Abi, 'MCR', []),
    })),
  );
  const calls = troves.map(({ id }, index) => ({ to: lowerCase(managers[index]!), id }));
  const liquidations = await forEachOf(calls, async ({ to, id }) => {
    const data = encodeFunctionData({ abi, functionName: 'batchLiquidateTroves', args: [[id]] });
    return simulation.inOrder([{ to, data }], block);
  });
  return positions.map((position, index): Verdict[] => {
    const { data, ratio, minimum } = stated[index]!;
    const amountOf = (side: 'collateral' | 'debt'): bigint =>
      position.legs.find((leg) => leg.side === side)?.amountRaw ?? 0n;
    return [
      { of: 'entireDebt', computed: amountOf('debt'), contract: data.entireDebt },
      { of: 'entireColl', computed: amountOf('collateral'), contract: data.entireColl },
      {
        of: 'getCurrentICR',
        computed: position.healthFactorRaw,
        contract: data.entireDebt === 0n ? null : (ratio * WAD) / minimum,
      },
      {
        of: 'batchLiquidateTroves',
        computed: isLiquidatable(position),
        contract: liquidations[index]!.ok,
        isLiquidation: true,
      },
    ];
  });
};
