import type { RunningPart } from '@plimsoll/local-parts';
import type { GatewayStack } from './gateway-stack';
import type { DemoAccount } from './demo-account';
import { type ContenderEnvironment, startNginxLimitReq, startNginxLua } from './nginx';
import { startNode } from './start-node';

export const CONTENDERS = [
  'ours',
  'oursTwoProcesses',
  'nginxLua',
  'nginxLimitReq',
  'fastify',
  'nest',
] as const;
export type ContenderName = (typeof CONTENDERS)[number];

/** A contender: the ports of its processes, each with one process that handles requests. */
export interface Contender {
  name: ContenderName;
  parts: RunningPart[];
}

/** Starts all of them. A contender that cannot run on this machine is omitted. */
export async function startContenders(stack: GatewayStack, account: DemoAccount): Promise<Contender[]> {
  const around: ContenderEnvironment = {
    logFolder: stack.folder,
    upstreamPort: stack.upstream.port,
    redisPort: stack.redis.port,
    account,
  };
  const node = (name: string, file: string): Promise<RunningPart> =>
    startNode(name, file, stack.folder, {
      REDIS_URL: stack.redis.url,
      UPSTREAM: stack.upstream.url,
      KEY: account.key,
    });
  const first = await stack.startGateway();
  const second = await stack.startGateway();
  const started: Record<ContenderName, (RunningPart | undefined)[]> = {
    ours: [first],
    oursTwoProcesses: [first, second],
    nginxLua: [await startNginxLua(around)],
    nginxLimitReq: [await startNginxLimitReq(around)],
    fastify: [await node('fastify', 'contenders/fastify.ts')],
    nest: [await node('nest', 'contenders/nest.ts')],
  };
  return CONTENDERS.flatMap((name) => {
    const parts = started[name].filter((part) => part !== undefined);
    return parts.length > 0 ? [{ name, parts }] : [];
  });
}
