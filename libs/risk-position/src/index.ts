export { changedPosition, type AmountChange } from './changed-position';
export { riskPosition, type HeldPosition } from './risk-position';
