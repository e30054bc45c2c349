import path from 'node:path';

/**
 * Arguments of Node for a process that collects its garbage every ten minutes. V8 collects the old generation only
 * when it has grown by a part of what is alive. An idle process needs minutes or hours for that, which looks like
 * a leak.
 */
export const COLLECT_REGULARLY: readonly string[] = [
  '--expose-gc',
  '--require',
  path.join(__dirname, 'collect-garbage.cjs'),
];
