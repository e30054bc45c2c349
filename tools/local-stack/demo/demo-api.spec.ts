import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DemoApi } from './demo-api';

describe('DemoApi', () => {
  let server: Server;
  /** The next responses: a status, or 0 for a connection that ends. */
  let plan: number[];
  let requests: number;

  const api = (patienceMs: number): DemoApi =>
    new DemoApi(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, 'psk', patienceMs);

  beforeEach(async () => {
    requests = 0;
    server = createServer((_request, response) => {
      requests += 1;
      const status = plan.shift() ?? 200;
      if (status === 0) response.destroy();
      else response.writeHead(status).end(JSON.stringify({ wallets: [{ address: '0xAB' }] }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });

  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  it('sends a request again while services are still starting', async () => {
    plan = [503, 0, 429];
    await expect(api(60_000).watchedWallets()).resolves.toEqual(new Set(['0xab']));
    expect(requests).toBe(4);
  });

  it('does not repeat a request that was rejected', async () => {
    plan = [400];
    await expect(api(60_000).watch('0xab')).rejects.toThrow('POST /wallets returned 400');
    expect(requests).toBe(1);
  });

  it('gives up after a time, with the last response or failure', async () => {
    plan = Array.from({ length: 50 }, () => 503);
    await expect(api(1).watch('0xab')).rejects.toThrow('POST /wallets returned 503');
    plan = Array.from({ length: 50 }, () => 0);
    await expect(api(1).watch('0xab')).rejects.toThrow('fetch failed');
  });
});
