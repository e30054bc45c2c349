import type { ContractFigures } from './family';
import type { Mismatch, PositionsRead } from './protocol-reader';
import type { RawPosition } from './raw-position';

const FIGURES = [
  ['totalCollateral', 'totalCollateralRaw'],
  ['totalDebt', 'totalDebtRaw'],
  ['healthFactor', 'healthFactorRaw'],
] as const;

/** Compares a recomputed position with the contract's figures, which take precedence. */
export function confirmPosition(
  position: RawPosition,
  contract: ContractFigures,
): { position: RawPosition; mismatches: Mismatch[] } {
  const mismatches = FIGURES.flatMap(([figure, field]): Mismatch[] => {
    const own = contract[figure];
    const computed = position[field];
    return own === undefined || own === computed
      ? []
      : [{ wallet: position.wallet, figure, computed, contract: own }];
  });
  const confirmed = {
    ...position,
    totalCollateralRaw: contract.totalCollateral ?? position.totalCollateralRaw,
    totalDebtRaw: contract.totalDebt ?? position.totalDebtRaw,
    healthFactorRaw: contract.healthFactor === undefined ? position.healthFactorRaw : contract.healthFactor,
    isApproximate: position.isApproximate || mismatches.length > 0,
  };
  return { position: confirmed, mismatches: position.isApproximate ? [] : mismatches };
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
