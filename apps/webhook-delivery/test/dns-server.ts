import { type RemoteInfo, createSocket } from 'node:dgram';
import type { AddressInfo } from 'node:net';
import { isIPv6 } from 'node:net';

const TYPE = { A: 1, CNAME: 5, AAAA: 28 } as const;
const HEADER_BYTES = 12;
const NAME_ERROR = 3;
/** Responses must not be cached. */
const TTL_SECONDS = 0;

/** Returns the addresses of a name, or its alias. `time` counts the lookups of the name, from 1. */
export type Zone = (name: string, time: number) => string[] | { cname: string } | null;

/** A DNS server on loopback whose responses a test controls, also per lookup. */
export interface DnsServer {
  /** host:port for a resolver. */
  address: string;
  /** Names looked up so far. A lookup of both families counts twice. */
  queries: { name: string; type: 'A' | 'AAAA' }[];
  close(): void;
}

export async function startDnsServer(zone: Zone): Promise<DnsServer> {
  const socket = createSocket('udp4');
  const asked: DnsServer['queries'] = [];
  socket.on('message', (query, peer: RemoteInfo) => {
    const { name, type, question } = readQuestion(query);
    asked.push({ name, type });
    const time = asked.filter((other) => other.name === name && other.type === type).length;
    socket.send(response(query, question, type, name, zone, time), peer.port, peer.address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${(socket.address() as AddressInfo).port}`,
    queries: asked,
    close: () => socket.close(),
  };
}

function readQuestion(query: Buffer): { name: string; type: 'A' | 'AAAA'; question: Buffer } {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  const type = query.readUInt16BE(at + 1) === TYPE.AAAA ? 'AAAA' : 'A';
  return { name: labels.join('.').toLowerCase(), type, question: query.subarray(HEADER_BYTES, at + 5) };
}

function response(
  query: Buffer,
  question: Buffer,
  type: 'A' | 'AAAA',
  name: string,
  zone: Zone,
  time: number,
): Buffer {
  const records: Buffer[] = [];
  let found = zone(name, time);
  const isKnown = found !== null;
  if (found !== null && 'cname' in found) {
    records.push(record(nameBytes(name), TYPE.CNAME, nameBytes(found.cname)));
    name = found.cname;
    found = zone(name, time);
  }
  const addresses = found !== null && !('cname' in found) ? found : [];
  for (const address of addresses.filter((each) => isIPv6(each) === (type === 'AAAA')))
    records.push(record(nameBytes(name), TYPE[type], addressBytes(address)));
  const header = Buffer.alloc(HEADER_BYTES);
  query.copy(header, 0, 0, 2);
  header.writeUInt16BE(0x8180 | (isKnown ? 0 : NAME_ERROR), 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(records.length, 6);
  return Buffer.concat([header, question, ...records]);
}

function record(owner: Buffer, type: number, data: Buffer): Buffer {
  const fixed = Buffer.alloc(10);
  fixed.writeUInt16BE(type, 0);
  fixed.writeUInt16BE(1, 2);
  fixed.writeUInt32BE(TTL_SECONDS, 4);
  fixed.writeUInt16BE(data.length, 8);
  return Buffer.concat([owner, fixed, data]);
}

function nameBytes(name: string): Buffer {
  const labels = name
    .split('.')
    .map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label)]));
  return Buffer.concat([...labels, Buffer.from([0])]);
}

/** `::` may appear once in an IPv6 address. Dotted endings are not supported. */
function addressBytes(address: string): Buffer {
  if (!isIPv6(address)) return Buffer.from(address.split('.').map(Number));
  const [head = '', tail = ''] = address.split('::');
  const groups = (text: string): number[] =>
    text === '' ? [] : text.split(':').map((it) => parseInt(it, 16));
  const zeros = Array.from({ length: 8 - groups(head).length - groups(tail).length }, () => 0);
  const bytes = Buffer.alloc(16);
  [...groups(head), ...zeros, ...groups(tail)].forEach((group, i) => bytes.writeUInt16BE(group, i * 2));
  return bytes;
}
