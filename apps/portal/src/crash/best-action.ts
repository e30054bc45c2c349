import type { Alert } from './alert';

export type Remedy = Alert['remedies'][number];

/** The remedy of one position that protects the most US dollars for each dollar that it needs. */
export interface BestAction {
  alert: Alert & { positionId: string; usdAtStake: number; targetHealthFactor: number };
  remedy: Remedy;
  /** US dollars at stake for each dollar of the remedy. */
  perDollar: number;
}

/** Null while no active alert has a remedy. Of equal ones, the first by the id of its alert. */
export function bestAction(alerts: readonly Alert[]): BestAction | null {
  let best: BestAction | null = null;
  for (const alert of alerts) {
    const { positionId, usdAtStake, targetHealthFactor, remedies } = alert;
    if (positionId === null || !usdAtStake || targetHealthFactor === null) continue;
    for (const remedy of remedies) {
      if (remedy.usd <= 0) continue;
      const perDollar = usdAtStake / remedy.usd;
      const isBetter =
        !best || perDollar > best.perDollar || (perDollar === best.perDollar && alert.id < best.alert.id);
      if (isBetter)
        best = { alert: { ...alert, positionId, usdAtStake, targetHealthFactor }, remedy, perDollar };
    }
  }
  return best;
}
