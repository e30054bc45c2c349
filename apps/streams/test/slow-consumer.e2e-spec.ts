import { OperationsServer } from '@plimsoll/service-kit';
import { waitFor } from '@plimsoll/testing';
import { StreamsHarness, newAccount } from './streams-harness';

jest.setTimeout(90_000);

describe('a client that does not read', () => {
  let harness: StreamsHarness;
  beforeAll(async () => {
    harness = await StreamsHarness.start();
  }, 120_000);
  afterAll(() => harness.close());

  it('is closed with 4008, while another client continues', async () => {
    const accountId = newAccount();
    const wallet = harness.newWallet();
    const [slow, healthy] = await Promise.all([
      harness.subscribe('alerts', accountId),
      harness.subscribe('alerts', accountId),
    ]);
    slow.socket.pause();
    const message = 'x'.repeat(100_000);
    let sent = 0;
    // The kernel's buffers fill before ours.
    await waitFor(
      async () => {
        for (let batch = 0; batch < 10; batch += 1)
          await harness.alert(accountId, wallet, 'critical', { message });
        await healthy.waitFor('event', (sent += 10));
        const metrics = await fetch(`${harness.app.get(OperationsServer).origin}/metrics`);
        return (await metrics.text()).includes('streams_closes_total{code="4008"} 1');
      },
      { message: 'the slow one is closed', timeoutMs: 30_000, intervalMs: 0 },
    );
    // The close frame follows the unsent data: 1006 when the deadline closed the socket before it was read.
    slow.socket.resume();
    expect([4008, 1006]).toContain(await slow.closeCode());
    expect(healthy.closed).toBeNull();
  });
});
