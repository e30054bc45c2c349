import { derivedId } from '@plimsoll/contracts';
import { sampleWallet } from '@plimsoll/testing';
import { stablePair, wethPosition } from '../../test/samples';
import { groupBatch } from '../lifecycle/batch-groups';
import { positionState } from '../positions/position-state';
import { RuleIndex } from '../sources/rule/rule';
import { PositionEvaluator } from './position-evaluator';

const NOW = Date.parse('2026-11-23T12:00:00.250Z');
const ACCOUNT = derivedId('acc', 1);
const WALLETS = [sampleWallet(1), sampleWallet(2), sampleWallet(3)] as const;

describe('groupBatch', () => {
  it('groups alerts of one depeg by the price moves of a second, and others by their block', () => {
    let made = 0;
    const states = [
      positionState(stablePair(WALLETS[0], 1)),
      positionState(stablePair(WALLETS[1], 7)),
      positionState(wethPosition(WALLETS[2], 1, 'critical', 1_300)),
    ];
    const evaluator = new PositionEvaluator(
      {
        alerts: [],
        watchers: new Map(WALLETS.map((wallet) => [wallet, new Map([[ACCOUNT, null]])])),
        preferences: new Map(),
        rules: new RuleIndex([]),
        prices: { USDC: 0.995, DAI: 1, ETH: 1_300 },
      },
      { nowMs: NOW, newId: (prefix) => derivedId(prefix, (made += 1)) },
    );
    for (const position of states)
      evaluator.evaluate({ position, previous: null, atMs: NOW, ageBlocks: 0, cause: {} });
    const members = groupBatch(evaluator.outcome, new Map(states.map((state) => [state.id, state])), NOW);
    expect(members.map(({ groupCause }) => groupCause)).toEqual([
      { kind: 'prices', chainId: null, block: null, at: '2026-11-23T12:00:00.000Z' },
      { kind: 'prices', chainId: null, block: null, at: '2026-11-23T12:00:00.000Z' },
      expect.objectContaining({ kind: 'block', block: 101 }),
    ]);
    const groups = evaluator.outcome.events.map(({ value }) => value.groupId);
    expect(groups[0]).toBe(members[0]?.groupId);
    expect(groups.slice(1)).toEqual([groups[0], undefined]);
  });
});
