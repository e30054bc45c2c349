/**
 * What a position is exposed to beside liquidation by its health factor:
 * - soft_liquidation: part of its collateral is already sold
 * - redemption: it can be redeemed against before others are
 * - recovery_mode: the system's threshold is raised for everybody
 * - shutdown: its branch or market is being wound down
 */
export const POSITION_FLAGS = ['soft_liquidation', 'redemption', 'recovery_mode', 'shutdown'] as const;
export type PositionFlagName = (typeof POSITION_FLAGS)[number];
