import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { findFreePort, isPortFree } from './free-port';

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

  it('gives a port that is free and that no outgoing connection takes', async () => {
    const port = await findFreePort();
    expect(await isPortFree(port)).toBe(true);
    expect(port).toBeLessThan(32_768);
  });
});
