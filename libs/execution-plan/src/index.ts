export { agrees, lossBps } from './agreement';
export {
  WAD,
  amountOfValue,
  toWad,
  valueOf,
  weightedCollateral,
  withHeadroom,
  type LegAmount,
  type PlanLeg,
  type PlanPosition,
} from './position';
export { repayToTarget, repayValue, type RepayPlan } from './repay';
export { netShare, saleInRounds, saleToTarget, type Sale, type SaleCosts } from './sale';
