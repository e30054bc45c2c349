import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type TestAuthority, testAuthority } from '@plimsoll/testing';

/** A certificate with its private key: their files, and their PEM texts. */
export interface Certificate {
  certFile: string;
  keyFile: string;
  cert: string;
  key: string;
}

/** A certificate authority of a test, with files for the settings of the gateway. */
export class CertificateAuthority {
  private constructor(
    private readonly folder: string,
    private readonly authority: TestAuthority,
    readonly own: Pick<Certificate, 'cert' | 'certFile'>,
  ) {}

  /** @param name distinguishes several authorities of a folder */
  static async create(folder: string, name: string): Promise<CertificateAuthority> {
    const authority = testAuthority(name);
    const { cert } = authority;
    return new CertificateAuthority(folder, authority, {
      cert,
      certFile: await write(folder, `${name}.pem`, cert),
    });
  }

  /** Issues a certificate for 127.0.0.1. */
  async issue(name: string): Promise<Certificate> {
    const { cert, key } = this.authority.issue(name, ['127.0.0.1']);
    return {
      cert,
      key,
      certFile: await write(this.folder, `${name}.pem`, cert),
      keyFile: await write(this.folder, `${name}.key`, key),
    };
  }
}

async function write(folder: string, name: string, text: string): Promise<string> {
  const file = path.join(folder, name);
  await writeFile(file, text);
  return file;
}
