export { changedPosition, type AmountChange } from './changed-position';
export { depthOfSymbol } from './depth-of-symbol';
export { inEMode, type EModePosition } from './in-e-mode';
export { riskPosition, type HeldPosition } from './risk-position';
