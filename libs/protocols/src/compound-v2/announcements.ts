import { NO_CAP, type ParameterValue } from '@plimsoll/contracts';
import { type BlockRef, type Outcome, lowerCase, readAll } from '@plimsoll/evm';
import { type Address, type Hex, decodeFunctionData, formatUnits, maxUint256, parseAbi } from 'viem';
import { type AnnouncedChange, type Announcements, NO_ANNOUNCEMENTS } from '../reader/announcements';
import type { AnnouncementScope } from '../reader/family';
import { valueOrNull } from '../reader/read-each';
import { type QueuedValue, announcementsOf, readTimelock } from '../reader/timelock';
import type { Token } from '../reader/tokens';

const abi = parseAbi([
  'function admin() view returns (address)',
  'function owner() view returns (address)',
  'function supplyCaps(address market) view returns (uint256)',
  'function borrowCaps(address market) view returns (uint256)',
  'function getUnderlyingPrice(address market) view returns (uint256)',
]);
/** Functions that set a parameter. Those with an underscore are Compound's, the others those of isolated pools. */
const comptrollerAbi = parseAbi([
  'function _setCollateralFactor(address market, uint256 newFactor)',
  'function setCollateralFactor(address market, uint256 newFactor, uint256 newThreshold)',
  'function _setPriceOracle(address newOracle)',
  'function setPriceOracle(address newOracle)',
  'function _setMarketSupplyCaps(address[] markets, uint256[] newCaps)',
  'function setMarketSupplyCaps(address[] markets, uint256[] newCaps)',
  'function _setMarketBorrowCaps(address[] markets, uint256[] newCaps)',
  'function setMarketBorrowCaps(address[] markets, uint256[] newCaps)',
]);

/** The parameters that a call of the comptroller sets. */
type Setting =
  | { kind: 'threshold'; market: Address; to: bigint }
  | { kind: 'oracle'; to: Address }
  | {
      kind: 'caps';
      parameter: 'supply_cap' | 'borrow_cap';
      caps: readonly { market: Address; to: bigint }[];
      /** The number that means no cap. */
      none: bigint;
    };

interface ThresholdMarket {
  layout: {
    comptroller: Address;
    oracle: Address;
    assets: readonly { market: Address; underlying: Token | null }[];
  };
  block: BlockRef;
  states: ReadonlyMap<Address, { threshold: bigint; price: bigint | null }>;
}

/** Values on the chain that the queued settings would change. */
interface Present {
  caps: ReadonlyMap<Address, Record<'supply_cap' | 'borrow_cap', Outcome<bigint>>>;
  /** The prices that announced oracles state, by oracle and market. */
  prices: ReadonlyMap<string, bigint | null>;
}

/** Collateral factors, caps and oracles in the timelock that administers the comptroller. */
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
  const settings = timelock.calls.flatMap(({ target, data }) =>
    target === comptroller ? (settingOf(data) ?? []) : [],
  );
  const present = await readPresent(scope, market, settings);
  return announcementsOf(timelock, market, ({ target, data }) => {
    const setting = target === comptroller ? settingOf(data) : null;
    return setting === null ? [] : queuedValues(market, setting, present);
  });
}

/** Null for another call. */
function settingOf(data: Hex): Setting | null {
  let call: ReturnType<typeof decodeFunctionData<typeof comptrollerAbi>>;
  try {
    call = decodeFunctionData({ abi: comptrollerAbi, data });
  } catch {
    return null;
  }
  switch (call.functionName) {
    case '_setCollateralFactor':
      return { kind: 'threshold', market: lowerCase(call.args[0]), to: call.args[1] };
    case 'setCollateralFactor':
      return { kind: 'threshold', market: lowerCase(call.args[0]), to: call.args[2] };
    case '_setPriceOracle':
    case 'setPriceOracle':
      return { kind: 'oracle', to: lowerCase(call.args[0]) };
    default: {
      const [markets, caps] = call.args;
      if (markets.length !== caps.length) return null;
      return {
        kind: 'caps',
        parameter: call.functionName.endsWith('SupplyCaps') ? 'supply_cap' : 'borrow_cap',
        caps: markets.map((market, at) => ({ market: lowerCase(market), to: caps[at]! })),
        none: call.functionName.startsWith('_') ? 0n : maxUint256,
      };
    }
  }
}

async function readPresent(
  scope: AnnouncementScope,
  { layout: { comptroller, assets }, block }: ThresholdMarket,
  settings: readonly Setting[],
): Promise<Present> {
  const capped = settings.flatMap((each) => (each.kind === 'caps' ? each.caps : []));
  const oracles = settings.flatMap((each) => (each.kind === 'oracle' ? [each.to] : []));
  const [caps, prices] = await Promise.all([
    readAll(scope, 'caps', block, (plan) =>
      [...new Set(capped.map(({ market }) => market))].map((market) => ({
        market,
        supply_cap: plan.attempt(comptroller, abi, 'supplyCaps', [market]),
        borrow_cap: plan.attempt(comptroller, abi, 'borrowCaps', [market]),
      })),
    ),
    readAll(scope, 'prices of announced oracles', block, (plan) =>
      [...new Set(oracles)].flatMap((oracle) =>
        assets.map(({ market }) => ({
          key: keyOf(oracle, market),
          price: plan.attempt(oracle, abi, 'getUnderlyingPrice', [market]),
        })),
      ),
    ),
  ]);
  return {
    caps: new Map(caps.map(({ market, ...each }) => [market, each])),
    // An oracle states 0 for a price that it does not know.
    prices: new Map(prices.map(({ key, price }) => [key, valueOrNull(price) || null])),
  };
}

const keyOf = (oracle: Address, market: Address): string => `${oracle} ${market}`;

function queuedValues<Market extends ThresholdMarket>(
  { layout, states }: Market,
  setting: Setting,
  { caps, prices }: Present,
): QueuedValue<Market>[] {
  /** Nothing for a market that is not read. */
  const valueOf = (
    address: Address,
    value: ParameterValue,
    apply: QueuedValue<Market>['apply'],
  ): QueuedValue<Market>[] => {
    const underlying = layout.assets.find(({ market }) => market === address)?.underlying;
    if (!underlying || !states.has(address)) return [];
    return [{ token: lowerCase(underlying.address), symbol: underlying.symbol, value, apply }];
  };
  switch (setting.kind) {
    case 'threshold': {
      const { market: address, to } = setting;
      const from = states.get(address)?.threshold ?? 0n;
      const value = {
        parameter: 'liquidation_threshold',
        from: formatUnits(from, 18),
        to: formatUnits(to, 18),
      } as const;
      return valueOf(address, value, withState(address, { threshold: to }));
    }
    case 'oracle':
      return [...states].flatMap(([address, { price: known }]) => {
        const price = prices.get(keyOf(setting.to, address)) ?? null;
        const isUnknown = price === null && known !== null;
        const value = { parameter: 'oracle', from: layout.oracle, to: setting.to } as const;
        return valueOf(address, value, isUnknown ? null : withState(address, { price }));
      });
    case 'caps':
      return setting.caps.flatMap(({ market: address, to }) => {
        const { parameter, none } = setting;
        const present = caps.get(address)?.[parameter];
        if (!present?.ok) return [];
        const textOf = (cap: bigint): string => (cap === none ? NO_CAP : String(cap));
        const value = { parameter, from: textOf(present.value), to: textOf(to) };
        return valueOf(address, value, (market) => market);
      });
  }
}

/** The market with another value of one of its states. */
const withState =
  <Market extends ThresholdMarket>(
    address: Address,
    change: Partial<{ threshold: bigint; price: bigint | null }>,
  ) =>
  (market: Market): Market => ({
    ...market,
    states: new Map(market.states).set(address, { ...market.states.get(address)!, ...change }),
  });
