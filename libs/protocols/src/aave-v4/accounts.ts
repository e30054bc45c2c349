import { type BlockRef, contractOf } from '@plimsoll/evm';
import { parseAbi } from 'viem';
import type { AaveV4Debt } from './math';
import type { AccountsResult, HeldAccount, Holder, ReadScope } from '../reader/family';
import { readEach, readFurther } from '../reader/read-each';

/** The functions of a spoke that are read (ISpoke of aave/aave-v4, as deployed: debts in ray). */
export const spokeAbi = parseAbi([
  'struct Reserve { address underlying; address hub; uint16 assetId; uint8 decimals; uint24 collateralRisk; uint8 flags; uint32 dynamicConfigKey; }',
  'struct DynamicConfig { uint16 collateralFactor; uint32 maxLiquidationBonus; uint16 liquidationFee; }',
  'struct UserPosition { uint120 drawnShares; uint120 premiumShares; int200 premiumOffsetRay; uint120 suppliedShares; uint32 dynamicConfigKey; }',
  'struct AccountData { uint256 riskPremium; uint256 avgCollateralFactor; uint256 healthFactor; uint256 totalCollateralValue; uint256 totalDebtValueRay; uint256 activeCollateralCount; uint256 borrowCount; }',
  'function ORACLE() view returns (address)',
  'function getReserveCount() view returns (uint256)',
  'function getReserve(uint256 reserveId) view returns (Reserve)',
  'function getDynamicReserveConfig(uint256 reserveId, uint32 dynamicConfigKey) view returns (DynamicConfig)',
  'function getReserveSuppliedAssets(uint256 reserveId) view returns (uint256)',
  'function getReserveTotalDebt(uint256 reserveId) view returns (uint256)',
  'function getUserReserveStatus(uint256 reserveId, address user) view returns (bool isCollateral, bool isBorrowing)',
  'function getUserPosition(uint256 reserveId, address user) view returns (UserPosition)',
  'function getUserSuppliedAssets(uint256 reserveId, address user) view returns (uint256)',
  'function getUserAccountData(address user) view returns (AccountData)',
]);

/** The hub that a reserve lends from. */
export const hubAbi = parseAbi(['function getAssetDrawnIndex(uint256 assetId) view returns (uint256)']);

/** The oracle of a spoke. */
export const oracleAbi = parseAbi(['function getReservePrice(uint256 reserveId) view returns (uint256)']);

/** The holdings of a user in one reserve. */
export interface AaveV4Holding extends AaveV4Debt {
  reserveId: number;
  isCollateral: boolean;
  suppliedShares: bigint;
  suppliedAssets: bigint;
  /** At the config key of the last refresh of the user's position. */
  collateralFactorBps: bigint;
  /** The most that a liquidator receives, as a factor of the repaid debt in basis points: 10,500 is 5 %. */
  maxBonusBps: bigint;
}

/** A wallet in one spoke. */
export interface AaveV4Account extends HeldAccount {
  holdings: readonly AaveV4Holding[];
}

/** The holdings of wallets in each reserve of a spoke. @throws ChainReadError */
export async function readAaveV4Accounts(
  scope: ReadScope,
  holders: readonly Holder[],
  block: BlockRef,
  reserveCount: number,
): Promise<AccountsResult<AaveV4Account>> {
  const spoke = contractOf(scope.row, 'spoke');
  const ids = Array.from({ length: reserveCount }, (_, reserveId) => reserveId);
  const stored = await readEach(scope, 'user positions', holders, block, (plan, { wallet }) => {
    const slots = ids.map((reserveId) => ({
      reserveId,
      position: plan.call(spoke, spokeAbi, 'getUserPosition', [BigInt(reserveId), wallet]),
    }));
    return ({ value }) => ({
      wallet,
      positions: slots
        .map(({ reserveId, position }) => ({ reserveId, ...value(position) }))
        .filter(
          ({ suppliedShares, drawnShares, premiumShares }) =>
            suppliedShares + drawnShares + premiumShares > 0n,
        ),
    });
  });
  return readFurther(stored, (found) =>
    readEach(scope, 'supplies', found, block, (plan, { wallet, positions }) => {
      const slots = positions.map(({ dynamicConfigKey, ...position }) => {
        const id = BigInt(position.reserveId);
        return {
          position,
          status: plan.call(spoke, spokeAbi, 'getUserReserveStatus', [id, wallet]),
          supplied: plan.call(spoke, spokeAbi, 'getUserSuppliedAssets', [id, wallet]),
          config: plan.call(spoke, spokeAbi, 'getDynamicReserveConfig', [id, dynamicConfigKey]),
        };
      });
      return ({ value }): AaveV4Account => ({
        wallet,
        holdings: slots.map(({ position, status, supplied, config }) => ({
          ...position,
          isCollateral: value(status)[0],
          suppliedAssets: value(supplied),
          collateralFactorBps: BigInt(value(config).collateralFactor),
          maxBonusBps: BigInt(value(config).maxLiquidationBonus),
        })),
      });
    }),
  );
}
