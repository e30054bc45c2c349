import { BLOCK, Combined, Example, Field, WALLET } from '../fields';
import { BlockStamp } from '../positions/positions';

/** Response of GET /v1/names/:name. */
@Example({ name: 'treasury.eth', address: WALLET, ...BLOCK })
export class ResolvedName extends Combined(BlockStamp) {
  @Field.Text('The name, as ENSIP-15 normalises it.', { example: 'treasury.eth' }) name!: string;
  @Field.Address('Address of the name at the block.') address!: string;
}
