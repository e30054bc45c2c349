import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { workspaceRoot } from '@plimsoll/local-parts';
import { waitFor } from '@plimsoll/testing';
import { ReceiptScene } from '../receipts/receipt-cases';
import { simulationCases } from '../receipts/simulation-tamperings';
import { FaultProxy } from './fault-proxy';
import type { ClientScene } from './go-client';
import type { Program } from './programs';

const MOST_MS = 1_200_000;
/** Where pip finds packages on this machine. */
const ofPip = Object.fromEntries(Object.entries(process.env).filter(([name]) => name.startsWith('PIP_')));

/** The Python client against the platform of the suite. */
export function describePythonClient(scene: () => ClientScene): void {
  describe('the Python client', () => {
    let receipts: ReceiptScene;

    beforeAll(async () => {
      receipts = await ReceiptScene.start();
    }, 300_000);
    afterAll(() => receipts?.close());

    it(
      'holds in an environment that has only its wheel',
      async () => {
        const { programs, environment, folder } = scene();
        const cases = path.join(folder, 'receipt-cases.json');
        const { cases: ofReceipts, logCases: log, anchorCases: anchors } = receipts;
        await writeFile(
          cases,
          JSON.stringify({ receipts: ofReceipts, log, anchors, simulations: simulationCases() }),
        );
        const tool = path.join(workspaceRoot(), 'tools/python-client.cjs');
        const program = programs.start(process.execPath, [tool], {
          cwd: workspaceRoot(),
          env: { HOME: process.env['HOME'], ...ofPip, ...environment, RECEIPT_CASES: cases },
        });
        const code = await program.ended;
        expect([code, code === 0 ? '' : `${program.lines.join('\n')}\n${program.errors()}`]).toEqual([0, '']);
        expect(program.lines.at(-1)).toMatch(/^The Python client holds: /);
      },
      MOST_MS,
    );

    describe('behind a proxy', () => {
      let proxy: FaultProxy;

      beforeAll(async () => {
        proxy = await FaultProxy.start(new URL(scene().platform.baseUrl).origin);
      });
      afterAll(() => proxy?.stop());

      /** Python of the environment of the wheel, which the test before this one made. */
      function start(): Program {
        const { programs, environment, folder } = scene();
        const python = path.join(workspaceRoot(), '.local/python-client/clean/bin/python');
        const env = { ...environment, PLIMSOLL_URL: proxy.url };
        return programs.start(python, ['-c', READ_CHAINS], { cwd: folder, env });
      }
      async function prints(program: Program): Promise<void> {
        expect([await program.ended, program.errors(), program.lines]).toEqual([0, '', ['2']]);
      }

      it('gets a result over genuine resets, stalls, 500, 429 and truncated responses', async () => {
        proxy.faults.push('reset', 'stall', 'internal', 'limited', 'truncated', 'reset-after', 'bad-gateway');
        await prints(start());
        expect(proxy.faults).toEqual([]);
      }, 120_000);

      it('waits while the gateway restarts', async () => {
        const { gateway } = scene().platform.services;
        await gateway.stop();
        const before = proxy.forwarded.length;
        const program = start();
        await waitFor(() => proxy.forwarded.length > before, { message: 'the first request' });
        await gateway.start();
        await prints(program);
      }, 120_000);
    });
  });
}

const READ_CHAINS = `
import os
from plimsoll import Plimsoll

with Plimsoll(os.environ["PLIMSOLL_API_KEY"], os.environ["PLIMSOLL_URL"], timeout=2, max_retries=12) as client:
    print(len(client.chains.list(limit=2).first_page().chains))
`;
