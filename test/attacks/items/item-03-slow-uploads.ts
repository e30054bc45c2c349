import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { type Attack, check } from '../attack';
import { anyAddress, send } from '../client';

const SETTLE_MS = 500;

export const slowUploads: Attack = {
  item: '3',
  title: 'slow uploads of one account do not break a service for another',
  async run({ origin, account, isShort }) {
    const [attacker, other] = [await account('enterprise'), await account('enterprise')];
    const uploads = Array.from({ length: isShort ? 30 : 60 }, () => stalledUpload(origin, attacker.key));
    await delay(SETTLE_MS);
    const statuses: number[] = [];
    const times: number[] = [];
    for (let at = 0; at < (isShort ? 50 : 300); at += 1) {
      const { status, ms } = await send(origin, 'GET', '/v1/simulate/scenarios', { key: other.key });
      statuses.push(status);
      times.push(ms);
    }
    for (const upload of uploads) upload.destroy();
    const failed = statuses.filter((status) => status >= 500).length;
    return [
      check('no call of another account fails', failed === 0, `${failed} of ${statuses.length} failed`),
      check('none takes more than 250 ms', Math.max(...times) <= 250, `${Math.round(Math.max(...times))} ms`),
    ];
  },
};

/** Sends a head that states a body, and one byte of it. */
function stalledUpload(origin: string, key: string): Socket {
  const { hostname, port, host } = new URL(origin);
  const lines = [
    'POST /v1/simulate/what-if HTTP/1.1',
    `Host: ${host}`,
    `x-api-key: ${key}`,
    `x-forwarded-for: ${anyAddress()}`,
    'Content-Type: application/json',
    'Content-Length: 1000',
  ];
  const socket = connect(Number(port), hostname, () => socket.write(`${lines.join('\r\n')}\r\n\r\n{`));
  return socket.on('error', () => socket.destroy());
}
