export { riskPosition } from '@plimsoll/risk-math';
export { changedPosition, type AmountChange, inEMode, type EModePosition } from './changed-position';
export { depthOfSymbol, type HeldPosition } from './risk-position';
