export { changedPosition, type AmountChange, inEMode, type EModePosition } from './changed-position';
export { depthOfSymbol, riskPosition, type HeldPosition } from './risk-position';
