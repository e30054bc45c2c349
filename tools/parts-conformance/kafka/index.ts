import path from 'node:path';
import { connect } from 'node:net';
import {
  findFreePort,
  startKafka,
  startServer,
  workspaceRoot,
  type RunningPart,
} from '@plimsoll/local-parts';
import type { Suite } from '../check';
import { startPart } from '../start-part';
import { clusterChecks } from './cluster-checks';
import { configChecks } from './config-checks';
import { consumerChecks } from './consumer-checks';
import { crashChecks } from './crash-checks';
import { fetchChecks } from './fetch-checks';
import { groupChecks } from './group-checks';
import { committedOffsetChecks } from './committed-offset-checks';
import { offsetChecks } from './offset-checks';
import { produceChecks } from './produce-checks';
import { topicChecks } from './topic-checks';

export const kafkaSuite: Suite = {
  part: 'kafka',
  checks: [
    ...clusterChecks,
    ...topicChecks,
    ...configChecks,
    ...produceChecks,
    ...fetchChecks,
    ...offsetChecks,
    ...groupChecks,
    ...committedOffsetChecks,
    ...consumerChecks,
    ...crashChecks,
  ],
  startEmbedded: (folder) => startPart((port) => startEmbedded(folder, port)),
  startGenuine: (folder) =>
    startPart((port) => startKafka({ dataDir: folder, logFile: `${folder}.log`, port })),
};

async function startEmbedded(folder: string, wanted: number | undefined): Promise<RunningPart> {
  const port = wanted ?? (await findFreePort());
  return startServer({
    name: 'local-broker',
    url: `127.0.0.1:${port}`,
    port,
    file: process.execPath,
    args: [
      path.join(workspaceRoot(), 'libs/local-broker/bin.cjs'),
      '--data-dir',
      folder,
      '--port',
      String(port),
    ],
    logFile: `${folder}.log`,
    isReady: () => accepts(port),
  });
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
