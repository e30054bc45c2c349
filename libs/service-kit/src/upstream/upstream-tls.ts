import { readFileSync } from 'node:fs';
import type { ServiceConfig } from '../config/service.config';

/** PEM texts for https:// connections to services. Undefined: the certificates of Node, and none of our own. */
export interface UpstreamTls {
  ca?: string;
  cert?: string;
  key?: string;
}

/**
 * Reads the files of UPSTREAM_TLS_*.
 * @throws Error that names the variable and its file
 */
export function readUpstreamTls({
  UPSTREAM_TLS_CA_FILE,
  UPSTREAM_TLS_CERT_FILE,
  UPSTREAM_TLS_KEY_FILE,
}: Pick<
  ServiceConfig,
  'UPSTREAM_TLS_CA_FILE' | 'UPSTREAM_TLS_CERT_FILE' | 'UPSTREAM_TLS_KEY_FILE'
>): UpstreamTls {
  return {
    ...(UPSTREAM_TLS_CA_FILE !== '' && { ca: read({ UPSTREAM_TLS_CA_FILE }) }),
    ...(UPSTREAM_TLS_CERT_FILE !== '' && { cert: read({ UPSTREAM_TLS_CERT_FILE }) }),
    ...(UPSTREAM_TLS_KEY_FILE !== '' && { key: read({ UPSTREAM_TLS_KEY_FILE }) }),
  };
}

function read(variable: Record<string, string>): string {
  const [[name, file] = ['', '']] = Object.entries(variable);
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new Error(`${name}: the file ${file} cannot be read. Set it to a PEM file.`, { cause });
  }
}
