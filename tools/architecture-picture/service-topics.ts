import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { EVENTS, type EventTopic } from '@plimsoll/contracts';

/** The topics of a service, as its sources name them. */
export interface ServiceTopics {
  service: string;
  publishes: EventTopic[];
  consumes: EventTopic[];
}

const PUBLISHED = /(?:\b(?:outgoing|tombstone)\(\s*|\btopic: )'([\w-]+\.v\d+)'(?!\s*:)/g;
const CONSUMED = /@EventPattern\('([\w-]+\.v\d+)'\)|'([\w-]+\.v\d+)':\s*(?:'beginning'|\{\s*sinceMs)/g;

/**
 * Reads the sources of every service. The command line is an app without src/main.ts.
 * @param root folder of the repository
 * @throws Error when a source names a topic that libs/contracts does not define
 */
export function readServiceTopics(root: string): ServiceTopics[] {
  return readdirSync(path.join(root, 'apps'))
    .filter((app) => existsSync(path.join(root, 'apps', app, 'src/main.ts')))
    .sort()
    .map((service) => {
      const sources = sourcesIn(path.join(root, 'apps', service, 'src'));
      const found = (pattern: RegExp): EventTopic[] => {
        const topics = sources.flatMap((text) =>
          [...text.matchAll(pattern)].map(([, first, second]) => first ?? second ?? ''),
        );
        return [...new Set(topics)].sort().map((topic) => knownTopic(service, topic));
      };
      return { service, publishes: found(PUBLISHED), consumes: found(CONSUMED) };
    });
}

function sourcesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts') && !file.startsWith('generated'))
    .map((file) => readFileSync(path.join(folder, file), 'utf8'));
}

function knownTopic(service: string, topic: string): EventTopic {
  if (topic in EVENTS) return topic as EventTopic;
  throw new Error(
    `apps/${service} names the topic ${topic}, which libs/contracts does not define. Add it to EVENTS.`,
  );
}
