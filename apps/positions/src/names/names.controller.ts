import { Controller, Get, Param } from '@nestjs/common';
import {
  type Identity,
  Problem,
  ResolvedName,
  WALLET_PATTERN,
  checksumAddress,
  isEnsName,
  parseAddress,
} from '@plimsoll/contracts';
import { Documented } from '@plimsoll/openapi';
import { CurrentIdentity } from '@plimsoll/service-kit';
import { ENS_CHAIN, type NameReading, NamesService, reasonOf } from './names.service';

const NAME = {
  name: {
    type: 'string',
    pattern: WALLET_PATTERN,
    description: 'An ENS name, or an address, whose primary name is returned.',
    examples: ['treasury.eth'],
  },
};

@Controller('v1/names')
export class NamesController {
  constructor(private readonly names: NamesService) {}

  @Get(':name')
  @Documented({
    operationId: 'resolveName',
    tag: 'Wallets',
    summary: 'Address of an ENS name, or name of an address',
    description:
      'Reads ENS on mainnet at the block of `asOfBlock`, at most a minute ago. An address has the primary name that it claims only if that name has this address. A name whose record is on a server (CCIP-read) is a 404, because no such server is called.',
    path: NAME,
    responses: [{ status: 200, description: 'The name and its address.', schema: ResolvedName }],
    errors: ['not_found'],
  })
  async resolve(
    @CurrentIdentity() { accountId }: Identity,
    @Param('name') text: string,
  ): Promise<ResolvedName> {
    if (!isEnsName(text)) {
      const address = parseAddress(text, 'name');
      const reading = await this.names.reverse(address, accountId);
      const { record } = reading;
      if (record.kind !== 'found')
        throw without(`${checksumAddress(address)} has no primary name that has this address.`);
      return { name: record.value, address: checksumAddress(address), ...stampOf(reading) };
    }
    const { name, reading } = await this.names.forward(text, 'name', accountId);
    const { record } = reading;
    if (record.kind !== 'found') throw without(reasonOf(record.kind, name).message);
    return { name, address: checksumAddress(record.value), ...stampOf(reading) };
  }
}

const without = (reason: string): Problem => new Problem('not_found', reason);

const stampOf = ({ block }: NameReading) => ({
  asOfBlock: { [ENS_CHAIN]: Number(block.number) },
  blockHash: { [ENS_CHAIN]: block.hash },
});
