/**
 * Dangers of a position other than its health factor:
 * - soft_liquidation: part of its collateral is already sold
 * - redemption: it is among the first that can be redeemed against
 * - recovery_mode: the system's threshold is raised for all positions
 * - shutdown: its branch or market is being closed
 */
export const POSITION_FLAGS = ['soft_liquidation', 'redemption', 'recovery_mode', 'shutdown'] as const;
export type PositionFlagName = (typeof POSITION_FLAGS)[number];
