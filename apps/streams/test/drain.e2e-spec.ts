import { StreamsHarness, newAccount } from './streams-harness';

jest.setTimeout(60_000);

describe('a stop of the service', () => {
  it('sends every client the time to reconnect, and closes with 4001', async () => {
    const harness = await StreamsHarness.start({ RECONNECT_SPREAD_MS: 500 });
    const clients = await Promise.all([
      harness.subscribe('positions', newAccount()),
      harness.connect('alerts', newAccount()),
    ]);
    const startedAt = performance.now();
    await harness.app.close();
    expect(performance.now() - startedAt).toBeLessThan(10_000);
    for (const client of clients) {
      expect(await client.closeCode()).toBe(4001);
      const [draining] = client.of('draining');
      expect(draining?.reconnectAfterMs).toBeGreaterThanOrEqual(0);
      expect(draining?.reconnectAfterMs).toBeLessThanOrEqual(500);
    }
    await harness.close();
  });
});
