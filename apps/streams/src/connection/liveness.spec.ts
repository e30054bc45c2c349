import { LIMITS } from '../limits';
import { Liveness } from './liveness';

describe('Liveness', () => {
  it('sends a ping at every interval while pongs arrive', () => {
    const liveness = new Liveness(1_000, 0);
    expect(liveness.tick(999, 0)).toBeNull();
    expect(liveness.tick(1_000, 0)).toBe('heartbeat');
    liveness.pongReceived();
    expect(liveness.tick(1_500, 0)).toBeNull();
    expect(liveness.tick(2_000, 0)).toBe('heartbeat');
    expect(liveness.heartbeats).toBe(2);
  });

  it('reports a missing pong at the next interval', () => {
    const liveness = new Liveness(1_000, 0);
    liveness.tick(1_000, 0);
    expect(liveness.tick(1_999, 0)).toBeNull();
    expect(liveness.tick(2_000, 0)).toBe('no_pong');
  });

  it('is stalled when the client reads nothing for ten seconds', () => {
    const liveness = new Liveness(60_000, 0);
    expect(liveness.tick(1_000, 500)).toBeNull();
    expect(liveness.tick(9_000, 400)).toBeNull();
    expect(liveness.tick(9_000 + LIMITS.stalledMs - 1, 900)).toBeNull();
    expect(liveness.tick(9_000 + LIMITS.stalledMs, 900)).toBe('stalled');
  });
});
