import { type CommandContext, type CommandTable, fitsArity, wrongArity } from '../commands/command';
import { HASH_COMMANDS } from '../commands/hashes';
import { KEY_COMMANDS } from '../commands/keys';
import { SORTED_SET_COMMANDS } from '../commands/sorted-sets';
import { STRING_COMMANDS } from '../commands/strings';
import { Keyspace } from '../keyspace/keyspace';
import { AppendOnlyFile } from '../persistence/append-only-file';
import { snapshotCommands } from '../persistence/snapshot-commands';
import { RedisError, type Reply } from '../resp/reply';

/** A point in time: milliseconds since 1970, and the microseconds within that millisecond. */
export interface Moment {
  ms: number;
  us: number;
}

const TIME: CommandTable = {
  TIME: {
    arity: 1,
    run: ({ nowMs, nowUs }) => [String(Math.floor(nowMs / 1_000)), String((nowMs % 1_000) * 1_000 + nowUs)],
  },
};

/** Every command on the keyspace, by its name in capitals. */
export const DATA_COMMANDS: CommandTable = {
  ...STRING_COMMANDS,
  ...HASH_COMMANDS,
  ...SORTED_SET_COMMANDS,
  ...KEY_COMMANDS,
  ...TIME,
};

/** Keys that one pass of the active expiry checks. */
const EXPIRY_BATCH = 1_000;

/** The keyspace together with the file that keeps it. */
export class Store {
  private readonly keyspace = new Keyspace((key) => this.effect('DEL', key));
  private readonly file: AppendOnlyFile;
  private isRecovering = true;

  /** Reads the folder. Throws when the file is damaged. */
  constructor(
    folder: string,
    private readonly now: () => Moment,
  ) {
    const moment = now();
    this.file = AppendOnlyFile.open(folder, (command) => {
      this.run(command, moment);
    });
    this.isRecovering = false;
  }

  /** Runs one command at a given time. Throws RedisError. The next `flush` writes its effect to the file. */
  run([name = '', ...args]: readonly string[], moment: Moment = this.now()): Reply {
    const command = DATA_COMMANDS[name.toUpperCase()];
    if (!command) throw unknownCommand(name, args);
    if (!fitsArity(command, args)) throw wrongArity(name);
    const context: CommandContext = {
      keyspace: this.keyspace,
      nowMs: moment.ms,
      nowUs: moment.us,
      effect: (...effect) => this.effect(...effect),
    };
    return command.run(context, args);
  }

  /** Writes the effects since the last flush. Throws when the disk fails. Call it before replies are sent. */
  flush(): void {
    this.file.flush();
    if (this.file.error) throw this.file.error;
  }

  /** Removes expired keys. It is called ten times a second, so that they do not stay in memory. */
  removeExpired(): void {
    this.keyspace.removeExpired(this.now().ms, EXPIRY_BATCH);
    this.flush();
  }

  /** Syncs the file to the disk, and shortens it when it has grown. It is called once a second. */
  sync(): void {
    if (this.file.wantsRewrite) this.file.rewrite(snapshotCommands(this.keyspace, this.now().ms));
    this.file.sync();
  }

  get size(): number {
    return this.keyspace.size;
  }

  close(): void {
    this.file.close();
  }

  private effect(...command: string[]): void {
    if (!this.isRecovering) this.file.append(command);
  }
}

export function unknownCommand(name: string, args: readonly string[]): RedisError {
  const shown = args.map((argument) => `'${argument.slice(0, 128)}' `).join('');
  return new RedisError(`ERR unknown command '${name.slice(0, 128)}', with args beginning with: ${shown}`);
}
