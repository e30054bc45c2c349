import { chainName, protocolName } from '@plimsoll/contracts';
import { loadRegistry } from './load-registry';

describe('names for people', () => {
  it('are the names of the registry', async () => {
    const { chains, protocols } = await loadRegistry();
    expect(chains.map(({ id }) => chainName(id))).toEqual(chains.map(({ name }) => name));
    expect(protocols.map(({ id }) => protocolName(id))).toEqual(protocols.map(({ name }) => name));
  });

  it('are the ids if the registry has no name', () => {
    expect([chainName(31_337), protocolName('new')]).toEqual(['Chain 31337', 'new']);
  });
});
