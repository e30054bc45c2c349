import type { ParameterName } from '@plimsoll/contracts';
import { lowerCase, readAll } from '@plimsoll/evm';
import { type Address, type Hex, decodeFunctionData, formatUnits, parseAbi } from 'viem';
import { NO_ANNOUNCEMENTS } from '../reader/announcements';
import type { ReadAnnouncements } from '../reader/family';
import { type QueuedValue, announcementsOf, readTimelock } from '../reader/timelock';
import type { CometAccount, CometAsset, CometMarket } from './market';

const abi = parseAbi([
  'function governor() view returns (address)',
  'function getPrice(address priceFeed) view returns (uint256)',
]);

/** Functions of the Configurator that set a parameter of one asset. */
const configuratorAbi = parseAbi([
  'struct AssetConfig { address asset; address priceFeed; uint8 decimals; uint64 borrowCollateralFactor; uint64 liquidateCollateralFactor; uint64 liquidationFactor; uint128 supplyCap; }',
  'function updateAsset(address cometProxy, AssetConfig newAssetConfig)',
  'function updateAssetPriceFeed(address cometProxy, address asset, address newPriceFeed)',
  'function updateAssetBorrowCollateralFactor(address cometProxy, address asset, uint64 newBorrowCF)',
  'function updateAssetLiquidateCollateralFactor(address cometProxy, address asset, uint64 newLiquidateCF)',
  'function updateAssetSupplyCap(address cometProxy, address asset, uint128 newSupplyCap)',
]);

type Settings = Partial<
  Pick<CometAsset, 'priceFeed' | 'borrowCollateralFactor' | 'liquidateCollateralFactor' | 'supplyCap'>
>;

/** The parameter that each setting is, and how it is written. */
const PARAMETERS: Readonly<
  Record<keyof Settings, { parameter: ParameterName; text: (value: bigint | Address) => string }>
> = {
  liquidateCollateralFactor: {
    parameter: 'liquidation_threshold',
    text: (value) => formatUnits(value as bigint, 18),
  },
  borrowCollateralFactor: { parameter: 'max_ltv', text: (value) => formatUnits(value as bigint, 18) },
  priceFeed: { parameter: 'oracle', text: String },
  supplyCap: { parameter: 'supply_cap', text: String },
};

/** Calls of the Configurator in the timelock that governs the comet. The Configurator is whatever such a call names. */
export const readCometAnnouncements: ReadAnnouncements<CometMarket, CometAccount> = async (scope, market) => {
  const { layout, block } = market;
  const { governor } = await readAll(scope, 'governor', block, (plan) => ({
    governor: plan.call(layout.comet, abi, 'governor', []),
  }));
  const timelock = await readTimelock(scope, lowerCase(governor), block);
  if (timelock === null) return NO_ANNOUNCEMENTS;
  const feeds = timelock.calls.flatMap(
    ({ data }) => assetSettings(layout.comet, data)?.settings.priceFeed ?? [],
  );
  const prices = await readAll(scope, 'prices of announced oracles', block, (plan) =>
    [...new Set(feeds)].map((feed) => ({ feed, price: plan.attempt(layout.comet, abi, 'getPrice', [feed]) })),
  );
  const priceOf = new Map(prices.map(({ feed, price }) => [feed, price.ok ? price.value : null]));
  return announcementsOf(timelock, market, ({ data }) => {
    const found = assetSettings(layout.comet, data);
    return found === null ? [] : queuedValues(market, found, priceOf);
  });
};

/** Null for another call, and for one about another comet. */
function assetSettings(comet: Address, data: Hex): { asset: Address; settings: Settings } | null {
  let call: ReturnType<typeof decodeFunctionData<typeof configuratorAbi>>;
  try {
    call = decodeFunctionData({ abi: configuratorAbi, data });
  } catch {
    return null;
  }
  if (lowerCase(call.args[0]) !== comet) return null;
  switch (call.functionName) {
    case 'updateAsset': {
      const { asset, priceFeed, borrowCollateralFactor, liquidateCollateralFactor, supplyCap } = call.args[1];
      const factors = { borrowCollateralFactor, liquidateCollateralFactor, supplyCap };
      return { asset: lowerCase(asset), settings: { priceFeed: lowerCase(priceFeed), ...factors } };
    }
    case 'updateAssetPriceFeed':
      return { asset: lowerCase(call.args[1]), settings: { priceFeed: lowerCase(call.args[2]) } };
    case 'updateAssetBorrowCollateralFactor':
      return { asset: lowerCase(call.args[1]), settings: { borrowCollateralFactor: call.args[2] } };
    case 'updateAssetLiquidateCollateralFactor':
      return { asset: lowerCase(call.args[1]), settings: { liquidateCollateralFactor: call.args[2] } };
    case 'updateAssetSupplyCap':
      return { asset: lowerCase(call.args[1]), settings: { supplyCap: call.args[2] } };
  }
}

function queuedValues(
  { layout, assets }: CometMarket,
  { asset, settings }: { asset: Address; settings: Settings },
  priceOf: ReadonlyMap<Address, bigint | null>,
): QueuedValue<CometMarket>[] {
  const at = layout.addresses.indexOf(asset);
  const known = assets[at];
  // An asset that the comet does not list yet has no positions.
  if (!known?.token) return [];
  const { symbol } = known.token;
  return (Object.keys(settings) as (keyof Settings)[]).map((setting) => {
    const { parameter, text } = PARAMETERS[setting];
    const to = settings[setting]!;
    const price = setting === 'priceFeed' ? (priceOf.get(to as Address) ?? null) : known.price;
    return {
      token: asset,
      symbol,
      value: { parameter, from: text(known[setting]), to: text(to) },
      apply:
        price === null
          ? null
          : (market) => ({
              ...market,
              assets: market.assets.map((each, index) =>
                index === at ? { ...each, [setting]: to, ...(setting === 'priceFeed' && { price }) } : each,
              ),
            }),
    };
  });
}
