import { Clock } from '@plimsoll/service-kit';
import { Pool } from 'pg';
import { Leader } from './leader';
import { LeaseRepository } from './lease.repository';

/** A lease whose database responds as the test decides. */
class SlowLease extends LeaseRepository {
  readonly responses: ((leads: boolean) => void)[] = [];

  override acquire(): Promise<boolean> {
    return new Promise((resolve) => this.responses.push(resolve));
  }

  override release(): Promise<void> {
    return Promise.resolve();
  }
}

describe('Leader', () => {
  let lease: SlowLease;
  let leader: Leader;
  let isWorking: boolean;
  const pass = (ms: number): Promise<void> => jest.advanceTimersByTimeAsync(ms);

  beforeEach(() => {
    jest.useFakeTimers();
    const pool = new Pool();
    lease = new SlowLease(pool);
    const clock = new Clock();
    clock.now = () => Date.now();
    clock.random = () => 0.5;
    leader = new Leader(lease, pool, clock);
    isWorking = false;
    leader.register({
      start: () => (isWorking = true),
      stop: () => Promise.resolve(void (isWorking = false)),
    });
    leader.onApplicationBootstrap();
  });
  afterEach(async () => {
    const stopped = leader.beforeApplicationShutdown();
    await pass(3_000);
    await stopped;
    jest.useRealTimers();
  });

  it('leads while it holds the lease, and not while another does', async () => {
    lease.responses.shift()?.(true);
    await pass(3_000);
    expect(isWorking).toBe(true);
    lease.responses.shift()?.(false);
    await pass(0);
    expect(isWorking).toBe(false);
  });

  it('has ended its work when the lease expires, nine seconds after the last request to the database', async () => {
    await pass(2_900);
    lease.responses.shift()?.(true);
    await pass(0);
    expect(isWorking).toBe(true);
    await pass(6_100);
    expect(isWorking).toBe(false);
  });
});
