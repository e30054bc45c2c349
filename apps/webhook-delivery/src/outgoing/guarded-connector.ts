import type { LookupAddress } from 'node:dns';
import { type LookupFunction, isIP } from 'node:net';
import { callbackify } from 'node:util';
import { buildConnector } from 'undici';
import type { HostResolver } from './host-resolver';
import { isRefusedPort } from './refused-ports';
import { SendError } from './send-error';
import { type OpenedRanges, hostOf, refusedTarget } from './url-policy';

/** Bounds a connect on its own. The attempt's deadline is shorter after a slow DNS lookup. */
const CONNECT_TIMEOUT_MS = 10_000;

/** Resolves every name here and gives the socket only checked addresses, so that rebinding finds no gap. */
function guardedLookup(resolver: HostResolver, protocol: string, opened: OpenedRanges): LookupFunction {
  const checkedAddresses = callbackify(async (hostname: string): Promise<LookupAddress[]> => {
    const addresses = await resolver.addressesOf(hostname);
    // One forbidden address among allowed ones is refused too, because attackers aim a name at an internal
    // host in this way.
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

/** Opens sockets for undici, only to addresses that the policy allows. */
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
    // A literal address never reaches the lookup.
    const isRefusedLiteral = isIP(host) !== 0 && refusedTarget(options.protocol, host, opened) !== null;
    // The port is empty where it is the default one.
    const isRefusedTarget = isRefusedLiteral || (options.port !== '' && isRefusedPort(Number(options.port)));
    if (isRefusedTarget) {
      callback(new SendError('unsafe_address'), null);
      return;
    }
    (options.protocol === 'https:' ? secure : plain)(options, callback);
  };
}
