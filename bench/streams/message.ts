import { newId, type PositionV1, riskLevelOf } from '@plimsoll/contracts';
import { samplePosition, sampleWallet } from '@plimsoll/testing';

/**
 * The frame that our service sends, used for the other contenders too: built once, with the time of sending
 * inserted.
 */
const TEMPLATE = JSON.stringify({
  type: 'event',
  cursor: 'MXBvc2l0aW9ucy4xLjI',
  eventId: newId('evt'),
  timestamp: '@',
  data: {
    id: 'pos_0000000000000001000010',
    protocol: 'aave-v3',
    chainId: 1,
    market: 'AaveV3Local',
    wallet: sampleWallet(1),
    healthFactor: 1.2,
    healthFactorRaw: '1200000000000000000',
    totalCollateralUsd: 7_500,
    totalDebtUsd: 5_000,
    totalSuppliedUsd: 7_500,
    netWorthUsd: 2_500,
    isDust: false,
    ...riskLevelOf(1.2, null),
    probability7d: null,
    previousHealthFactor: null,
    band: 'high',
    asOfBlock: 101,
  },
});

/** Its text, which contains the time of its creation. */
export function stampedMessage(): string {
  return TEMPLATE.replace('@', new Date().toISOString());
}

/** The n-th state of the one position that all our clients receive. */
export function benchPosition(wallet: string, sequence: number): PositionV1 {
  return samplePosition(wallet, sequence, sequence % 2 ? 'high' : 'low');
}
