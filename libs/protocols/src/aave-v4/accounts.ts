import { type BlockRef, readCall, contractOf } from '@plimsoll/evm';
import type { AaveV4Debt } from './math';
import type { AccountsResult, HeldAccount, Holder, ReadScope } from '../reader/family';
import { readEach, readFurther } from '../reader/read-each';
import { spokeAbi as abi } from './abi';

/** The holdings of a user in one reserve. */
export interface AaveV4Holding extends AaveV4Debt {
  reserveId: number;
  isCollateral: boolean;
  suppliedShares: bigint;
  suppliedAssets: bigint;
  /** At the config key of the last refresh of the user's position. */
  collateralFactorBps: bigint;
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
      position: plan.add(readCall(spoke, abi, 'getUserPosition', [BigInt(reserveId), wallet])),
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
          status: plan.add(readCall(spoke, abi, 'getUserReserveStatus', [id, wallet])),
          supplied: plan.add(readCall(spoke, abi, 'getUserSuppliedAssets', [id, wallet])),
          config: plan.add(readCall(spoke, abi, 'getDynamicReserveConfig', [id, dynamicConfigKey])),
        };
      });
      return ({ value }): AaveV4Account => ({
        wallet,
        holdings: slots.map(({ position, status, supplied, config }) => ({
          ...position,
          isCollateral: value(status)[0],
          suppliedAssets: value(supplied),
          collateralFactorBps: BigInt(value(config).collateralFactor),
        })),
      });
    }),
  );
}
