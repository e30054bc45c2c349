import { newId } from '@plimsoll/contracts';
import { StreamsConfig } from '../config';
import { EndedAccess } from '../log/ended-access';
import { Logs } from '../log/logs';
import type { Resumption } from '../subscription/resumption';
import { Clients } from './clients';
import { Connections } from '../connection/connections';
import type { FilterNames } from '../connection/filter-names';
import type { Transport } from '../connection/transport';

describe('Clients', () => {
  it('closes a client whose key ended while it waited for admission', () => {
    const [config, connections, access] = [new StreamsConfig(), new Connections(), new EndedAccess()];
    // There are no subscriptions.
    const resumption = {} as Resumption;
    const names = {} as FilterNames;
    const clients = new Clients(config, connections, access, new Logs(config), resumption, names);
    const [accountId, keyId] = ['acc_1', newId('key')];
    access.applyKey(keyId, { accountId, keyId, ending: 'revoked', endsAt: new Date().toISOString() });
    access.hasEndings(Date.now());
    const closedWith: number[] = [];
    const transport: Transport = {
      isOpen: true,
      unsentBytes: 0,
      send: () => true,
      onDrain: () => undefined,
      beat: () => true,
      close: (code) => void closedWith.push(code),
      terminate: () => undefined,
    };
    clients.connect(transport, 'alerts', { accountId, keyId }, true);
    expect(closedWith).toEqual([4505]);
    expect(connections.areNone).toBe(true);
  });
});
