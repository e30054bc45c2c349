import { SERVICES, createKeys, rotateKeys, servicesOf } from '@plimsoll/access';
import type { Command } from './parse-command';

export type IdentityKeysCommand = Extract<Command, { name: `identity-keys ${string}` }>;

/** Creates or rotates keys of the signed identity. Processes read the changed files themselves. */
export function changeIdentityKeys(command: IdentityKeysCommand, folder: string, nowMs: number): object {
  if (command.name === 'identity-keys create')
    return { folder, created: createKeys(folder, SERVICES, nowMs) };
  const services = command.service ? [command.service] : servicesOf(folder);
  const fromMs = nowMs + command.afterSeconds * 1_000;
  const overlapMs = command.overlapSeconds * 1_000;
  return {
    folder,
    keys: rotateKeys(folder, services, { nowMs, fromMs, overlapMs }),
    inUseFrom: new Date(fromMs).toISOString(),
    formerUntil: new Date(fromMs + overlapMs).toISOString(),
  };
}
