import { type CreateRuleBody, type RuleAnswer, type RulePreview } from '@plimsoll/contracts';
import { outgoing } from '@plimsoll/event-bus';
import { Clock } from '@plimsoll/service-kit';
import { sampleWallet, waitFor } from '@plimsoll/testing';
import { AlertsHarness, newAccount } from './alerts-harness';
import { sampleRule, wethPosition } from './samples';
import { positionDetail } from './test-upstream';

jest.setTimeout(60_000);

const PATH = '/v1/automation/rules';

describe('rules on risk', () => {
  let harness: AlertsHarness;
  let wallets = 0;

  beforeAll(async () => {
    harness = await AlertsHarness.start();
  }, 120_000);
  afterAll(() => harness.close());

  /** A tracked position that no account watches. Its risk is not known yet. */
  const newPosition = async () => {
    const wallet = sampleWallet((wallets += 1));
    const state = wethPosition(wallet, 1, 'low', 2_000);
    harness.upstream.positions.set(state.id, positionDetail(state));
    await harness.publisher.publish(outgoing('position.v1', state));
    await harness.handled(state.id, 1);
    return { id: state.id, wallet };
  };
  const setRisk = (id: string, riskScore: number, liquidationProbability30d: number) =>
    harness.upstream.risks.set(id, { riskScore, liquidationProbability30d, standardError: 0.01 });
  const known = (id: string, riskScore: number) =>
    waitFor(
      async () => {
        const sql = 'SELECT risk_score AS score FROM positions WHERE id = $1';
        const [row] = await harness.query<{ score: number | null }>(sql, [id]);
        return row?.score === riskScore;
      },
      { message: `the risk of ${id} is known` },
    );
  const create = (accountId: string, positionId: string, over: Partial<CreateRuleBody>) =>
    harness.call<RuleAnswer>('POST', PATH, accountId, sampleRule(positionId, over));

  it.each([
    ['risk_score_above', 60, 'Guard: risk score 61.5 is above 60'],
    [
      'liquidation_probability_above',
      0.35,
      'Guard: liquidation probability within 30 days 40 % (standard error 1 %) is above 35 %',
    ],
  ] as const)(
    '%s fires immediately when it is met, and clears when the risk has fallen',
    async (type, value, title) => {
      const accountId = newAccount();
      const { id } = await newPosition();
      setRisk(id, 61.5, 0.4);
      expect((await create(accountId, id, { conditionType: type, conditionValue: value })).status).toBe(201);
      await harness.changes(accountId, ['active rule_triggered']);
      expect((await harness.list(accountId)).body.alerts[0]).toMatchObject({ message: expect.any(String) });
      const event = harness.alerts.events.find((each) => each.value?.accountId === accountId);
      expect(event?.value?.title).toBe(title);
      setRisk(id, 30, 0.1);
      await harness.changes(accountId, ['active rule_triggered', 'resolved rule_triggered']);
    },
  );

  it('fires without any event of the position, when its risk rises', async () => {
    const accountId = newAccount();
    const { id } = await newPosition();
    setRisk(id, 20, 0.02);
    await create(accountId, id, { conditionType: 'risk_score_above', conditionValue: 50 });
    await known(id, 20);
    expect(harness.published(accountId)).toEqual([]);
    setRisk(id, 55, 0.3);
    await harness.changes(accountId, ['active rule_triggered']);
  });

  it('a position whose risk cannot be computed delays no other, and its alert stays open', async () => {
    const [accountId, other] = [newAccount(), newAccount()];
    const { id } = await newPosition();
    const { id: away } = await newPosition();
    setRisk(id, 70, 0.5);
    setRisk(away, 70, 0.5);
    await create(other, away, { conditionType: 'risk_score_above', conditionValue: 60 });
    await harness.changes(other, ['active rule_triggered']);
    harness.upstream.risks.delete(away);
    await create(accountId, id, { conditionType: 'risk_score_above', conditionValue: 60 });
    setRisk(id, 10, 0.01);
    await harness.changes(accountId, ['active rule_triggered', 'resolved rule_triggered']);
    expect(harness.published(other)).toEqual(['active rule_triggered']);
  });

  it('503 while the risk is unavailable: no rule is created that could never fire', async () => {
    const { id } = await newPosition();
    const { status, body } = await create(newAccount(), id, {
      conditionType: 'risk_score_above',
      conditionValue: 60,
    });
    expect([status, body.code]).toEqual([503, 'upstream_unavailable']);
  });

  it('requests no risk of a position without a rule on risk', async () => {
    const { id } = await newPosition();
    setRisk(id, 70, 0.5);
    await create(newAccount(), id, { conditionType: 'health_factor_below', conditionValue: 1.1 });
    const [row] = await harness.query<{ at: Date | null }>(
      'SELECT risk_at AS at FROM positions WHERE id = $1',
      [id],
    );
    expect(row?.at).toBeNull();
  });

  it('a preview uses the stored risk', async () => {
    const accountId = newAccount();
    const { id, wallet } = await newPosition();
    setRisk(id, 70, 0.5);
    await create(accountId, id, { conditionType: 'risk_score_above', conditionValue: 60 });
    await harness.changes(accountId, ['active rule_triggered']);
    await known(id, 70);
    const later = harness.part(Clock).now() + 120_000;
    const next = wethPosition(wallet, 2, 'low', 2_001, { blockTime: new Date(later).toISOString() });
    await harness.publisher.publish(outgoing('position.v1', next));
    await harness.handled(id, 2);
    const condition = { conditionType: 'risk_score_above', conditionValue: 65, positionId: id };
    const preview = await harness.call<RulePreview>('POST', `${PATH}/preview`, accountId, condition);
    expect(preview.body.firings).toMatchObject([{ value: 70 }]);
  });
});
