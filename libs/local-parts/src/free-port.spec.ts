import { execFile } from 'node:child_process';
import crypto from 'node:crypto';
import path from 'node:path';
import { promisify } from 'node:util';
import { findFreePort, isPortFree, keepPort } from './free-port';

const run = promisify(execFile);
const PROCESSES = 3;
const EACH = 200;
const SCRIPT = `
const { findFreePort } = require(${JSON.stringify(path.join(__dirname, 'free-port.ts'))});
(async () => {
  const ports = [];
  for (let count = 0; count < ${EACH}; count += 1) ports.push(await findFreePort());
  console.log(JSON.stringify(ports));
})();`;

describe('findFreePort', () => {
  it('gives no port to two processes', async () => {
    const outputs = await Promise.all(
      Array.from({ length: PROCESSES }, () =>
        run(process.execPath, ['-r', '@swc-node/register', '-e', SCRIPT]),
      ),
    );
    const ports = outputs.flatMap(({ stdout }) => JSON.parse(stdout) as number[]);
    expect(ports).toHaveLength(PROCESSES * EACH);
    expect(new Set(ports).size).toBe(ports.length);
  });

  it('gives no port that its server keeps while it starts again', async () => {
    const kept = await findFreePort();
    // The reservation of the first call does not count then.
    jest.spyOn(Date, 'now').mockReturnValue(Date.now() - 3_600_000);
    keepPort(kept);
    const random = jest.spyOn(crypto, 'randomInt').mockImplementationOnce(() => kept);
    try {
      expect(await findFreePort()).not.toBe(kept);
      expect(random.mock.calls.length).toBeGreaterThan(1);
    } finally {
      jest.restoreAllMocks();
    }
  });

  it('gives a port that is free and that no outgoing connection takes', async () => {
    const port = await findFreePort();
    expect(await isPortFree(port)).toBe(true);
    expect(port).toBeLessThan(32_768);
  });
});
