import { readFile } from 'node:fs/promises';
import { type AwsCredentials, signedHeaders } from './aws-signature';
import { type KeyManagement, requestJson, textOf } from './key-management';

const NAME = 'AWS KMS';

/** The key, and the variables of AWS. */
export interface AwsPlace {
  /** ARN of the key or of an alias. */
  keyArn: string;
  /** The standard variables of AWS, read for each request. */
  environment(): NodeJS.ProcessEnv;
}

/**
 * A symmetric key of AWS KMS, by its JSON API (2014-11-01). The purpose is its encryption context, which appears in CloudTrail.
 * Credentials are AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or those of the container (ECS, EKS Pod Identity).
 * AWS_ENDPOINT_URL_KMS replaces the endpoint of the region.
 */
export class AwsKms implements KeyManagement {
  private readonly region: string;

  constructor(private readonly place: AwsPlace) {
    // arn:aws:kms:REGION:ACCOUNT:key/ID
    this.region = place.keyArn.split(':')[3] ?? '';
  }

  async wrap(key: Buffer, purpose: string): Promise<string> {
    const { CiphertextBlob } = await this.call<{ CiphertextBlob?: unknown }>('Encrypt', {
      KeyId: this.place.keyArn,
      Plaintext: key.toString('base64'),
      EncryptionContext: { purpose },
    });
    return textOf(NAME, 'CiphertextBlob', CiphertextBlob);
  }

  async unwrap(wrapped: string, purpose: string): Promise<Buffer> {
    const { Plaintext } = await this.call<{ Plaintext?: unknown }>('Decrypt', {
      KeyId: this.place.keyArn,
      CiphertextBlob: wrapped,
      EncryptionContext: { purpose },
    });
    return Buffer.from(textOf(NAME, 'Plaintext', Plaintext), 'base64');
  }

  private async call<T>(operation: string, parameters: object): Promise<T> {
    const env = this.place.environment();
    const url = new URL(env['AWS_ENDPOINT_URL_KMS'] || `https://kms.${this.region}.${domainOf(this.region)}`);
    const body = JSON.stringify(parameters);
    const headers = signedHeaders(
      {
        method: 'POST',
        host: url.host,
        headers: {
          'content-type': 'application/x-amz-json-1.1',
          'x-amz-target': `TrentService.${operation}`,
        },
        body,
      },
      await credentialsOf(env),
      { region: this.region, service: 'kms', nowMs: Date.now() },
    );
    return requestJson<T>(NAME, `${url.origin}/`, { method: 'POST', headers, body });
  }
}

/** China has its own domain. */
const domainOf = (region: string): string =>
  region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com';

async function credentialsOf(env: NodeJS.ProcessEnv): Promise<AwsCredentials> {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = env;
  if (accessKeyId && secretAccessKey)
    return { accessKeyId, secretAccessKey, sessionToken: env['AWS_SESSION_TOKEN'] || undefined };
  const url = env['AWS_CONTAINER_CREDENTIALS_FULL_URI'];
  if (!url)
    throw new Error(
      'AWS KMS needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_CONTAINER_CREDENTIALS_FULL_URI',
    );
  const name = 'the endpoint of AWS credentials';
  const file = env['AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE'];
  const token = file ? (await readFile(file, 'utf8')).trim() : env['AWS_CONTAINER_AUTHORIZATION_TOKEN'];
  const found = await requestJson<Record<string, unknown>>(name, url, {
    method: 'GET',
    headers: token ? { authorization: token } : {},
  });
  return {
    accessKeyId: textOf(name, 'AccessKeyId', found['AccessKeyId']),
    secretAccessKey: textOf(name, 'SecretAccessKey', found['SecretAccessKey']),
    sessionToken: textOf(name, 'Token', found['Token']),
  };
}
