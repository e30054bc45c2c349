import { Matches } from 'class-validator';

const FILE = /^file:(?<file>\/\S+)$/;
const AWS = /^aws:(?<keyArn>arn:aws[\w-]*:kms:[\w-]+:\d{12}:(?:key|alias)\/\S+)$/;
const VAULT = /^vault:(?<mount>https?:\/\/[^\s/]+(?:\/[\w.-]+)+)\/keys\/(?<keyName>[\w.-]+)$/;

/** Empty, or one of the three forms. */
export const KMS_FORM = new RegExp(
  `^$|${[FILE, AWS, VAULT].map(({ source }) => source.replaceAll(/\?<\w+>/g, '')).join('|')}`,
);

/** A variable with a key management, or empty. */
export const IsKeyManagement = (): PropertyDecorator =>
  Matches(KMS_FORM, {
    message:
      'must be file:/PATH, aws:ARN of a key of AWS KMS, or vault:https://HOST/MOUNT/keys/NAME, or empty',
  });

/** The parts of a text in one of the forms: those of one of them. */
export interface KmsParts {
  file?: string;
  keyArn?: string;
  mount?: string;
  keyName?: string;
}

export function kmsParts(text: string): KmsParts {
  return { ...FILE.exec(text)?.groups, ...AWS.exec(text)?.groups, ...VAULT.exec(text)?.groups };
}
