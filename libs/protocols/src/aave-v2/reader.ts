import { lowerCase, planOf } from '@plimsoll/evm';
import { oracleAbi, poolAbi, providerAbi, tokenAbi } from '../aave-v3/abi';
import { toReserve } from '../aave-v3/market';
import { aaveV3 } from '../aave-v3/reader';
import { WAD } from '../fixed-point/math';
import { valueOrNull } from '../reader/read-each';
import { addUsdPrice } from '../reader/usd-price';
import { readLayout, v2PoolAbi } from './layout';

/** Decimals of an oracle in dollars. An oracle in ether has 18. */
const USD_DECIMALS = 8;

const { readAnnouncements: _ofGovernanceV3, ...shared } = aaveV3;

/**
 * Aave v2: v3 without e-modes and with another layout of its reserves. If its oracle is in ether, the asset
 * whose price is exactly one gives the price of ether.
 */
export const aaveV2: typeof aaveV3 = {
  ...shared,
  readLayout,

  async readMarket({ row, multicall, usdOracles }, layout, block) {
    const { pool, oracle, addressesProvider } = layout;
    const plan = planOf(row, 'reserves');
    const oracleSlot = plan.call(addressesProvider, providerAbi, 'getPriceOracle', []);
    const listSlot = plan.call(pool, poolAbi, 'getReservesList', []);
    const slots = layout.assets.map((asset) => ({
      asset,
      data: plan.call(pool, v2PoolAbi, 'getReserveData', [asset.address]),
      price: plan.call(oracle, oracleAbi, 'getAssetPrice', [asset.address]),
      source: plan.call(oracle, oracleAbi, 'getSourceOfAsset', [asset.address]),
      usd: addUsdPrice(plan, usdOracles, asset.address),
      stableSupply:
        asset.stableDebtToken && plan.call(asset.stableDebtToken, tokenAbi, 'getTotalSupplyAndAvgRate', []),
    }));
    const unit = 10n ** BigInt(layout.priceDecimals);
    return multicall.read(
      plan.build((results) => {
        const { value, outcome } = results;
        const isCurrent =
          lowerCase(value(oracleSlot)) === lowerCase(oracle) &&
          value(listSlot).length === layout.assets.length;
        if (!isCurrent) return null;
        const reserves = slots.map(({ asset, data, price, source, stableSupply }) => ({
          ...toReserve(asset, value(data), block, layout.revision),
          hasStableDebt: stableSupply !== null && value(stableSupply)[0] > 0n,
          price: valueOrNull(outcome(price)),
          priceSource: lowerCase(value(source)),
        }));
        const ether = slots.find(({ price }) => valueOrNull(outcome(price)) === unit);
        const usdPerBaseRaw = layout.priceDecimals === USD_DECIMALS ? WAD : ether ? ether.usd(results) : null;
        return { layout, block, reserves, eModes: new Map(), usdPerBaseRaw };
      }),
      block,
    );
  },
};
