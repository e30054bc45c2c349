import { randomBytes } from 'node:crypto';
import { SERVICES, createKeys, generateApiKey } from '@plimsoll/access';
import { DEMO_TIERS, type DemoTier } from './demo-tiers';
import { readJsonFile, writeJsonFile } from './json-file';

/**
 * Secrets of this one stack. They survive restarts, so that keys and stored webhook secrets stay valid.
 */
export interface Secrets {
  /** Their folder. */
  identityKeys: string;
  webhookSecretKeys: string;
  receiptSecretKeys: string;
  /** The sandbox derives the keys of test mode from it. */
  sandboxSecret: string;
  demoKeys: Record<DemoTier, string>;
  /** The password of the demo accounts in the portal. */
  demoPassword: string;
}

/** The secrets in the file and the folder of the identity keys, which the first start creates. */
export function loadSecrets(file: string, identityKeys: string): Secrets {
  createKeys(identityKeys, SERVICES, Date.now());
  const known = readJsonFile<Secrets>(file);
  // A file of an earlier release lacks the newer secrets.
  if (known?.receiptSecretKeys && known.demoPassword && known.sandboxSecret)
    return { ...known, identityKeys };
  const key = (): string => `local:${randomBytes(32).toString('base64')}`;
  const demoKey = (tier: DemoTier): [DemoTier, string] => [tier, generateApiKey('demo', randomBytes)];
  const secrets: Secrets = {
    webhookSecretKeys: key(),
    receiptSecretKeys: key(),
    sandboxSecret: randomBytes(32).toString('base64'),
    demoKeys: Object.fromEntries(DEMO_TIERS.map(demoKey)) as Record<DemoTier, string>,
    demoPassword: randomBytes(18).toString('base64url'),
    ...known,
    identityKeys,
  };
  writeJsonFile(file, secrets);
  return secrets;
}
