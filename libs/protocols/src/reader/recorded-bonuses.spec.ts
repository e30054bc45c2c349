import { contractOf, lowerCase, readAll, type BlockRef } from '@plimsoll/evm';
import { parseAbi, stringToHex, type Address } from 'viem';
import { openRecording } from '../../test/open-recording';
import { eulerAccountOf } from '../euler-v2/math';
import type { ReadScope } from './family';
import type { RawLeg, RawPosition } from './raw-position';

// Written from the sources of the protocols, and not those of the readers.
const abi = parseAbi([
  'struct SiloConfig { uint256 daoFee; uint256 deployerFee; address silo; address token; address protectedShareToken; address collateralShareToken; address debtShareToken; address solvencyOracle; address maxLtvOracle; address interestRateModel; uint256 maxLtv; uint256 lt; uint256 liquidationTargetLtv; uint256 liquidationFee; uint256 flashloanFee; address hookReceiver; bool callBeforeQuote; }',
  'function idToSiloConfig(uint256 id) view returns (address)',
  'function getSilos() view returns (address silo0, address silo1)',
  'function getConfig(address silo) view returns (SiloConfig)',
  'function gem(bytes32 ilk) view returns (address)',
  'function ilks(bytes32 ilk) view returns (address clip, uint256 chop, uint256 hole, uint256 dirt)',
  'struct Tokens { address token0; address token1; }',
  'struct Constants { address liquidity; address factory; address operateImplementation; address adminImplementation; address secondaryImplementation; address deployer; address supply; address borrow; Tokens supplyToken; Tokens borrowToken; uint256 vaultId; uint256 vaultType; bytes32 supplyExchangePriceSlot; bytes32 borrowExchangePriceSlot; bytes32 userSupplySlot; bytes32 userBorrowSlot; }',
  'struct Configs { uint16 supplyRateMagnifier; uint16 borrowRateMagnifier; uint16 collateralFactor; uint16 liquidationThreshold; uint16 liquidationMaxLimit; uint16 withdrawalGap; uint16 liquidationPenalty; uint16 borrowFee; }',
  'function vaultByNftId(uint256 nftId) view returns (address)',
  'function getVaultEntireData(address vault) view returns (address vault, bool isSmartCol, bool isSmartDebt, Constants constants, Configs configs)',
  'function cleanLiquidationFee() view returns (uint256)',
  'function getControllers(address account) view returns (address[])',
  'function maxLiquidationDiscount() view returns (uint16)',
  'struct Reserve { address underlying; address hub; uint16 assetId; uint8 decimals; uint24 collateralRisk; uint8 flags; uint32 dynamicConfigKey; }',
  'struct UserPosition { uint120 drawnShares; uint120 premiumShares; int200 premiumOffsetRay; uint120 suppliedShares; uint32 dynamicConfigKey; }',
  'struct DynamicConfig { uint16 collateralFactor; uint32 maxLiquidationBonus; uint16 liquidationFee; }',
  'function getReserveCount() view returns (uint256)',
  'function getReserve(uint256 reserveId) view returns (Reserve)',
  'function getUserPosition(uint256 reserveId, address user) view returns (UserPosition)',
  'function getDynamicReserveConfig(uint256 reserveId, uint32 dynamicConfigKey) view returns (DynamicConfig)',
]);

interface Secured {
  position: RawPosition;
  leg: RawLeg;
}

/** The bonus that the contracts state for each collateral, in basis points. */
type ReadBonuses = (scope: ReadScope, block: BlockRef, secured: readonly Secured[]) => Promise<number[]>;

const ofWad = (wad: bigint): number => Math.round(Number(wad) / 1e14);

const silo: ReadBonuses = async (scope, block, secured) => {
  const factory = contractOf(scope.row, 'factory');
  const markets = await readAll(scope, 'markets', block, (plan) =>
    secured.map(({ position }) => plan.call(factory, abi, 'idToSiloConfig', [BigInt(position.subId)])),
  );
  const silos = await readAll(scope, 'silos', block, (plan) =>
    markets.map((market) => plan.call(market, abi, 'getSilos', [])),
  );
  const configs = await readAll(scope, 'configs', block, (plan) =>
    markets.map((market, at) => silos[at]!.map((each) => plan.call(market, abi, 'getConfig', [each]))),
  );
  return secured.map(({ leg }, at) =>
    ofWad(configs[at]!.find(({ token }) => lowerCase(token) === leg.address)!.liquidationFee),
  );
};

/** The ilks of the scenario. The registry has removed the last one. */
const ILKS = ['CRVV1ETHSTETH-A', 'ETH-A', 'ETH-B', 'LSE-MKR-A', 'LSEV2-SKY-A', 'WBTC-A', 'RETIRED-A'].map(
  (name) => stringToHex(name, { size: 32 }),
);

const maker: ReadBonuses = async ({ row, ...scope }, block, secured) => {
  const stated = await readAll({ row, ...scope }, 'ilks', block, (plan) =>
    ILKS.map((ilk) => ({
      gem: plan.call(contractOf(row, 'ilkRegistry'), abi, 'gem', [ilk]),
      ilk: plan.call(contractOf(row, 'dog'), abi, 'ilks', [ilk]),
    })),
  );
  return secured.map(({ leg }) => {
    const [, chop] = stated.find(({ gem }) => lowerCase(gem) === leg.address)!.ilk;
    return ofWad(chop) - 10_000;
  });
};

const fluid: ReadBonuses = async (scope, block, secured) => {
  const resolver = contractOf(scope.row, 'vaultResolver');
  const vaults = await readAll(scope, 'vaults', block, (plan) =>
    secured.map(({ position }) => plan.call(resolver, abi, 'vaultByNftId', [BigInt(position.subId)])),
  );
  const data = await readAll(scope, 'configs', block, (plan) =>
    vaults.map((vault) => plan.call(resolver, abi, 'getVaultEntireData', [lowerCase(vault)])),
  );
  return data.map(([, , , , { liquidationPenalty }]) => liquidationPenalty);
};

const fraxlend: ReadBonuses = async (scope, block, secured) => {
  const fees = await readAll(scope, 'fees', block, (plan) =>
    secured.map(({ position }) => plan.call(position.subId as Address, abi, 'cleanLiquidationFee', [])),
  );
  return fees.map((fee) => Number(fee) / 10);
};

const euler: ReadBonuses = async (scope, block, secured) => {
  const controllers = await readAll(scope, 'controllers', block, (plan) =>
    secured.map(({ position: { wallet, subId } }) => {
      const lastByte = (parseInt(wallet.slice(-2), 16) ^ Number(subId)).toString(16).padStart(2, '0');
      return plan.call(contractOf(scope.row, 'evc'), abi, 'getControllers', [
        eulerAccountOf(wallet, lastByte),
      ]);
    }),
  );
  const discounts = await readAll(scope, 'discounts', block, (plan) =>
    controllers.map(([vault]) => plan.call(lowerCase(vault!), abi, 'maxLiquidationDiscount', [])),
  );
  return discounts.map((discount) => Math.round(10_000 / (1 - discount / 10_000) - 10_000));
};

const aaveV4: ReadBonuses = async (scope, block, secured) => {
  const spoke = contractOf(scope.row, 'spoke');
  const count = await readAll(scope, 'count', block, (plan) => plan.call(spoke, abi, 'getReserveCount', []));
  const ids = Array.from({ length: Number(count) }, (_, id) => BigInt(id));
  const reserves = await readAll(scope, 'reserves', block, (plan) =>
    ids.map((id) => plan.call(spoke, abi, 'getReserve', [id])),
  );
  const states = await readAll(scope, 'positions', block, (plan) =>
    secured.map(({ position }) =>
      ids.map((id) => plan.call(spoke, abi, 'getUserPosition', [id, position.wallet])),
    ),
  );
  const held = secured.map(({ leg }, at) => {
    // Two reserves may lend one token. The shares identify the one.
    const id = reserves.findIndex(
      ({ underlying }, reserve) =>
        lowerCase(underlying) === leg.address && states[at]![reserve]!.suppliedShares === leg.scaledRaw,
    );
    return { id: BigInt(id), key: states[at]![id]!.dynamicConfigKey };
  });
  const configs = await readAll(scope, 'configs', block, (plan) =>
    held.map(({ id, key }) => plan.call(spoke, abi, 'getDynamicReserveConfig', [id, key])),
  );
  return configs.map(({ maxLiquidationBonus }) => maxLiquidationBonus - 10_000);
};

describe('the liquidation bonus of each collateral is that of genuine contracts', () => {
  it.each([
    ['silo-v2/silo-v2-400-days', silo, [250, 500]],
    ['maker/maker-400-days', maker, [800, 1_300, 1_500]],
    ['fluid/fluid-400-days', fluid, [300]],
    ['fraxlend/fraxlend-400-days', fraxlend, [1_000]],
    ['fraxlend/fraxlend-v1-400-days', fraxlend, [800, 1_000]],
    ['euler-v2/euler-v2-400-days', euler, [870, 1_765]],
    ['aave-v4/aave-v4-400-days', aaveV4, [400, 500, 600, 700, 1_000]],
  ])('%s', async (name, read, different) => {
    const { scope, reader, wallets, block } = openRecording(name);
    const { positions } = await reader.readPositions(wallets, block);
    const secured = positions.flatMap((position) =>
      position.legs
        .filter((leg) => leg.usedAsCollateral && leg.liquidationThresholdBps > 0n)
        .map((leg) => ({ position, leg })),
    );
    expect(secured.length).toBeGreaterThan(150);
    const bonuses = secured.map(({ leg }) => Number(leg.liquidationBonusBps));
    expect(bonuses).toEqual(await read(scope, block, secured));
    expect([...new Set(bonuses)].toSorted((a, b) => a - b)).toEqual(different);
  });
});
