import { Gauge } from 'prom-client';

export const activeSandboxes = new Gauge({
  name: 'sandbox_active_markets',
  help: 'Test markets that run or start',
});
