import type { AiConfig } from '../config';
import type { ModelBudget } from './model-budget';
import { ModelCalls } from './model-calls';
import { ModelFailure, type ModelFailureKind } from './model-failure';
import type { Prompt, TokenUsage, Written } from './model-port';
import { Allowance } from './spending';

const PROMPT: Prompt = { system: 'Write.', user: '{}' };
const WRITTEN: Written = { draft: { claims: [], cannotAnswer: null }, usage: { input: 7, output: 1 } };
const FAILURES_TO_OPEN = 5;

describe('ModelCalls', () => {
  const payer = { accountId: 'acc_1', allowance: new Allowance({ tokens: 1, nanoUsd: 0n }) };
  const stays = new AbortController().signal;
  let response: () => Promise<Written>;
  let asked: number;
  let settled: (TokenUsage | null)[];
  let hasBudget: boolean;
  let givenBack: number;
  let calls: ModelCalls;

  const fail = (kind: ModelFailureKind, options = {}): void => {
    response = () => Promise.reject(new ModelFailure(kind, options));
  };
  const kindOf = (signal = stays): Promise<string> =>
    calls.write(PROMPT, payer, signal).then(
      () => 'written',
      (error: ModelFailure) => error.kind,
    );

  beforeEach(() => {
    [asked, settled, hasBudget, givenBack] = [0, [], true, 0];
    const model = { write: () => ((asked += 1), response()) };
    const budget = {
      reserve: () =>
        Promise.resolve(
          hasBudget ? (usage: TokenUsage | null) => Promise.resolve(void settled.push(usage)) : null,
        ),
    };
    const slots = { acquireShared: () => Promise.resolve(() => void (givenBack += 1)) };
    calls = new ModelCalls(
      { AI_CONCURRENCY: 1, AI_MAX_OUTPUT_TOKENS: 100 } as AiConfig,
      model,
      budget as unknown as ModelBudget,
      slots as unknown as ConstructorParameters<typeof ModelCalls>[3],
    );
  });
  afterEach(() => jest.restoreAllMocks());

  it('returns the draft, its slot, and the unused tokens', async () => {
    response = () => Promise.resolve(WRITTEN);
    expect(await calls.write(PROMPT, payer, stays)).toBe(WRITTEN.draft);
    expect({ settled, givenBack }).toEqual({ settled: [WRITTEN.usage], givenBack: 1 });
  });

  it.each([
    ['failed', 3],
    ['unreachable', 3],
    ['rate_limited', 3],
    ['refused', 1],
    ['broken_draft', 1],
    ['late', 1],
  ] as const)('%s is tried %i times', async (kind, tries) => {
    fail(kind);
    expect(await kindOf()).toBe(kind);
    expect({ asked, givenBack }).toEqual({ asked: tries, givenBack: 1 });
  });

  it('waits no longer than its deadline for a provider that requests a long pause', async () => {
    fail('rate_limited', { retryAfterMs: 30_000 });
    expect(await kindOf()).toBe('rate_limited');
    expect(asked).toBe(1);
  });

  it('after five failures in a row makes one attempt a second', async () => {
    const now = jest.spyOn(performance, 'now').mockReturnValue(0);
    fail('late');
    for (let call = 0; call < FAILURES_TO_OPEN; call += 1) await kindOf();
    expect(await kindOf()).toBe('away');
    expect(asked).toBe(FAILURES_TO_OPEN);
    now.mockReturnValue(1_000);
    response = () => Promise.resolve(WRITTEN);
    expect(await kindOf()).toBe('written');
    expect(await kindOf()).toBe('written');
  });

  it('does not count a caller who disconnects as a failure of the model', async () => {
    jest.spyOn(performance, 'now').mockReturnValue(0);
    fail('left');
    for (let call = 0; call <= FAILURES_TO_OPEN; call += 1) expect(await kindOf()).toBe('left');
  });

  it('retries only while its retry budget lasts', async () => {
    jest.spyOn(Math, 'random').mockReturnValue(0);
    const now = jest.spyOn(performance, 'now');
    fail('failed');
    for (let call = 0; call < 7; call += 1) {
      now.mockReturnValue(call * 10_000);
      await kindOf();
    }
    expect(asked).toBeLessThanOrEqual(7 + 10);
  }, 30_000);

  it('makes no call without budget', async () => {
    hasBudget = false;
    expect(await kindOf()).toBe('over_budget');
    expect({ asked, givenBack }).toEqual({ asked: 0, givenBack: 1 });
  });

  it('does not refund the tokens of a failed call if their number is unknown', async () => {
    fail('late');
    await kindOf();
    fail('refused', { usage: { input: 0, output: 0 } });
    await kindOf();
    expect(settled).toEqual([null, { input: 0, output: 0 }]);
  });
});
