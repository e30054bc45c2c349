import {
  type AlertContent,
  type AlertPreferences,
  type AlertResolveReason,
  BAND_EDGES_PERCENT,
  type Band,
  type Severity,
  bandRank,
} from '@plimsoll/contracts';
import { isDust } from '../../accounts/alert-settings.repository';
import { confidenceBasis } from '../../content/confidence-score';
import { positionContent } from '../../content/position-content';
import type { PositionAlert } from '../../lifecycle/alert';
import type { AlertDraft, AlertLedger, LedgerText } from '../../lifecycle/alert-ledger';
import { dropOf, nextBucketMs } from '../../positions/collateral-drop';
import { type DangerType, isDanger } from '../../positions/danger-level';
import { depegOf, deviationOf, movesTogether, unpricedAssets } from '../../positions/depeg';
import type { Evaluation } from '../../positions/evaluation';
import type { PositionState } from '../../positions/position-state';
import { type AlertTextVariant, alertText, levelVariant, resolvedVariant } from './alert-text';
import { evaluateDrop } from './collateral-drop-condition';
import {
  type DangerInput,
  dangerMemory,
  depegOfAlert,
  evaluateDanger,
  levelOfAlert,
} from './danger-condition';

/** An account to evaluate: whether it watches the wallet, its name for it, and its alert settings. */
export interface Watcher {
  accountId: string;
  isWatching: boolean;
  walletLabel: string | null;
  preferences: AlertPreferences;
}

/** Updates the alerts without a rule of one account on one position to the position's state. */
export class PositionAlerts {
  private readonly isDust: boolean;
  /**
   * Share of the collateral lost through prices within the hour, and the part since the last danger alert
   * resolved.
   */
  private readonly collateralDrop: number;
  private readonly newDrop: number;
  /** With the level that market prices add for this account. */
  private readonly evaluation: Evaluation;

  constructor(
    private readonly ledger: AlertLedger,
    evaluation: Evaluation,
    private readonly watcher: Watcher,
    private readonly nowMs: number,
  ) {
    const { position, atMs } = evaluation;
    const { active, lastResolved } = ledger.known.danger(position.id, watcher.accountId);
    this.evaluation = withDepeg(evaluation, active && levelOfAlert(active));
    this.isDust = isDust(position, watcher.preferences);
    const reportedMs = active ? nowMs : (lastResolved?.resolvedAtMs ?? null);
    this.collateralDrop = position.peaks ? dropOf(position.peaks, atMs) : 0;
    this.newDrop = position.peaks ? dropOf(position.peaks, atMs, reportedMs) : 0;
  }

  run(): void {
    this.danger();
    this.drop();
  }

  private danger(): void {
    const { ledger, evaluation, watcher } = this;
    const { position } = evaluation;
    const slot = ledger.known.danger(position.id, watcher.accountId);
    const { active } = slot;
    if (active)
      for (const surplus of slot.surplus)
        this.resolve(surplus, { reason: 'escalated', escalatedTo: active.id }, 'resolved.escalated');
    const action = evaluateDanger(this.dangerInput(), dangerMemory(slot), this.nowMs);
    if (action?.kind === 'open')
      ledger.open(this.draft(action.type, action.severity), this.openedText(), evaluation);
    if (action?.kind === 'wait') {
      const type = active?.type ?? 'health_factor_warning';
      ledger.wait({ accountId: watcher.accountId, type, ruleId: null }, action.dueAtMs, evaluation);
    }
    if (active === null) return;
    if (action?.kind === 'replace') {
      const texts = { resolved: this.text('resolved.escalated'), opened: this.openedText() };
      return ledger.replace(active, this.draft(action.type, action.severity), texts, evaluation);
    }
    if (action?.kind === 'resolve') return this.end(active, action.reason);
    if (action?.kind === 'escalate') this.change(active, action.severity, 'escalated', false);
    if (action?.kind === 'update') this.change(active, action.severity, 'updated', action.isRetracted);
    ledger.reanchor(active, evaluation);
  }

  private drop(): void {
    const { ledger, evaluation, watcher } = this;
    const { position, atMs } = evaluation;
    const of = { accountId: watcher.accountId, type: 'collateral_drop' as const, ruleId: null };
    const danger = ledger.known.danger(position.id, watcher.accountId).active;
    const input = {
      closed: position.closed,
      watched: watcher.isWatching,
      isDust: this.isDust,
      hasDebt: position.debtUsd > 0,
      isInDanger: danger !== null,
      collateralDrop: this.newDrop,
      dropChangesAtMs: nextBucketMs(atMs),
    };
    const memory = ledger.known.memory(position.id, of);
    for (const action of evaluateDrop(input, memory, this.nowMs)) {
      if (action.kind === 'open') {
        const draft = { ...of, severity: 'high' as const, targetWebhookId: null };
        ledger.open(draft, this.text('opened.collateral_drop'), evaluation);
      } else if (action.kind === 'resolve') {
        const { reason } = action;
        const alert = ledger.active(position.id, of);
        const escalatedTo = reason === 'escalated' ? (danger?.id ?? null) : null;
        if (alert) this.resolve(alert, { reason, escalatedTo }, resolvedDropVariant(reason));
      } else ledger.wait(of, action.dueAtMs, evaluation);
    }
  }

  private dangerInput(): DangerInput {
    const { position, depeg, orphanedFrom = null } = this.evaluation;
    const { level, healthFactor, closed } = position;
    return {
      level,
      healthFactor,
      depegUsd: depeg?.cause.toUsd ?? null,
      closed,
      watched: this.watcher.isWatching,
      isDust: this.isDust,
      orphanedFrom,
    };
  }

  private draft(type: DangerType, severity: Severity): AlertDraft {
    const { accountId } = this.watcher;
    return { accountId, type, severity, ruleId: null, targetWebhookId: null };
  }

  private openedText(): LedgerText {
    const { position, depeg } = this.evaluation;
    return this.text(depeg ? 'opened.depeg' : levelVariant('opened', position.level));
  }

  private change(
    alert: PositionAlert,
    severity: Severity,
    change: 'escalated' | 'updated',
    isRetracted: boolean,
  ): void {
    const { position, depeg } = this.evaluation;
    const { level } = position;
    const previousLevel = levelOfAlert(alert);
    const fields = {
      change,
      previousSeverity: alert.severity,
      previousLevel,
      ...(isRetracted && { reason: 'retracted' as const }),
    };
    let variant: AlertTextVariant = levelVariant('updated', level);
    if (change === 'escalated') variant = depeg ? 'escalated.depeg' : 'escalated.critical';
    else if (depeg) variant = 'updated.depeg';
    else if (isRetracted) variant = 'updated.retracted';
    else if (previousLevel !== level) variant = 'updated.milder';
    this.ledger.change(alert, severity, fields, this.text(variant), this.evaluation);
  }

  /** The danger ended, or no longer concerns the account. */
  private end(alert: PositionAlert, reason: AlertResolveReason): void {
    const { position, prices = {} } = this.evaluation;
    const depeg = reason === 'recovered' ? depegOfAlert(alert) : null;
    const figures = position.holdings.contract;
    if (depeg === null || position.healthFactor === null || figures === undefined || !movesTogether(figures))
      return this.resolve(alert, { reason }, resolvedVariant(reason));
    const isUnknown = unpricedAssets(figures, prices).length > 0;
    this.resolve(alert, { reason }, isUnknown ? 'resolved.depeg_unknown' : 'resolved.depeg', depeg.asset);
  }

  private resolve(
    alert: PositionAlert,
    how: Parameters<AlertLedger['resolve']>[1],
    variant: AlertTextVariant,
    depegAsset: string | null = null,
  ): void {
    this.ledger.resolve(alert, how, this.text(variant, depegAsset), this.evaluation);
  }

  /** @param depegAsset the asset whose depeg ended */
  private text(variant: AlertTextVariant, depegAsset: string | null = null): LedgerText {
    const { minUsd } = this.watcher.preferences;
    const { collateralDrop, evaluation } = this;
    const { position, prices: market = {} } = evaluation;
    const content = this.content(variant, depegAsset);
    const drop = variant === 'opened.collateral_drop' ? this.newDrop : collateralDrop;
    const input = { position, content, collateralDrop: drop, minUsd, market };
    return { ...alertText(variant, input), variant, content };
  }

  private content(variant: AlertTextVariant, depegAsset: string | null): AlertContent {
    const { position, previous, ageBlocks, depeg, prices = {} } = this.evaluation;
    const figures = position.holdings.contract;
    const isDrop = variant === 'opened.collateral_drop' || variant === 'resolved.collateral_steady';
    const ended = depegAsset !== null && figures ? deviationOf(figures, depegAsset, prices) : null;
    const cause = isDrop ? null : (depeg?.cause ?? ended);
    return positionContent({
      position,
      previous,
      threshold: isDrop || depeg ? null : thresholdOf(position),
      targetHealthFactor: this.watcher.preferences.targetHealthFactor,
      confidenceBasis: confidenceBasis(ageBlocks, null),
      walletLabel: this.watcher.walletLabel,
      collateralDrop: this.collateralDrop,
      ...(cause && { cause }),
      // A receipt states health factors. It proves no fall of collateral and no market price.
      receiptHash: isDrop || cause ? null : (position.holdings.receipt?.hash ?? null),
    });
  }
}

/**
 * Returns the position at the worse of its own level and that of a depeg. Hysteresis needs only the open
 * alert's level.
 */
function withDepeg(evaluation: Evaluation, openLevel: Band | null): Evaluation {
  const { position, prices = {} } = evaluation;
  const { closed, healthFactor, level, holdings } = position;
  if (closed || holdings.contract === undefined) return evaluation;
  const depeg = depegOf(holdings.contract, healthFactor, prices, openLevel);
  if (depeg === null || bandRank(depeg.level) <= bandRank(level)) return evaluation;
  return { ...evaluation, position: { ...position, level: depeg.level }, depeg };
}

function resolvedDropVariant(reason: AlertResolveReason): AlertTextVariant {
  if (reason === 'recovered') return 'resolved.collateral_steady';
  return reason === 'escalated' ? 'resolved.collateral_in_danger' : resolvedVariant(reason);
}

/**
 * Returns the health factor at which the position's level begins. Null when its probability of liquidation
 * decides, or without danger.
 */
function thresholdOf({ level, healthFactor }: PositionState): number | null {
  const edge = BAND_EDGES_PERCENT.find(({ band }) => band === level)?.edge;
  if (edge === undefined || healthFactor === null || !isDanger(level)) return null;
  return healthFactor * 100 < edge ? edge / 100 : null;
}
