import {
  type AffectedPosition,
  type AlertContent,
  type ConfidenceBasis,
  NO_ALERT_CONTENT,
  checksumAddress,
} from '@plimsoll/contracts';
import { healthFactor } from '@plimsoll/risk-math';
import { formatHealthFactor, venueName } from '../../content/format-figures';
import { riskPosition } from '../../content/liquidation-price';
import { walletOf } from '../../content/sentences';
import type { PositionState } from '../../positions/position-state';

/** Most positions that an alert lists. */
export const MOST_AFFECTED = 100;

/** Market prices of an asset before and after a move, USD. */
export interface AssetMove {
  fromUsd: number;
  toUsd: number;
}

/** Positions of an account that hold an asset: those with the lowest health factors, and the total number. */
export interface HolderPositions {
  positions: readonly PositionState[];
  total: number;
  /** The account's names for the wallets. */
  labels: ReadonlyMap<string, string | null>;
}

export const NO_POSITIONS: HolderPositions = { positions: [], total: 0, labels: new Map() };

/**
 * Returns how a move of the market price affects positions that hold the asset: the health factor before and
 * now, with the oracle's price for every other asset. The lowest health factor comes first. A position
 * without stored legs has null.
 */
export function affectedPositions(
  asset: string,
  { fromUsd, toUsd }: AssetMove,
  { positions, labels }: Pick<HolderPositions, 'positions' | 'labels'>,
): AffectedPosition[] {
  return positions
    .map((position): AffectedPosition => {
      const { id: positionId, protocol, chainId } = position;
      const at = (priceUsd: number): number | null => healthFactorAt(position, asset, priceUsd);
      return {
        positionId,
        wallet: checksumAddress(position.wallet),
        walletLabel: labels.get(position.wallet) ?? null,
        protocol,
        chainId,
        healthFactor: { before: at(fromUsd), now: at(toUsd) },
      };
    })
    .sort((a, b) => (a.healthFactor.now ?? Infinity) - (b.healthFactor.now ?? Infinity));
}

function healthFactorAt(position: PositionState, asset: string, priceUsd: number): number | null {
  const { contract } = position.holdings;
  if (contract === undefined || position.healthFactor === null) return null;
  const { collateral, debt } = riskPosition(contract, position.healthFactor);
  const moved = <T extends { asset: string; priceUsd: number }>(leg: T): T =>
    leg.asset === asset ? { ...leg, priceUsd } : leg;
  return healthFactor({ collateral: collateral.map(moved), debt: debt.map(moved) });
}

/** Returns the content of an alert about a price that moved, or that left its target. */
export function moveContent(
  kind: 'price' | 'depeg',
  asset: string,
  move: AssetMove,
  held: HolderPositions,
  confidenceBasis: ConfidenceBasis,
): AlertContent {
  const affected = affectedPositions(asset, move, held);
  const changePercent = (move.toUsd / move.fromUsd - 1) * 100;
  return {
    ...NO_ALERT_CONTENT,
    cause: { kind, asset, changePercent, ...move },
    affectedPositions: affected.slice(0, MOST_AFFECTED),
    affectedTotal: held.total,
    confidenceBasis,
  };
}

/** Describes the effect of a move on an account. */
export function affectedSentence({ affectedPositions: affected, affectedTotal }: AlertContent): string {
  const isOne = affectedTotal === 1;
  const count = isOne ? 'One of your positions holds it' : `${affectedTotal} of your positions hold it`;
  const [worst] = affected;
  const { before = null, now = null } = worst?.healthFactor ?? {};
  if (worst === undefined || before === null || now === null) return `${count}.`;
  const which = `${walletOf(worst)} in ${venueName(worst)}`;
  const verb = now < before ? 'lowers' : 'raises';
  const whose = isOne ? `the health factor of ${which}` : `the lowest of their health factors (${which})`;
  return `${count}. This price ${verb} ${whose} from ${formatHealthFactor(before)} to ${formatHealthFactor(now)}.`;
}
