import type { PositionV1 } from '@plimsoll/contracts';
import type { ReceivedEvent } from '@plimsoll/event-bus';
import { samplePosition, sampleWallet } from '@plimsoll/testing';
import fc from 'fast-check';
import { freshStates } from './fresh-states';
import { positionState } from './position-state';

const event = (value: PositionV1 | null, key = value?.id ?? 'pos_gone'): ReceivedEvent<PositionV1> => ({
  id: 'evt_1',
  key,
  value,
  time: 0,
  offset: '0',
  partition: 0,
  requestId: 'req-1',
});
const at = (wallet: number, sequence: number): ReceivedEvent<PositionV1> =>
  event(samplePosition(sampleWallet(wallet), sequence, 'high'));
const known = (...states: [wallet: number, sequence: number][]) =>
  new Map(
    states.map(([wallet, sequence]) => [
      idOf(wallet),
      positionState(samplePosition(sampleWallet(wallet), sequence, 'high')),
    ]),
  );
const idOf = (wallet: number): string => samplePosition(sampleWallet(wallet), 1, 'high').id;

describe('freshStates', () => {
  it('omits events that are not above the stored sequence, in the log and within the batch', () => {
    const events = [at(1, 4), at(1, 5), at(2, 1), at(1, 5), at(1, 6), at(1, 3)];
    const { evaluations, latest } = freshStates(events, known([1, 4]));
    expect(evaluations.map(({ position }) => [position.id, position.sequence])).toEqual([
      [idOf(1), 5],
      [idOf(2), 1],
      [idOf(1), 6],
    ]);
    expect(latest.map(({ sequence }) => sequence)).toEqual([6, 1]);
  });

  it('states how far a state is behind the newest block of its chain in the batch', () => {
    const { evaluations } = freshStates([at(1, 1), at(2, 8)], new Map());
    expect(evaluations.map(({ ageBlocks }) => ageBlocks)).toEqual([7, 0]);
  });

  it('ignores a tombstone', () => {
    expect(freshStates([event(null)], new Map())).toEqual({ evaluations: [], latest: [] });
  });

  it('returns rising sequences for each position, in any order of arrival', () => {
    const events = fc.array(fc.tuple(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 9 })));
    fc.assert(
      fc.property(events, fc.integer({ min: 1, max: 5 }), (pairs, before) => {
        const read = pairs.map(([wallet, sequence]) => at(wallet, sequence));
        const last = new Map([1, 2, 3].map((wallet) => [idOf(wallet), before]));
        const states = known([1, before], [2, before], [3, before]);
        for (const { position, previous } of freshStates(read, states).evaluations) {
          expect(previous?.sequence).toBe(last.get(position.id));
          expect(position.sequence).toBeGreaterThan(last.get(position.id) ?? 0);
          last.set(position.id, position.sequence);
        }
      }),
    );
  });
});
