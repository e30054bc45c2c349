import { Injectable } from '@nestjs/common';
import {
  type ConditionType,
  type CreateRuleBody,
  type Identity,
  Problem,
  TIERS,
  type RuleActionBody,
  type RuleAnswer,
  type RuleConditionBody,
  type RulePreview,
  type Tier,
  type UpdateRuleBody,
  invalidRequest,
  isRiskCondition,
  newId,
  notFound,
  priceSymbol,
} from '@plimsoll/contracts';
import { type Caller, Clock, type Commit, type Committed, inTransaction } from '@plimsoll/service-kit';
import { Pool, type PoolClient } from 'pg';
import { WatchesRepository } from '../accounts/watches.repository';
import { HISTORY_STEP_MS, HistoryRepository } from '../history/history.repository';
import { type HistoricState, marketHistory } from '../history/market-history';
import { PriceMinutesRepository } from '../prices/price-minutes.repository';
import { PricesRepository } from '../prices/prices.repository';
import type { Condition } from '../sources/rule/condition';
import type { DeleverageAction, Rule } from '../sources/rule/rule';
import { RulesRepository } from '../sources/rule/rules.repository';
import {
  type CheckedAction,
  checkAction,
  checkCondition,
  checkMayExecute,
  checkTarget,
  heldAsset,
} from './check-rule';
import { ExecutionLookup, PositionLookup, type PositionReading, RiskLookup, WebhookLookup } from './lookups';
import { previewRule } from './preview-rule';
import { ruleResponse } from './rule-response';
import { RuleWriter } from './rule-writer';

/** Most automation rules of an account, by tier (docs/decisions/0008-rules-and-drops.md). */
const RULES_CAP: Readonly<Record<Tier, number>> = { open: 0, pro: 0, business: 100, enterprise: 1_000 };
/** Most firings that a preview lists. The total counts all of them. */
const MOST_FIRINGS = 200;

@Injectable()
export class RulesService {
  constructor(
    private readonly pool: Pool,
    private readonly clock: Clock,
    private readonly watches: WatchesRepository,
    private readonly rules: RulesRepository,
    private readonly writer: RuleWriter,
    private readonly history: HistoryRepository,
    private readonly minutes: PriceMinutesRepository,
    private readonly prices: PricesRepository,
    private readonly positions: PositionLookup,
    private readonly risks: RiskLookup,
    private readonly webhooks: WebhookLookup,
    private readonly executions: ExecutionLookup,
  ) {}

  async create(
    identity: Identity,
    caller: Caller,
    body: CreateRuleBody,
    commit: Commit,
  ): Promise<Committed<RuleAnswer>> {
    const conditionType = checkCondition(body);
    const action = checkAction(identity, body.actionType, body.action);
    if (action.deleverage) checkTarget(body, action.deleverage, 'action.targetHealthFactor');
    const [{ figures, venue: place }] = await Promise.all([
      this.figuresOf(caller, body.positionId, conditionType),
      action.webhookId === null ? undefined : this.webhooks.check(caller, action.webhookId),
    ]);
    if (action.deleverage) await this.checkReadiness(caller, body, action.deleverage, body.action);
    const asset =
      body.asset === undefined ? null : heldAsset(body.asset, Object.keys(figures.holdings.prices));
    if (asset !== null) await this.refuseWithoutPrice(asset);
    const { accountId } = identity;
    return commit(async (tx) => {
      await this.watches.lockForWriting(tx);
      await this.refuseAboveCap(tx, identity);
      const nowMs = this.clock.now();
      const { name, conditionValue, positionId, isActive = true } = body;
      const times = { createdAtMs: nowMs, updatedAtMs: nowMs };
      const of = { id: newId('rule'), accountId, positionId, name };
      const rule: Rule = {
        ...of,
        conditionType,
        conditionValue,
        asset,
        ...action,
        deleverage: action.deleverage && { ...action.deleverage, place },
        isEndpointDeleted: false,
        mayExecute: true,
        isActive,
        ...times,
      };
      await this.writer.save(tx, rule, figures);
      return { status: 201, body: { rule: ruleResponse(rule) } };
    });
  }

  async update(identity: Identity, caller: Caller, id: string, body: UpdateRuleBody): Promise<Rule> {
    const known = await this.find(this.pool, identity, id);
    if (body.conditionValue !== undefined) checkCondition(conditionOf(known, body.conditionValue));
    const isActive = body.isActive ?? known.isActive;
    const action = this.changedAction(identity, known, body);
    const deleverage = action ? action.deleverage : known.deleverage;
    const isExecuting = isActive && deleverage !== null;
    if (isExecuting) checkMayExecute(identity);
    const condition = { ...known, conditionValue: body.conditionValue ?? known.conditionValue };
    if (deleverage) {
      const isNewTarget = action?.deleverage != null || body.conditionValue === undefined;
      checkTarget(condition, deleverage, isNewTarget ? 'action.targetHealthFactor' : 'conditionValue');
    }
    const [reading] = await Promise.all([
      isActive || action?.deleverage ? this.figuresOf(caller, known.positionId, known.conditionType) : null,
      action === null || action.webhookId === null || action.webhookId === known.webhookId
        ? undefined
        : this.webhooks.check(caller, action.webhookId),
    ]);
    if (isExecuting) await this.checkReadiness(caller, condition, deleverage, body.action);
    return inTransaction(this.pool, async (tx) => {
      await this.watches.lockForWriting(tx);
      const rule: Rule = {
        // Read again, because fields that this request does not name may have changed meanwhile.
        ...(await this.find(tx, identity, id)),
        ...(body.name !== undefined && { name: body.name }),
        ...(body.conditionValue !== undefined && { conditionValue: body.conditionValue }),
        ...(action && {
          ...action,
          deleverage: action.deleverage && reading && { ...action.deleverage, place: reading.venue },
        }),
        ...(body.isActive !== undefined && { isActive: body.isActive }),
        updatedAtMs: this.clock.now(),
      };
      await this.writer.save(tx, rule, isActive ? (reading?.figures ?? null) : null);
      return rule;
    });
  }

  delete(identity: Identity, id: string): Promise<void> {
    return inTransaction(this.pool, async (tx) => {
      await this.watches.lockForWriting(tx);
      await this.writer.delete(tx, await this.find(tx, identity, id));
    });
  }

  async preview(caller: Caller, body: RuleConditionBody): Promise<RulePreview> {
    const conditionType = checkCondition(body);
    const states = await this.history.of(this.pool, body.positionId);
    if (states.length === 0) await this.positions.read(caller, body.positionId);
    const held = [...new Set(states.flatMap(({ symbols }) => symbols))];
    const asset = body.asset === undefined || states.length === 0 ? null : heldAsset(body.asset, held);
    const history = asset === null ? states : await this.atMarketPrices(states, asset);
    const firings = previewRule({ conditionType, conditionValue: body.conditionValue, asset }, history);
    const time = (ms: number): string => new Date(ms).toISOString();
    const [first] = history;
    const last = history.at(-1);
    return {
      firedCount: firings.length,
      firings: firings.slice(-MOST_FIRINGS).map(({ firedAtMs, block, value, clearedAtMs }) => ({
        firedAt: time(firedAtMs),
        block,
        value: Number.isFinite(value) ? value : null,
        clearedAt: clearedAtMs === null ? null : time(clearedAtMs),
      })),
      history: {
        from: first ? time(first.atMs) : null,
        to: last ? time(last.atMs) : null,
        states: history.length,
        resolutionSeconds: HISTORY_STEP_MS / 1_000,
      },
    };
  }

  private async atMarketPrices(states: readonly HistoricState[], asset: string): Promise<HistoricState[]> {
    const sinceMs = states[0]?.atMs ?? 0;
    return marketHistory(states, await this.minutes.since(this.pool, [priceSymbol(asset)], sinceMs));
  }

  private async figuresOf(
    caller: Caller,
    positionId: string,
    conditionType: ConditionType,
  ): Promise<PositionReading> {
    const [{ figures, venue: place }, risk] = await Promise.all([
      this.positions.read(caller, positionId),
      isRiskCondition(conditionType) ? this.risks.read(caller, positionId) : null,
    ]);
    return { figures: { ...figures, ...risk }, venue: place };
  }

  /** Rejecting a rule is better than accepting one that can never execute. */
  private checkReadiness(
    caller: Caller,
    {
      positionId,
      conditionType,
      conditionValue,
    }: Pick<Rule, 'positionId' | 'conditionType' | 'conditionValue'>,
    { targetHealthFactor, strategy }: DeleverageAction,
    { walletSignature }: RuleActionBody = {},
  ): Promise<void> {
    return this.executions.check(caller, {
      positionId,
      targetHealthFactor,
      strategy,
      ...(conditionType === 'health_factor_below' && { belowHealthFactor: conditionValue }),
      ...(walletSignature !== undefined && { walletSignature }),
    });
  }

  private async find(tx: Pool | PoolClient, { accountId }: Identity, id: string): Promise<Rule> {
    const rule = await this.rules.find(tx, accountId, id);
    if (rule === null) throw notFound('rule');
    return rule;
  }

  /** Null when the request does not change the action. */
  private changedAction(
    identity: Identity,
    known: Rule,
    { actionType, action }: UpdateRuleBody,
  ): CheckedAction | null {
    const isSame = actionType === undefined || actionType === known.actionType;
    if (isSame && action === undefined) return null;
    return checkAction(identity, actionType ?? known.actionType, action);
  }

  /** Rejecting a rule is better than accepting one that can never fire. */
  private async refuseWithoutPrice(asset: string): Promise<void> {
    const name = priceSymbol(asset);
    if ((await this.prices.find(this.pool, [name])).has(name)) return;
    const message = `No market price of ${asset} is known. GET /v1/prices says which are.`;
    throw invalidRequest([{ field: 'asset', code: 'not_available', message }]);
  }

  private async refuseAboveCap(tx: PoolClient, { accountId, tier }: Identity): Promise<void> {
    const cap = RULES_CAP[tier];
    if ((await this.rules.count(tx, accountId)) < cap) return;
    const requiredTier = TIERS.find((each) => RULES_CAP[each] > cap);
    throw new Problem(
      'quota_reached',
      `This account has ${cap} rules, which is its limit. Delete one of them, or move to a higher tier.`,
      { ...(requiredTier && { requiredTier }) },
    );
  }
}

function conditionOf(rule: Rule, conditionValue: number): Parameters<typeof checkCondition>[0] {
  const { conditionType, asset }: Condition = rule;
  return { conditionType, conditionValue, asset: asset ?? undefined };
}
