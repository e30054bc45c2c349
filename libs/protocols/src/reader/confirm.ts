import { WAD } from '../fixed-point/math';
import type { ContractFigures } from './family';
import type { Mismatch, PositionsRead } from './protocol-reader';
import { isLiquidatable, type RawPosition } from './raw-position';

const FIGURES = [
  ['totalCollateral', 'totalCollateralRaw'],
  ['totalDebt', 'totalDebtRaw'],
  ['healthFactor', 'healthFactorRaw'],
] as const;

/**
 * Compares a recomputed position with the contract's figures, which take precedence. A contract may state only whether
 * it liquidates the position. Where our health factor states the opposite, it becomes the nearest one that does not.
 */
export function confirmPosition(
  position: RawPosition,
  contract: ContractFigures,
): { position: RawPosition; mismatches: Mismatch[] } {
  const stated = { ...contract, healthFactor: statedFactor(position, contract) };
  const mismatches = FIGURES.flatMap(([figure, field]): Mismatch[] => {
    const own = stated[figure];
    const computed = position[field];
    return own === undefined || own === computed
      ? []
      : [{ wallet: position.wallet, figure, computed, contract: own }];
  });
  const confirmed = {
    ...position,
    totalCollateralRaw: stated.totalCollateral ?? position.totalCollateralRaw,
    totalDebtRaw: stated.totalDebt ?? position.totalDebtRaw,
    healthFactorRaw: stated.healthFactor === undefined ? position.healthFactorRaw : stated.healthFactor,
    verification: verifiedAs(position, stated),
  };
  return { position: confirmed, mismatches: position.verification === 'approximate' ? [] : mismatches };
}

/** A figure that the contract states replaces an approximation of ours, unless it rests on one. */
function verifiedAs({ verification }: RawPosition, contract: ContractFigures): RawPosition['verification'] {
  return contract.healthFactor === undefined || contract.isApproximate ? verification : 'contract';
}

function statedFactor(
  position: RawPosition,
  { healthFactor, isLiquidatable: stated }: ContractFigures,
): bigint | null | undefined {
  const own = healthFactor === undefined ? position.healthFactorRaw : healthFactor;
  if (stated === undefined || stated === isLiquidatable({ healthFactorRaw: own })) return healthFactor;
  return stated ? WAD - 1n : WAD;
}

/**
 * The differences between the positions of some wallets and a full read at the same block, closed and new
 * ones included.
 */
export function differences(positions: readonly RawPosition[], read: PositionsRead): Mismatch[] {
  const failed = new Set(read.unreadable.flatMap(({ wallets }) => wallets));
  const keyOf = ({ wallet, subId }: RawPosition): string => `${wallet} ${subId}`;
  const before = new Map(positions.map((position) => [keyOf(position), position]));
  const found = new Map(read.positions.map((position) => [keyOf(position), position]));
  return [...new Set([...before.keys(), ...found.keys()])].flatMap((key) => {
    const [given, now] = [before.get(key), found.get(key)];
    const { wallet } = (given ?? now)!;
    return failed.has(wallet) || given?.unreadable !== undefined || now?.unreadable !== undefined
      ? []
      : FIGURES.flatMap(([figure, field]): Mismatch[] => {
          const [computed, contract] = [given?.[field] ?? null, now?.[field] ?? null];
          return computed === contract ? [] : [{ wallet, figure, computed, contract }];
        });
  });
}
