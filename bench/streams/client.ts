import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { Reply, Command } from './client-process';

/** The process that holds the clients of a load. */
export interface Client {
  ask(command: Command): Promise<Reply>;
  /** Messages from now on count. */
  begin(): void;
  kill(): void;
}

export function startClient(): Client {
  const client = fork(path.join(__dirname, 'client-process.ts'), { execArgv: ['-r', '@swc-node/register'] });
  return {
    ask: async (command) => {
      client.send(command);
      const [response] = (await once(client, 'message')) as [Reply];
      return response;
    },
    begin: () => void client.send({ do: 'begin' } satisfies Command),
    kill: () => void client.kill('SIGKILL'),
  };
}
