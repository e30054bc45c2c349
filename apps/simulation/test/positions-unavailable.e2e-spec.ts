import { samplePosition } from './samples';
import { SimulationHarness } from './simulation-harness';

describe('the positions service is unavailable', () => {
  let harness: SimulationHarness;
  const ask = () =>
    harness.call('POST', '/v1/simulate/stress-test', {
      positionId: samplePosition('any', { WETH: 1 }, {}).id,
      scenarios: ['march_2020'],
    });

  beforeEach(async () => {
    harness = await SimulationHarness.start([]);
    harness.storePosition(samplePosition('any', { WETH: 1 }, {}));
  }, 60_000);
  afterEach(() => harness.close());

  it('503 with Retry-After while it is not ready, after two attempts while the retry budget lasts', async () => {
    harness.upstream.failure = 503;
    const { status, headers } = await ask();
    expect([status, headers.get('retry-after')]).toEqual([503, '1']);
    expect(harness.upstream.calls).toHaveLength(2);
    for (let call = 0; call < 30; call += 1) await ask();
    expect(harness.upstream.calls.length).toBeLessThan(31 + 16);
  });

  it('502 when it fails, without another attempt', async () => {
    harness.upstream.failure = 500;
    expect((await ask()).body.code).toBe('upstream_failed');
    expect(harness.upstream.calls).toHaveLength(1);
  });

  it('504 within its deadline while it does not respond, and a success when it does', async () => {
    harness.upstream.isSilent = true;
    const before = performance.now();
    expect((await ask()).body.code).toBe('upstream_timeout');
    expect(performance.now() - before).toBeLessThan(7_000);
    harness.upstream.isSilent = false;
    expect((await ask()).status).toBe(200);
  }, 20_000);

  it('503 immediately, without a request, after failures in a row', async () => {
    await harness.upstream.close();
    for (let call = 0; call < 5; call += 1) expect((await ask()).status).toBe(503);
    const before = performance.now();
    expect((await ask()).status).toBe(503);
    expect(performance.now() - before).toBeLessThan(2_000);
  });
});
