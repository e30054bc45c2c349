import { readdir, rm, writeFile, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { existsSync } from 'node:fs';
import { ensureCached, copyFromMaven } from '../download-cache';
import { runCommand } from '../run-command';

/** The release that is downloaded. */
export const KAFKA_VERSION = '4.2.0';
const LOG4J_VERSION = '2.25.3';
/** The next step for a user without the prerequisites. */
export const KAFKA_NEXT_STEP =
  'Install Java 17 and Maven 3.8 or later, or set KAFKA_BROKERS to a running Kafka';

/** The class path of Kafka: every jar by its full path, as a class archive requires. Downloads once. */
export async function kafkaClassPath(cacheDir: string): Promise<string> {
  const folder = await ensureCached(cacheDir, `kafka-${KAFKA_VERSION}`, async (filling) => {
    const pom = path.join(filling, 'pom.xml');
    await writeFile(pom, POM);
    await copyFromMaven('copy-dependencies', ['-f', pom], filling, KAFKA_NEXT_STEP);
    await rm(pom);
    await writeFile(path.join(filling, 'log4j2.properties'), LOGGING);
  });
  const jars = (await readdir(folder)).filter((name) => name.endsWith('.jar')).sort();
  return jars.map((name) => path.join(folder, name)).join(path.delimiter);
}

/** The log settings inside the class path folder of `classPath`. */
export function kafkaLogSettings(classPath: string): string {
  return path.join(path.dirname(classPath.split(path.delimiter)[0] ?? ''), 'log4j2.properties');
}

const POM = `<project>
  <modelVersion>4.0.0</modelVersion>
  <groupId>plimsoll.local</groupId>
  <artifactId>kafka</artifactId>
  <version>1</version>
  <dependencies>
    <dependency><groupId>org.apache.kafka</groupId><artifactId>kafka_2.13</artifactId><version>${KAFKA_VERSION}</version></dependency>
    <dependency><groupId>org.apache.kafka</groupId><artifactId>kafka-tools</artifactId><version>${KAFKA_VERSION}</version></dependency>
    <dependency><groupId>org.apache.logging.log4j</groupId><artifactId>log4j-slf4j-impl</artifactId><version>${LOG4J_VERSION}</version></dependency>
  </dependencies>
</project>
`;

const LOGGING = `appender.out.type = Console
appender.out.name = out
appender.out.layout.type = PatternLayout
appender.out.layout.pattern = %d %p %m (%c)%n
rootLogger.level = WARN
rootLogger.appenderRef.out.ref = out
`;

/**
 * The shared archive of the classes that Kafka loads, for this Java: a broker starts twice as fast with it.
 * `train` creates it once by running a broker in `dataDir`. Undefined when this Java cannot create one.
 */
export async function ensureClassArchive(
  cacheDir: string,
  train: (file: string, dataDir: string) => Promise<void>,
): Promise<string | undefined> {
  const version = await runCommand({ file: 'java', args: ['--version'], ifMissing: KAFKA_NEXT_STEP });
  const build = /\(build ([^,)]+)/.exec(version)?.[1]?.replaceAll(/[^\w.-]/g, '_') ?? 'unknown';
  const folder = await ensureCached(cacheDir, `kafka-${KAFKA_VERSION}-classes-${build}`, async (filling) => {
    const dataDir = path.join(filling, 'training');
    await mkdir(dataDir);
    await train(path.join(filling, ARCHIVE), dataDir);
    await rm(dataDir, { recursive: true, force: true });
  });
  const file = path.join(folder, ARCHIVE);
  return existsSync(file) ? file : undefined;
}

const ARCHIVE = 'kafka.jsa';
