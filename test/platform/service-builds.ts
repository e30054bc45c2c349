import path from 'node:path';
import type { serviceCommand } from '../../tools/local-stack/services/services';
import type { ServiceName } from '../../tools/local-stack/services/service-environment';

/** Two versions of the services in one platform, as `npm run compat` describes them to its flow. */
export interface TwoVersions {
  /** Has dist/apps of the current version. */
  current: string;
  /** Has dist/apps and the packages of a released version. */
  release: string;
  /** Services that start as the released version. */
  released: readonly ServiceName[];
  /** Has the other version when it starts again. Null: every service keeps its version. */
  replaced: ServiceName | null;
}

/** The variable in which `npm run compat` gives TwoVersions to the flow, as JSON. */
export const TWO_VERSIONS = 'COMPAT_VERSIONS';

type Command = ReturnType<typeof serviceCommand>;

/** Where each service starts from when a platform has two versions. */
export class ServiceBuilds {
  constructor(private readonly versions: TwoVersions) {}

  /** Those of this run of `npm run compat`, or undefined outside of one. */
  static ofEnvironment(): ServiceBuilds | undefined {
    const text = process.env[TWO_VERSIONS];
    return text === undefined ? undefined : new ServiceBuilds(JSON.parse(text) as TwoVersions);
  }

  /** The service that a deployment replaces. */
  get replaced(): ServiceName | null {
    return this.versions.replaced;
  }

  startsReleased(name: ServiceName): boolean {
    return this.versions.released.includes(name);
  }

  /** The folder with dist/apps of the version that a service starts as. */
  folderOf(name: ServiceName): string {
    return this.startsReleased(name) ? this.versions.release : this.versions.current;
  }

  /** The command of the first start. */
  first(name: ServiceName, command: Command): Command {
    return within(this.folderOf(name), name, command);
  }

  /** The command of each further start. */
  later(name: ServiceName, command: Command): Command {
    const isReleased = this.startsReleased(name) !== (name === this.versions.replaced);
    return within(isReleased ? this.versions.release : this.versions.current, name, command);
  }

  current(name: ServiceName, command: Command): Command {
    return within(this.versions.current, name, command);
  }
}

function within(folder: string, name: ServiceName, { file, args, env }: Command): Command {
  return { file, args: [...args.slice(0, -1), path.join(folder, 'dist/apps', name, 'main.js')], env };
}
