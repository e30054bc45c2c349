import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const DEADLINE_MS = 10_000;

/** A certificate with its private key: their files, and their PEM texts. */
export interface Certificate {
  certFile: string;
  keyFile: string;
  cert: string;
  key: string;
}

/** A certificate authority of a test. It needs the openssl command. */
export class CertificateAuthority {
  private constructor(
    private readonly folder: string,
    readonly own: Certificate,
  ) {}

  /** @param name distinguishes several authorities of a folder */
  static async create(folder: string, name: string): Promise<CertificateAuthority> {
    return new CertificateAuthority(folder, await make(folder, name, []));
  }

  /** Issues a certificate for 127.0.0.1. */
  issue(name: string): Promise<Certificate> {
    const { certFile, keyFile } = this.own;
    const address = ['-addext', 'subjectAltName=IP:127.0.0.1', '-addext', 'basicConstraints=CA:FALSE'];
    return make(this.folder, name, ['-CA', certFile, '-CAkey', keyFile, ...address]);
  }
}

async function make(folder: string, name: string, more: readonly string[]): Promise<Certificate> {
  const [certFile, keyFile] = [path.join(folder, `${name}.pem`), path.join(folder, `${name}.key`)];
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const files = ['-keyout', keyFile, '-out', certFile];
  await run('openssl', ['req', '-x509', ...curve, '-days', '2', '-subj', `/CN=${name}`, ...files, ...more], {
    timeout: DEADLINE_MS,
  });
  return { certFile, keyFile, cert: await readFile(certFile, 'utf8'), key: await readFile(keyFile, 'utf8') };
}
