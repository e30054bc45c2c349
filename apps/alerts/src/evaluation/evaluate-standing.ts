import {
  type AlertContent,
  type AlertPreferences,
  BAND_EDGES_PERCENT,
  type Severity,
} from '@plimsoll/contracts';
import type { AlertRecord } from '../alerts/alert-record';
import { positionContent } from '../content/position-content';
import type { AlertDraft, AlertLedger, LedgerText } from './alert-ledger';
import { isDust } from './alert-settings';
import { type AlertTextVariant, alertText, levelVariant, resolvedVariant } from './alert-text';
import { dropOf, nextBucketMs } from './collateral-drop';
import { evaluateDrop } from './collateral-drop-condition';
import { type DangerInput, evaluateDanger } from './danger-condition';
import { confidenceBasis } from './confidence-score';
import { type DangerType, isDanger } from './danger-level';
import type { Evaluation } from './evaluation';
import { dangerMemory, levelOfAlert } from './known-alerts';
import type { PositionState } from './position-state';

/** Who is evaluated: an account, whether it watches the wallet, and what it set for its alerts. */
export interface Watcher {
  accountId: string;
  isWatching: boolean;
  preferences: AlertPreferences;
}

/** Brings the standing alerts of one account on one position to the position's state. */
export class StandingEvaluation {
  private readonly isDust: boolean;
  private readonly collateralDrop: number;

  constructor(
    private readonly ledger: AlertLedger,
    private readonly evaluation: Evaluation,
    private readonly watcher: Watcher,
    private readonly nowMs: number,
  ) {
    const { position, atMs } = evaluation;
    this.isDust = isDust(position, watcher.preferences);
    this.collateralDrop = position.peaks ? dropOf(position.peaks, atMs) : 0;
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
    if (action?.kind === 'resolve') return this.resolve(active, action, resolvedVariant(action.reason));
    if (action?.kind === 'escalate') this.change(active, action.severity, 'escalated', false);
    if (action?.kind === 'update') this.change(active, action.severity, 'updated', action.isRetracted);
    ledger.reanchor(active, evaluation);
  }

  private drop(): void {
    const { ledger, evaluation, watcher } = this;
    const { position, atMs } = evaluation;
    const of = { accountId: watcher.accountId, type: 'collateral_drop' as const, ruleId: null };
    const input = {
      closed: position.closed,
      watched: watcher.isWatching,
      isDust: this.isDust,
      hasDebt: position.debtUsd > 0,
      collateralDrop: this.collateralDrop,
      dropChangesAtMs: nextBucketMs(atMs),
    };
    const memory = ledger.known.dropMemory(position.id, watcher.accountId);
    for (const action of evaluateDrop(input, memory, this.nowMs)) {
      if (action.kind === 'open') {
        const draft = { ...of, severity: 'high' as const, targetWebhookId: null };
        ledger.open(draft, this.text('opened.collateral_drop'), evaluation);
      } else if (action.kind === 'resolve') {
        const { reason } = action;
        const alert = ledger.active(position.id, of);
        const variant = reason === 'recovered' ? 'resolved.collateral_steady' : resolvedVariant(reason);
        if (alert) this.resolve(alert, { reason }, variant);
      } else ledger.wait(of, action.dueAtMs, evaluation);
    }
  }

  private dangerInput(): DangerInput {
    const { position, orphanedFrom = null } = this.evaluation;
    const { level, healthFactor, closed } = position;
    return {
      level,
      healthFactor,
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
    return this.text(levelVariant('opened', this.evaluation.position.level));
  }

  private change(
    alert: AlertRecord,
    severity: Severity,
    change: 'escalated' | 'updated',
    isRetracted: boolean,
  ): void {
    const { level } = this.evaluation.position;
    const previousLevel = levelOfAlert(alert);
    const fields = {
      change,
      previousSeverity: alert.severity,
      previousLevel,
      ...(isRetracted && { reason: 'retracted' as const }),
    };
    let variant: AlertTextVariant = levelVariant('updated', level);
    if (change === 'escalated') variant = 'escalated.critical';
    else if (isRetracted) variant = 'updated.retracted';
    else if (previousLevel !== level) variant = 'updated.milder';
    this.ledger.change(alert, severity, fields, this.text(variant), this.evaluation);
  }

  private resolve(
    alert: AlertRecord,
    how: Parameters<AlertLedger['resolve']>[1],
    variant: AlertTextVariant,
  ): void {
    this.ledger.resolve(alert, how, this.text(variant), this.evaluation);
  }

  private text(variant: AlertTextVariant): LedgerText {
    const { minUsd } = this.watcher.preferences;
    const { collateralDrop, evaluation } = this;
    const { position } = evaluation;
    const content = this.content(variant);
    return { ...alertText(variant, { position, content, collateralDrop, minUsd }), variant, content };
  }

  private content(variant: AlertTextVariant): AlertContent {
    const { position, previous, ageBlocks } = this.evaluation;
    const isDrop = variant === 'opened.collateral_drop' || variant === 'resolved.collateral_steady';
    return positionContent({
      position,
      previous,
      threshold: isDrop ? null : thresholdOf(position),
      targetHealthFactor: this.watcher.preferences.targetHealthFactor,
      confidenceBasis: confidenceBasis(ageBlocks, null),
    });
  }
}

/** Where the level of a position begins; null where its probability of liquidation decides, or it is in no danger. */
function thresholdOf({ level, healthFactor }: PositionState): number | null {
  const edge = BAND_EDGES_PERCENT.find(({ band }) => band === level)?.edge;
  if (edge === undefined || healthFactor === null || !isDanger(level)) return null;
  return healthFactor * 100 < edge ? edge / 100 : null;
}
