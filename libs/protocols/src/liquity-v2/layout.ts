import {
  type BlockRef,
  PlanBuilder,
  readCall,
  type MarketRow,
  contractOf,
  lowerCase,
  optionalContractOf,
  subjectOf,
} from '@plimsoll/evm';
import type { Address } from 'viem';
import type { ReadScope } from '../reader/family';
import { readTokens, type Token } from '../reader/tokens';
import { liquityV2Abi as abi } from './abi';

/** One collateral with its own troves. `priceFeed` is null if the registry row names none. */
export interface Branch {
  troveManager: Address;
  troveNft: Address;
  sortedTroves: Address;
  priceFeed: Address | null;
  collateral: Token;
  minimumRatio: bigint;
}

/** The collateral registry with its branches. */
export interface LiquityV2Layout {
  registry: Address;
  debt: Token;
  branches: readonly Branch[];
}

/** The branches in the order of the collateral registry. @throws ChainReadError */
export async function readLiquityV2Layout(scope: ReadScope, block: BlockRef): Promise<LiquityV2Layout> {
  const { row, multicall } = scope;
  const registry = contractOf(row, 'collateralRegistry');
  const entry = new PlanBuilder(row.chainId, subjectOf(row, 'collateral registry'));
  const count = entry.add(readCall(registry, abi, 'totalCollaterals', []));
  const bold = entry.add(readCall(registry, abi, 'boldToken', []));
  const found = await multicall.read(
    entry.build(({ value }) => ({ count: Number(value(count)), debt: lowerCase(value(bold)) })),
    block,
  );
  const list = new PlanBuilder(row.chainId, subjectOf(row, 'branches'));
  const listed = Array.from({ length: found.count }, (_, index) => ({
    token: list.add(readCall(registry, abi, 'getToken', [BigInt(index)])),
    manager: list.add(readCall(registry, abi, 'getTroveManager', [BigInt(index)])),
  }));
  const managers = await multicall.read(
    list.build(({ value }) =>
      listed.map(({ token, manager }) => ({
        token: lowerCase(value(token)),
        troveManager: lowerCase(value(manager)),
      })),
    ),
    block,
  );
  const plan = new PlanBuilder(row.chainId, subjectOf(row, 'trove managers'));
  const slots = managers.map(({ troveManager }) => ({
    nft: plan.add(readCall(troveManager, abi, 'troveNFT', [])),
    sorted: plan.add(readCall(troveManager, abi, 'sortedTroves', [])),
    operations: plan.add(readCall(troveManager, abi, 'borrowerOperations', [])),
  }));
  const parts = await multicall.read(
    plan.build(({ value }) =>
      slots.map(({ nft, sorted, operations }) => ({
        troveNft: lowerCase(value(nft)),
        sortedTroves: lowerCase(value(sorted)),
        operations: lowerCase(value(operations)),
      })),
    ),
    block,
  );
  const ratios = new PlanBuilder(row.chainId, subjectOf(row, 'minimum ratios'));
  const ratioSlots = parts.map(({ operations }) => ratios.add(readCall(operations, abi, 'MCR', [])));
  const [minimums, [debt, ...collaterals]] = await Promise.all([
    multicall.read(
      ratios.build(({ value }) => ratioSlots.map(value)),
      block,
    ),
    readTokens(scope, [found.debt, ...managers.map(({ token }) => token)], block),
  ]);
  const branches = managers.map(({ troveManager }, index): Branch => {
    const { troveNft, sortedTroves } = parts[index]!;
    const priceFeed = priceFeedOf(row, troveManager);
    const [collateral, minimumRatio] = [collaterals[index]!, minimums[index]!];
    return { troveManager, troveNft, sortedTroves, priceFeed, collateral, minimumRatio };
  });
  return { registry, debt: debt!, branches };
}

/** No contract names the price feed of a branch: the row's `branches` do, by trove manager. */
function priceFeedOf({ contracts }: MarketRow, troveManager: Address): Address | null {
  const branches = (contracts['branches'] ?? []) as readonly Record<string, unknown>[];
  const own = branches.find((branch) => optionalContractOf(branch, 'troveManager') === troveManager);
  return own ? optionalContractOf(own, 'priceFeed') : null;
}
