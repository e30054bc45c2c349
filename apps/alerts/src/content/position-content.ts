import {
  type AlertCause,
  type AlertContent,
  type ConfidenceBasis,
  NO_ALERT_CONTENT,
  chainName,
  checksumAddress,
  protocolName,
} from '@plimsoll/contracts';
import { type ContractFigures, legsOf, valueUsd } from '../positions/holdings';
import type { PositionState } from '../positions/position-state';
import { causeOf } from './cause';
import { liquidationPriceOf } from './liquidation-price';
import { remediesOf } from './remedies';

export interface ContentInput {
  position: PositionState;
  /** The state before. Null when none is stored. */
  previous: PositionState | null;
  /** The health factor below which the alert opens. Null when another figure opens it. */
  threshold: number | null;
  targetHealthFactor: number;
  confidenceBasis: ConfidenceBasis;
  /** Name that the account gave to the wallet. */
  walletLabel?: string | null;
  /** Share of the collateral lost through prices within the last hour, 0 to 1. Absent when unknown. */
  collateralDrop?: number;
  /** The recorded cause. Without it, the change since the state before. */
  cause?: AlertCause;
  /** The receipt of the change behind the alert. */
  receiptHash?: string | null;
}

/** Returns the content of an alert about a position. */
export function positionContent(input: ContentInput): AlertContent {
  const { position, previous, threshold, confidenceBasis, collateralDrop } = input;
  const { wallet, protocol, chainId, healthFactor } = position;
  const { verification, contract: figures = null } = position.holdings;
  const before = previous?.holdings.contract ?? null;
  return {
    ...NO_ALERT_CONTENT,
    wallet: checksumAddress(wallet),
    walletLabel: input.walletLabel ?? null,
    protocol,
    protocolName: protocolName(protocol),
    chainId,
    chainName: chainName(chainId),
    positionId: position.id,
    position: {
      id: position.id,
      healthFactor,
      collateralUsd: position.collateralUsd,
      debtUsd: position.debtUsd,
      protocol,
      chainId,
      wallet: checksumAddress(wallet),
      ...(verification && { verification }),
    },
    healthFactor: { before: previous?.healthFactor ?? null, now: healthFactor, threshold },
    cause: input.cause ?? (figures && before && causeOf(before, figures)),
    usdAtStake: usdAtStake(position, figures),
    collateralDropPercent: collateralDrop === undefined ? null : 100 * collateralDrop,
    confidenceBasis,
    receiptHash: input.receiptHash ?? null,
    ...dependingOnLegs(input, figures),
  };
}

function dependingOnLegs(
  { position, targetHealthFactor }: ContentInput,
  figures: ContractFigures | null,
): Partial<AlertContent> {
  const absent = (reason: 'closed' | 'no_debt' | 'legs_unknown'): Partial<AlertContent> => ({
    liquidationPriceReason: reason,
    remediesReason: reason,
  });
  if (position.closed) return absent('closed');
  if (position.healthFactor === null) return absent('no_debt');
  if (figures === null || figures.legs.length === 0) return absent('legs_unknown');
  const ways = remediesOf(figures, targetHealthFactor, position.protocol);
  return {
    ...liquidationPriceOf(figures, position.healthFactor),
    ...ways,
    targetHealthFactor: ways.remedies.length > 0 ? targetHealthFactor : null,
  };
}

/** The smaller of counted collateral and debt. Null where the market has no price in USD. */
function usdAtStake(position: PositionState, figures: ContractFigures | null): number | null {
  if (position.closed) return 0;
  if (figures === null) return Math.min(position.collateralUsd, position.debtUsd);
  if (!figures.isUsdKnown) return null;
  const counted = legsOf(figures, 'collateral').filter(({ thresholdBps }) => thresholdBps > 0);
  const collateralUsd = counted.reduce((sum, leg) => sum + valueUsd(leg), 0);
  return Math.min(figures.legs.length > 0 ? collateralUsd : position.collateralUsd, position.debtUsd);
}
