import { existsSync } from 'node:fs';

interface Tool {
  says: string;
  steps: string[][];
}

const { TOOLS, commandOf } = require('./tool.cjs') as {
  TOOLS: Record<string, Tool>;
  commandOf: (step: string[]) => [command: string, script: string];
};

describe('npm run tool', () => {
  it.each(Object.entries(TOOLS))('%s starts files that exist', (_name, { steps }) => {
    for (const step of steps) {
      const [command, script] = commandOf(step);
      const files = [
        ...(command === process.execPath ? [script] : []),
        ...step.filter((word) => word.endsWith('.ts')),
      ];
      for (const file of files) expect({ file, exists: existsSync(file) }).toEqual({ file, exists: true });
    }
  });
});
