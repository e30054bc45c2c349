import {
  planOf,
  type BlockRef,
  PlanBuilder,
  type MarketRow,
  contractOf,
  lowerCase,
  optionalContractOf,
  type CallResults,
} from '@plimsoll/evm';
import { type Address, parseAbi, toEventSelector } from 'viem';
import type { ReadScope } from '../reader/family';
import { readToken, type Token } from '../reader/tokens';

export const liquityV2Abi = parseAbi([
  'struct LatestTrove { uint256 entireDebt; uint256 entireColl; uint256 redistBoldDebtGain; uint256 redistCollGain; uint256 accruedInterest; uint256 recordedDebt; uint256 annualInterestRate; uint256 weightedRecordedDebt; uint256 accruedBatchManagementFee; uint256 lastInterestRateAdjTime; }',
  'function totalCollaterals() view returns (uint256)',
  'function getToken(uint256 index) view returns (address)',
  'function getTroveManager(uint256 index) view returns (address)',
  'function boldToken() view returns (address)',
  'function troveNFT() view returns (address)',
  'function borrowerOperations() view returns (address)',
  'function sortedTroves() view returns (address)',
  'function shutdownTime() view returns (uint256)',
  'function lastZombieTroveId() view returns (uint256)',
  'function getLatestTroveData(uint256 troveId) view returns (LatestTrove)',
  'function getUnbackedPortionPriceAndRedeemability() view returns (uint256 unbacked, uint256 price, bool redeemable)',
  'function getCurrentICR(uint256 troveId, uint256 price) view returns (uint256)',
  'function getEntireBranchColl() view returns (uint256)',
  'function getEntireBranchDebt() view returns (uint256)',
  'function MCR() view returns (uint256)',
  'function getLast() view returns (uint256)',
  'function fetchPrice() view returns (uint256 price, bool failed)',
  'function ownerOf(uint256 troveId) view returns (address)',
]);

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
  const entry = planOf(row, 'collateral registry');
  const count = entry.call(registry, liquityV2Abi, 'totalCollaterals', []);
  const bold = entry.call(registry, liquityV2Abi, 'boldToken', []);
  const found = await multicall.read(
    entry.build(({ value }) => ({ count: Number(value(count)), debt: lowerCase(value(bold)) })),
    block,
  );
  const list = planOf(row, 'branches');
  const listed = Array.from({ length: found.count }, (_, index) => ({
    token: list.call(registry, liquityV2Abi, 'getToken', [BigInt(index)]),
    manager: list.call(registry, liquityV2Abi, 'getTroveManager', [BigInt(index)]),
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
  const plan = planOf(row, 'trove managers');
  const slots = managers.map(({ troveManager }) => ({
    nft: plan.call(troveManager, liquityV2Abi, 'troveNFT', []),
    sorted: plan.call(troveManager, liquityV2Abi, 'sortedTroves', []),
    operations: plan.call(troveManager, liquityV2Abi, 'borrowerOperations', []),
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
  const ratios = planOf(row, 'minimum ratios');
  const ratioSlots = parts.map(({ operations }) => ratios.call(operations, liquityV2Abi, 'MCR', []));
  const [minimums, [debt, ...collaterals]] = await Promise.all([
    multicall.read(
      ratios.build(({ value }) => ratioSlots.map(value)),
      block,
    ),
    Promise.all(
      [found.debt, ...managers.map(({ token }) => token)].map((each) => readToken(scope, each, block)),
    ),
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

// fetchPrice() and getUnbackedPortionPriceAndRedeemability() store the values that they return. An eth_call
// returns the values that the block's transactions get.

/** The transfer of a trove NFT. */
export const TRANSFER = toEventSelector('Transfer(address,address,uint256)');

/**
 * Adds the reads of a branch's price (wad, dollars). Null if the feed fails, or, without a feed, the branch.
 */
export function addBranchPrice(
  plan: PlanBuilder,
  troveManager: Address,
  priceFeed: Address | null,
): (results: CallResults) => bigint | null {
  if (!priceFeed) {
    const slot = plan.call(troveManager, liquityV2Abi, 'getUnbackedPortionPriceAndRedeemability', []);
    return ({ outcome }) => {
      const result = outcome(slot);
      return result.ok ? result.value[1] : null;
    };
  }
  const slot = plan.call(priceFeed, liquityV2Abi, 'fetchPrice', []);
  return ({ outcome }) => {
    const result = outcome(slot);
    return result.ok ? result.value[0] : null;
  };
}
