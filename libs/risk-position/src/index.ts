export { changedPosition, type AmountChange } from './changed-position';
export { inEMode, type EModePosition } from './in-e-mode';
export { riskPosition, type HeldPosition } from './risk-position';
