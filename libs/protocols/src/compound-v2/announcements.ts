import { type BlockRef, lowerCase, readAll } from '@plimsoll/evm';
import { type Address, type Hex, decodeFunctionData, formatUnits, parseAbi } from 'viem';
import { type AnnouncedChange, type Announcements, NO_ANNOUNCEMENTS } from '../reader/announcements';
import type { AnnouncementScope } from '../reader/family';
import { type QueuedValue, announcementsOf, readTimelock } from '../reader/timelock';
import type { Token } from '../reader/tokens';

const abi = parseAbi(['function admin() view returns (address)', 'function owner() view returns (address)']);
const comptrollerAbi = parseAbi([
  'function _setCollateralFactor(address market, uint256 newFactor)',
  'function setCollateralFactor(address market, uint256 newFactor, uint256 newThreshold)',
]);

interface ThresholdMarket {
  layout: { comptroller: Address; assets: readonly { market: Address; underlying: Token | null }[] };
  block: BlockRef;
  states: ReadonlyMap<Address, { threshold: bigint }>;
}

/** Collateral factors in the timelock that administers the comptroller. */
export async function readCompoundAnnouncements<Market extends ThresholdMarket, Account>(
  scope: AnnouncementScope,
  market: Market,
): Promise<Announcements<AnnouncedChange<Market, Account>>> {
  const { comptroller } = market.layout;
  const { admin, owner } = await readAll(scope, 'admin', market.block, (plan) => ({
    admin: plan.attempt(comptroller, abi, 'admin', []),
    owner: plan.attempt(comptroller, abi, 'owner', []),
  }));
  const named = admin.ok ? admin.value : owner.ok ? owner.value : null;
  const timelock = named && (await readTimelock(scope, lowerCase(named), market.block));
  if (!timelock) return NO_ANNOUNCEMENTS;
  return announcementsOf(timelock, market, ({ target, data }) =>
    target === comptroller ? queuedThresholds(market, data) : [],
  );
}

function queuedThresholds<Market extends ThresholdMarket>(
  { layout, states }: Market,
  data: Hex,
): QueuedValue<Market>[] {
  let call: ReturnType<typeof decodeFunctionData<typeof comptrollerAbi>>;
  try {
    call = decodeFunctionData({ abi: comptrollerAbi, data });
  } catch {
    return [];
  }
  const address = lowerCase(call.args[0]);
  const to = call.functionName === 'setCollateralFactor' ? call.args[2] : call.args[1];
  const asset = layout.assets.find(({ market }) => market === address);
  const state = states.get(address);
  if (!asset?.underlying || !state) return [];
  return [
    {
      token: lowerCase(asset.underlying.address),
      symbol: asset.underlying.symbol,
      value: {
        parameter: 'liquidation_threshold',
        from: formatUnits(state.threshold, 18),
        to: formatUnits(to, 18),
      },
      apply: (market) => {
        const known = market.states.get(address)!;
        return { ...market, states: new Map(market.states).set(address, { ...known, threshold: to }) };
      },
    },
  ];
}
