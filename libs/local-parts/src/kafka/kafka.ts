import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Kafka, logLevel } from '@plimsoll/kafkajs';
import { findFreePort, startOnPort } from '../free-port';
import { ensureClassArchive, KAFKA_NEXT_STEP, kafkaClassPath, kafkaLogSettings } from './kafka-files';
import { type SecuredListeners, brokerSettings, scramArguments } from './kafka-settings';
import { startServer } from '../part-process';
import { runCommand } from '../run-command';
import type { PartOptions, RunningPart } from '../running-part';
import { defaultCacheDir } from '../workspace';

const HEAP = ['-Xmx384m', '-XX:+UseSerialGC'];

/** Options of startKafka. */
export interface KafkaPartOptions extends PartOptions {
  /** Listeners with TLS, and access control for their clients. */
  secured?: SecuredListeners;
}

/** One Kafka 4.2 node (KRaft: broker and controller in one), without automatic topics. Throws PartError. */
export async function startKafka(options: KafkaPartOptions): Promise<RunningPart> {
  const cacheDir = options.cacheDir ?? defaultCacheDir();
  const classPath = await kafkaClassPath(cacheDir);
  const archive = await ensureClassArchive(cacheDir, async (file, dataDir) => {
    const training = { dataDir, logFile: path.join(dataDir, 'training.log') };
    const broker = await startBroker(training, classPath, `-XX:ArchiveClassesAtExit=${file}`);
    await broker.stop();
  });
  return startBroker(options, classPath, ...(archive ? [`-XX:SharedArchiveFile=${archive}`] : []));
}

async function startBroker(
  options: KafkaPartOptions,
  classPath: string,
  ...jvmFlags: string[]
): Promise<RunningPart> {
  const { dataDir, logFile, readyTimeoutMs, secured } = options;
  const java = [`-Dlog4j2.configurationFile=${kafkaLogSettings(classPath)}`, '-cp', classPath];
  await mkdir(dataDir, { recursive: true });

  return startOnPort('kafka', options.port, async (port) => {
    const settingsFile = path.join(dataDir, 'server.properties');
    const logDir = path.join(dataDir, 'log');
    await writeFile(settingsFile, brokerSettings(port, await findFreePort(), logDir, secured));
    if (!existsSync(path.join(logDir, 'meta.properties'))) {
      await formatLog(java, settingsFile, secured ? scramArguments(secured) : []);
    }
    return startServer({
      name: 'kafka',
      url: `127.0.0.1:${port}`,
      port,
      file: 'java',
      args: [...HEAP, ...jvmFlags, ...java, 'kafka.Kafka', settingsFile],
      cwd: dataDir,
      logFile,
      isReady: () => hasBroker(port),
      readyTimeoutMs,
    });
  });
}

async function formatLog(
  java: readonly string[],
  settingsFile: string,
  more: readonly string[],
): Promise<void> {
  const clusterId = randomBytes(16).toString('base64url');
  await runCommand({
    file: 'java',
    // An id may begin with a dash, which only this form of the option accepts.
    args: [
      ...java,
      'kafka.tools.StorageTool',
      'format',
      `--cluster-id=${clusterId}`,
      `--config=${settingsFile}`,
      ...more,
    ],
    ifMissing: KAFKA_NEXT_STEP,
  });
}

/** Whether a broker on this port of loopback describes a cluster. Rejects when nothing listens. */
export async function hasBroker(port: number): Promise<boolean> {
  const client = new Kafka({
    clientId: 'local-parts',
    brokers: [`127.0.0.1:${port}`],
    logLevel: logLevel.NOTHING,
    connectionTimeout: 1_000,
    requestTimeout: 2_000,
    retry: { retries: 0 },
  });
  const admin = client.admin();
  try {
    await admin.connect();
    return (await admin.describeCluster()).brokers.length > 0;
  } finally {
    await admin.disconnect();
  }
}
