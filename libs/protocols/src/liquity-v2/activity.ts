import { planOf, type MinedLog, lowerCase } from '@plimsoll/evm';
import type { Address } from 'viem';
import { WAD } from '../fixed-point/math';
import { liquityV2Abi, readLiquityV2Layout, addBranchPrice } from './layout';
import type { Activity } from '../activity/activity';
import type { ActivityFamily, ActivityScope } from '../activity/activity-family';
import { EventTable } from '../activity/event-table';
import { uintAt } from '../activity/log-words';
import {
  NFT_TRANSFER,
  type NftOwners,
  isNftTransfer,
  nftKey,
  nftTransfer,
  readNftOwners,
} from '../activity/nft-owners';
import { movedNfts, type NftAmounts, nftMoves } from '../activity/nft-moves';
import { type Senders, readSenders, withLiquidator } from '../activity/transaction-senders';

/** Operations of other wallets than the owner. */
const [LIQUIDATE, REDEEM] = [5n, 6n];
const OPERATION = { word: 0 };

const [DEBT, COLLATERAL] = [{ of: 'loan' }, { of: 'collateral' }] as const;
const TROVE = { ownerOf: '_troveId' };
const events = new EventTable({
  'event TroveOperation(uint256 indexed _troveId, uint8 _operation, uint256 _annualInterestRate, uint256 _debtIncreaseFromRedist, uint256 _debtIncreaseFromUpfrontFee, int256 _debtChangeFromOperation, uint256 _collIncreaseFromRedist, int256 _collChangeFromOperation)':
    [
      {
        action: 'supply',
        wallet: TROVE,
        amount: '_collChangeFromOperation',
        sign: 'positive',
        token: COLLATERAL,
      },
      { action: 'repay', wallet: TROVE, amount: '_debtChangeFromOperation', sign: 'negative', token: DEBT },
      { action: 'borrow', wallet: TROVE, amount: '_debtChangeFromOperation', sign: 'positive', token: DEBT },
      {
        action: 'withdraw',
        wallet: TROVE,
        amount: '_collChangeFromOperation',
        sign: 'negative',
        token: COLLATERAL,
      },
    ],
});

interface Troves {
  debt: Address;
  branches: readonly {
    troveManager: Address;
    troveNft: Address;
    collateral: Address;
    priceFeed: Address | null;
  }[];
  /** Owners in the range that was read last. */
  owners: NftOwners;
  amounts: NftAmounts;
  /** Senders of its liquidations, whose logs do not name the liquidator. */
  senders: Senders;
}

/** Liquity v2 and its forks: one row is a collateral registry. A sub-id is `<branch>:<trove id>`. */
export const liquityV2Activity: ActivityFamily<Troves> = {
  events,
  noticeTopics: [NFT_TRANSFER],
  readSource: async (scope, block) => {
    const { debt, branches } = await readLiquityV2Layout({ ...scope, nativeCurrency: '' }, block);
    return {
      debt: debt.address,
      branches: branches.map((branch) => ({ ...branch, collateral: branch.collateral.address })),
      owners: new Map(),
      amounts: new Map(),
      senders: new Map(),
    };
  },
  addressesOf: ({ branches }) => branches.flatMap(({ troveManager, troveNft }) => [troveManager, troveNft]),
  learn: async (scope, source, logs, block) => {
    const named: { nft: Address; id: bigint; log: MinedLog }[] = [];
    for (const log of logs) {
      const nft = branchOf(source, log)?.troveNft;
      if (nft)
        events.read(log, {
          tokenOf: () => null,
          ownerOf: (id) => (named.push({ nft, id: BigInt(id), log }), null),
        });
    }
    const owners = await readNftOwners(scope, named, logs, block);
    const liquidations = logs.filter((log) => isOperation(log) && uintAt(log, OPERATION) === LIQUIDATE);
    return {
      ...source,
      owners,
      amounts: await readAmounts(scope, source, logs, block),
      senders: await readSenders(scope.client, liquidations),
    };
  },
  tokenOf: (source, of, log) => (of === 'loan' ? source.debt : (branchOf(source, log)?.collateral ?? null)),
  ownerOf: (source, key, log) => {
    const branch = branchOf(source, log);
    const id = BigInt(key);
    const wallet = branch && source.owners.get(nftKey({ nft: branch.troveNft, id, log }));
    return wallet ? { wallet, subId: subIdOf(source, log, id) } : null;
  },
  compose: (source, logs) =>
    nftMoves(logs, source.amounts, (log, id) => {
      const branch = branchOf(source, log);
      return branch ? { token: branch.collateral, subId: subIdOf(source, log, id) } : null;
    }),
  settle: ({ senders }, activities) =>
    activities.flatMap((each) => {
      const own = ofOperation(each);
      return own ? [withLiquidator(own, senders)] : [];
    }),
  addUsdPrice: (plan, _scope, { debt, branches }, token) => {
    if (token === debt) return () => WAD;
    const branch = branches.find(({ collateral }) => collateral === token);
    return branch ? addBranchPrice(plan, branch.troveManager, branch.priceFeed) : () => null;
  },
};

function branchOf({ branches }: Troves, { address }: MinedLog): Troves['branches'][number] | undefined {
  const emitter = lowerCase(address);
  return branches.find(({ troveManager, troveNft }) => emitter === troveManager || emitter === troveNft);
}

function subIdOf(source: Troves, log: MinedLog, id: bigint): string {
  return `${source.branches.indexOf(branchOf(source, log)!)}:${id}`;
}

const isOperation = ({ topics }: MinedLog): boolean => events.topics.includes(topics[0]!);

/** Another wallet causes a redemption, so it is omitted. For a liquidation the debt counts. */
function ofOperation(activity: Activity): Activity | null {
  if (isNftTransfer(activity.log)) return activity;
  const operation = uintAt(activity.log, OPERATION);
  if (operation === REDEEM) return null;
  if (operation !== LIQUIDATE) return activity;
  return activity.action === 'repay' ? { ...activity, action: 'liquidation' } : null;
}

/** Reads the collateral of troves whose NFT was given away. */
function readAmounts(
  scope: ActivityScope,
  source: Troves,
  logs: readonly MinedLog[],
  head: Parameters<typeof readNftOwners>[3],
): Promise<NftAmounts> {
  const { row, multicall } = scope;
  return movedNfts(
    multicall,
    logs,
    head,
    (log) => branchOf(source, log) !== undefined,
    (moved) => {
      const plan = planOf(row, 'troves that were given away');
      const slots = moved.map((log) =>
        plan.call(branchOf(source, log)!.troveManager, liquityV2Abi, 'getLatestTroveData', [
          nftTransfer(log).id,
        ]),
      );
      return plan.build(({ outcome }) =>
        slots.map((slot) => {
          const data = outcome(slot);
          return data.ok ? { ok: true, value: data.value.entireColl } : data;
        }),
      );
    },
  );
}
