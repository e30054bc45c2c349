import path from 'node:path';
import { workspaceRoot } from '@plimsoll/local-parts';
import type { ClientScene } from './go-client';

const MOST_MS = 600_000;
/** Where pip finds packages on this machine. */
const ofPip = Object.fromEntries(Object.entries(process.env).filter(([name]) => name.startsWith('PIP_')));

/** The Python client against the platform of the suite. */
export function describePythonClient(scene: () => ClientScene): void {
  describe('the Python client', () => {
    it(
      'holds in an environment that has only its wheel',
      async () => {
        const { programs, environment } = scene();
        const tool = path.join(workspaceRoot(), 'tools/python-client.cjs');
        const program = programs.start(process.execPath, [tool], {
          cwd: workspaceRoot(),
          env: { HOME: process.env['HOME'], ...ofPip, ...environment },
        });
        const code = await program.ended;
        expect([code, code === 0 ? '' : `${program.lines.join('\n')}\n${program.errors()}`]).toEqual([0, '']);
        expect(program.lines.at(-1)).toMatch(/^The Python client holds: /);
      },
      MOST_MS,
    );
  });
}
