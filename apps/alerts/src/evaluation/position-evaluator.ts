import { type PreferencesByAccount, preferencesOf } from '../accounts/alert-settings.repository';
import type { Watchers } from '../accounts/watches.repository';
import type { PositionAlert } from '../lifecycle/alert';
import { AlertLedger, type EvaluationSources, type LedgerOutcome } from '../lifecycle/alert-ledger';
import type { Evaluation } from '../positions/evaluation';
import { liquidationIn } from '../positions/liquidation';
import { PositionAlerts } from '../sources/position/position-alerts';
import type { RuleIndex } from '../sources/rule/rule';
import { RuleEvaluation } from '../sources/rule/rule-evaluation';

const NO_ACCOUNTS: Watchers = new Map();

/** The results of a batch: those of alerts, and those of rules that fired. */
export type Outcome = LedgerOutcome & Pick<RuleEvaluation, 'executions' | 'requests'>;

/** The inputs of evaluation besides the states. */
export interface EvaluationFacts {
  /** Active alerts of the positions, and alerts that resolved within the hour in which drops are measured. */
  alerts: readonly PositionAlert[];
  /** Watching accounts by wallet. */
  watchers: ReadonlyMap<string, Watchers>;
  preferences: PreferencesByAccount;
  /** Rules of the positions. */
  rules: RuleIndex;
  /** Present fresh market prices for rules and depegs, USD, as price.v1 names their assets. */
  prices: Readonly<Record<string, number>>;
}

/** Evaluates states of positions in order. Each sees the results of the ones before it. */
export class PositionEvaluator {
  private readonly ledger: AlertLedger;
  private readonly rules: RuleEvaluation;

  constructor(
    private readonly facts: EvaluationFacts,
    private readonly sources: EvaluationSources,
  ) {
    this.ledger = new AlertLedger(facts.alerts, sources);
    this.rules = new RuleEvaluation(this.ledger, sources);
  }

  get outcome(): Outcome {
    const { executions, requests } = this.rules;
    return { ...this.ledger.outcome, executions, requests };
  }

  evaluate(evaluation: Evaluation): void {
    const { ledger, facts, sources } = this;
    const { position } = evaluation;
    const watching = facts.watchers.get(position.wallet) ?? NO_ACCOUNTS;
    ledger.begin(position.id);
    this.noteChanges(evaluation, watching);
    const prices = evaluation.prices ? { ...facts.prices, ...evaluation.prices } : facts.prices;
    for (const accountId of accountsOf(watching, ledger.known.accountsOf(position.id))) {
      const preferences = preferencesOf(facts.preferences, accountId);
      const walletLabel = watching.get(accountId) ?? null;
      const watcher = { accountId, isWatching: watching.has(accountId), walletLabel, preferences };
      new PositionAlerts(ledger, { ...evaluation, prices }, watcher, sources.nowMs).run();
    }
    const rules = facts.rules.of(position.id);
    if (rules.length === 0) return;
    const { healthFactor, collateralUsd, debtUsd, riskScore, liquidationProbability, closed } = position;
    const figures = {
      healthFactor,
      collateralUsd,
      debtUsd,
      riskScore,
      liquidationProbability,
      closed,
      prices,
    };
    for (const rule of rules) {
      const { targetHealthFactor } = preferencesOf(facts.preferences, rule.accountId);
      const walletLabel = watching.get(rule.accountId) ?? null;
      this.rules.run(rule, figures, evaluation, { targetHealthFactor, walletLabel });
    }
  }

  /** Records liquidations and changes of the band for the incidents of watching accounts. */
  private noteChanges(evaluation: Evaluation, watching: Watchers): void {
    const { position, previous, atMs } = evaluation;
    if (previous === null || watching.size === 0) return;
    const liquidation = liquidationIn(previous, position);
    for (const accountId of watching.keys()) {
      const note = { accountId, position, alert: null, severity: null, atMs };
      if (liquidation !== null) this.ledger.note({ ...note, type: 'liquidation', message: liquidation });
      if (previous.band !== position.band) {
        const message = `Risk level went from ${previous.band} to ${position.band}`;
        this.ledger.note({ ...note, type: 'band_changed', message });
      }
    }
  }
}

/** Most positions have no watcher and no alert, so this makes no set for them. */
function accountsOf(watching: Watchers, alerted: ReadonlyMap<string, unknown>): Iterable<string> {
  return alerted.size === 0 ? watching.keys() : new Set([...watching.keys(), ...alerted.keys()]);
}
