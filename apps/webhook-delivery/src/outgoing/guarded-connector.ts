import type { LookupAddress } from 'node:dns';
import { type LookupFunction, isIP } from 'node:net';
import { callbackify } from 'node:util';
import { buildConnector } from 'undici';
import type { HostResolver } from './host-resolver';
import { SendError } from './send-error';
import { type OpenedRanges, hostOf, refusedTarget } from './url-policy';

/** Bounds a connect on its own; the attempt's deadline is shorter where DNS took part of it. */
const CONNECT_TIMEOUT_MS = 10_000;

/** Every name is resolved here, and the socket is given only what was checked: rebinding finds no gap between the two. */
function guardedLookup(resolver: HostResolver, protocol: string, opened: OpenedRanges): LookupFunction {
  const checkedAddresses = callbackify(async (hostname: string): Promise<LookupAddress[]> => {
    const addresses = await resolver.addressesOf(hostname);
    // One forbidden answer among good ones is refused too: it is how a name is aimed at the inside.
    if (addresses.some((address) => refusedTarget(protocol, address, opened) !== null))
      throw new SendError('unsafe_address');
    return addresses.map((address) => ({ address, family: isIP(address) }));
  });
  return (hostname, options, callback) => {
    checkedAddresses(hostname, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error || first === undefined) callback(error, []);
      else if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}

/** Opens sockets for undici, to addresses that the policy allows and to no others. */
export function guardedConnector(resolver: HostResolver, opened: OpenedRanges): buildConnector.connector {
  const connectorFor = (protocol: string): buildConnector.connector =>
    buildConnector({
      lookup: guardedLookup(resolver, protocol, opened),
      timeout: CONNECT_TIMEOUT_MS,
      allowH2: false,
    } as buildConnector.BuildOptions);
  const secure = connectorFor('https:');
  const plain = connectorFor('http:');
  return (options, callback) => {
    const host = hostOf(options.hostname);
    // A literal never reaches the lookup.
    if (isIP(host) !== 0 && refusedTarget(options.protocol, host, opened) !== null) {
      callback(new SendError('unsafe_address'), null);
      return;
    }
    (options.protocol === 'https:' ? secure : plain)(options, callback);
  };
}
