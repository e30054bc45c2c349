/** Sides of a position. */
export const POSITION_SIDES = ['collateral', 'debt'] as const;

export type PositionSide = (typeof POSITION_SIDES)[number];
