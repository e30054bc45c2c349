import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { BareCommand } from './bare-process';
import { NODE_ARGS } from './node-args';
import type { Contender, ContenderName, Protocol } from './types';

const SOCKET_IO_PATH = '/socket.io/?EIO=4&transport=websocket';

/** Starts a peer of bare-process.ts. */
export async function startBare(name: ContenderName): Promise<Contender> {
  const child: ChildProcess = fork(path.join(__dirname, 'bare-process.ts'), [name], {
    execArgv: [...NODE_ARGS, '-r', '@swc-node/register'],
  });
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  const tell = (command: BareCommand): boolean => child.send(command);
  const isSocketIo = name === 'bareSocketIo';
  const protocol: Protocol = isSocketIo ? 'socket.io' : 'websocket';
  return {
    pid: child.pid ?? 0,
    target: {
      port,
      protocol,
      path: isSocketIo ? SOCKET_IO_PATH : '/',
      headers: [{}],
      greetings: isSocketIo ? ['42["subscribe",{"id":"all"}]'] : [],
    },
    broadcast: (messagesPerSecond) => {
      tell({ messagesPerSecond });
      return {
        stop: async () => {
          tell({ messagesPerSecond: 0 });
        },
      };
    },
    end: async () => {
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}
