import { register } from 'prom-client';
import { DeliveryMetrics } from './delivery-metrics';

describe('DeliveryMetrics', () => {
  it('reports the current values of the service that started last', async () => {
    const current = { inFlight: 1, failing: 0 };
    new DeliveryMetrics().watch(() => ({ inFlight: 99, failing: 99 }));
    new DeliveryMetrics().watch(() => current);
    current.inFlight = 7;
    current.failing = 2;
    const text = await register.metrics();
    expect(text).toContain('\nwebhook_attempts_in_flight 7\n');
    expect(text).toContain('\nwebhook_endpoints_failing 2\n');
  });
});
