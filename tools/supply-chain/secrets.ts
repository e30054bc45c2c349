/** A text that looks like a secret. The value itself is never printed. */
export interface SecretFinding {
  file: string;
  line: number;
  rule: string;
}

/** Each pattern has the form that its issuer documents. */
const RULES: readonly [rule: string, pattern: RegExp][] = [
  ['private key', /-----BEGIN (?:RSA |EC |DSA |OPENSSH |ENCRYPTED )?PRIVATE KEY-----\s+[A-Za-z0-9+/]{40}/],
  ['AWS access key', /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/],
  ['GitHub token', /\b(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{60,})\b/],
  ['GitLab token', /\bglpat-[A-Za-z0-9_-]{20,}/],
  ['npm token', /\bnpm_[A-Za-z0-9]{36}\b/],
  ['Slack token', /\bxox[abprs]-[A-Za-z0-9-]{20,}/],
  ['Google API key', /\bAIza[0-9A-Za-z_-]{35}\b/],
  ['Stripe key', /\b[rs]k_live_[0-9A-Za-z]{20,}/],
  ['Anthropic key', /\bsk-ant-[A-Za-z0-9_-]{20,}/],
  ['OpenAI key', /\bsk-(?:proj-)?[A-Za-z0-9]{40,}\b/],
  [
    'node with a key in its address',
    /https:\/\/[\w.-]*(?:infura|alchemy|quicknode|ankr)[\w.-]*\/(?:v\d\/)?[A-Za-z0-9_-]{24,}/,
  ],
  ['signed token', /\beyJ[A-Za-z0-9_-]{20,}\.eyJ[A-Za-z0-9_-]{20,}\.[A-Za-z0-9_-]{20,}/],
  [
    'address with a password',
    /\b(?:postgres(?:ql)?|rediss?|amqp|mongodb):\/\/[^\s:/@'"`$]+:(?!plimsoll@)[^\s@'"`${<]{12,}@/,
  ],
];

/**
 * Finds secrets in one file.
 * @param text the content of the file
 */
export function findSecrets(file: string, text: string): SecretFinding[] {
  return RULES.flatMap(([rule, pattern]) => {
    const found = [...text.matchAll(new RegExp(pattern, 'g'))];
    return found.map(({ index }) => ({ file, line: text.slice(0, index).split('\n').length, rule }));
  });
}

/** Files whose secrets protect nothing, with the reason. */
export const HARMLESS: Readonly<Record<string, string>> = {
  'apps/webhook-delivery/test/self-signed.ts': 'the key of a certificate that only a test trusts',
};
