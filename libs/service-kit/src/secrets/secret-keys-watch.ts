import { statSync } from 'node:fs';
import { Logger, type OnModuleInit } from '@nestjs/common';
import { PeriodicService } from '../background/periodic-task';
import { contentOf } from '../config/file-variables';
import { fileOfVariable } from '../config/load-config';
import type { SecretsConfig } from '../config/service.config';
import { secretKeysKnown, secretKeysRejected } from '../metrics/secret-metrics';
import { keyManagementOf } from './kms/key-management-of';
import type { KeyManagement } from './kms/key-management';
import type { SecretBox, SecretKeys } from './secret-box';
import { readSecretKeys } from './secret-keys';

/** New files are noticed after about this time. */
const CHECK_EVERY_MS = 1_000;

/**
 * Reads the keys of a box again when their file changes. Keys that are wrong, or that lack one in use, leave the box as it is:
 * one error in the log names the variable, and secret_keys_rejected is 1 until the file is right.
 */
export abstract class SecretKeysWatch extends PeriodicService implements OnModuleInit {
  private readonly logger = new Logger('secret-keys');
  private readonly kms: KeyManagement | null;
  private readonly file: string | undefined;
  /** The version of the file with these keys. Empty: the start may have read another one. */
  private version = '';
  private logged = '';

  /** @param box null: the service has no such keys */
  protected constructor(
    private readonly box: SecretBox | null,
    config: SecretsConfig,
  ) {
    super({
      name: 'secret-keys',
      everyMs: CHECK_EVERY_MS,
      failure: 'cannot look for changed secret keys; the next attempt is in a second',
    });
    this.kms = keyManagementOf(config.SECRET_KEYS_KMS);
    this.file = box ? fileOfVariable(config, box.variable) : undefined;
  }

  /** Ids of the keys that stored secrets need. */
  protected abstract inUse(): Promise<readonly string[]>;

  /** Stops the start of a service that cannot open its stored secrets, because its work would fail. */
  async onModuleInit(): Promise<void> {
    if (!this.box) return;
    const missing = await this.missingIn(this.box.keys);
    if (missing) throw new Error(`${this.box.variable} ${missing}`);
    this.measure(this.box, false);
  }

  protected async round(): Promise<void> {
    if (!this.box || this.file === undefined) return;
    const version = this.currentVersion();
    if (version === this.version) return;
    try {
      const keys = await this.accepted(this.box, this.file);
      this.use(this.box, keys);
      this.version = version;
    } catch (error) {
      this.reject(this.box, error as Error);
    }
  }

  private use(box: SecretBox, keys: SecretKeys): void {
    const [before, now] = [box.keys, keys].map((each) => [...each.keys()].join());
    box.use(keys);
    this.logged = '';
    this.measure(box, false);
    if (now !== before)
      this.logger.log({ msg: 'changed secret keys are in use', variable: box.variable, keys: now });
  }

  private reject(box: SecretBox, error: Error): void {
    this.measure(box, true);
    const text = `${box.variable} ${error.message}`;
    if (text === this.logged) return;
    this.logged = text;
    this.logger.error({ msg: `${text}; the former keys stay`, variable: box.variable });
  }

  private async accepted({ keys: former, variable }: SecretBox, file: string): Promise<SecretKeys> {
    const text = contentOf(file);
    if (!text) throw new Error('has a file that is empty or cannot be read');
    const keys = await readSecretKeys(text, variable, this.kms);
    const changed = [...former].find(([id, key]) => keys.get(id)?.equals(key) === false);
    if (changed) throw new Error(`has another key for the id '${changed[0]}': give a new key a new id`);
    const missing = await this.missingIn(keys);
    if (missing) throw new Error(missing);
    return keys;
  }

  private async missingIn(keys: SecretKeys): Promise<string | null> {
    const missing = new Set((await this.inUse()).filter((id) => !keys.has(id)));
    return missing.size === 0
      ? null
      : `lacks keys that stored secrets are sealed with: ${[...missing].join(', ')}. Put them back`;
  }

  private measure({ keys, variable }: SecretBox, isRejected: boolean): void {
    secretKeysRejected().set({ variable }, isRejected ? 1 : 0);
    const known = secretKeysKnown();
    known.reset();
    [...keys.keys()].forEach((key, at) => known.set({ variable, key, seals: String(at === 0) }, 1));
  }

  private currentVersion(): string {
    if (this.file === undefined) return '';
    const { mtimeMs = 0, ino = 0, size = 0 } = statSync(this.file, { throwIfNoEntry: false }) ?? {};
    return `${mtimeMs} ${ino} ${size}`;
  }
}
