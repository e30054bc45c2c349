import { Type as Convert } from 'class-transformer';
import { IsIn, IsInt, Matches, Max, Min } from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import { Example, Field, Optional, PageQuery } from '../fields';
import { ReceiptSignature } from './receipts';

const SHA_256 = '^[0-9a-f]{64}$';

/** Query of GET /v1/receipts/roots. */
export class ListReceiptRootsQuery extends PageQuery {}

/** Query of GET /v1/receipts/inclusion. */
export class ReceiptInclusionQuery {
  @JSONSchema({
    description: 'Leaf of the receipt: SHA-256 of a zero byte and the entry.',
    examples: ['ef'.repeat(32)],
  })
  @Matches(new RegExp(SHA_256), { message: 'leaf must be 64 hexadecimal digits in lower case' })
  leaf!: string;

  @JSONSchema({
    description: '`size` of the root that the proof is for. Absent: the first root that has the receipt.',
  })
  @Optional()
  @Convert(() => Number)
  @IsInt()
  @Min(1)
  @Max(Number.MAX_SAFE_INTEGER)
  size?: number;

  @JSONSchema({
    description: 'true: the first root that has the receipt and is on a chain. Not together with `size`.',
  })
  @Optional()
  @IsIn(['true'])
  anchored?: 'true';
}

/** Query of GET /v1/receipts/consistency. */
export class ReceiptConsistencyQuery {
  @JSONSchema({ description: '`size` of the earlier root.', examples: [1_207] })
  @Convert(() => Number)
  @IsInt()
  @Min(1)
  @Max(Number.MAX_SAFE_INTEGER)
  earlier!: number;

  @JSONSchema({ description: '`size` of the later root. Absent: the newest root.' })
  @Optional()
  @Convert(() => Number)
  @IsInt()
  @Min(1)
  @Max(Number.MAX_SAFE_INTEGER)
  later?: number;
}

const SIGNATURE = { keyId: 'rck_01aBcDeFgHiJkLmNoPqRsT', signedAt: 1_795_262_401_000, value: 'A'.repeat(86) };
const EARLIER = { size: 1_207, rootHash: 'ab'.repeat(32), signature: SIGNATURE };
const LATER = { ...EARLIER, size: 1_291, rootHash: 'cd'.repeat(32) };

/** The transaction that has a root. */
class ReceiptAnchor {
  @Field.Integer('Chain id (EIP-155).', { min: 1 }) chainId!: number;
  @Field.Text('Hash of the transaction.', { pattern: '^0x[0-9a-f]{64}$' }) transactionHash!: string;
  @Field.Text('Sender of the transaction, in lower case.', { pattern: '^0x[0-9a-f]{40}$' }) account!: string;
}

/** A signed root of the log of receipts. */
export class ReceiptRoot {
  @Field.Integer('Receipts in the log.', { min: 1 }) size!: number;
  @Field.Text('Root of the Merkle tree (RFC 6962) of all receipts so far.', { pattern: SHA_256 })
  rootHash!: string;

  @Field.Object(() => ReceiptSignature, 'Our signature of size and root.') signature!: ReceiptSignature;

  @Optional()
  @Field.Object(
    () => ReceiptAnchor,
    'Transaction whose data has size, root and signature. Absent: none is in a block yet, or the operator writes no roots on a chain.',
  )
  anchor?: ReceiptAnchor;
}

/** A page of roots: response of GET /v1/receipts/roots. */
@Example({ roots: [LATER, EARLIER], count: 2, nextCursor: null })
export class ReceiptRootList {
  @Field.Object(() => ReceiptRoot, 'Newest first.', { list: true }) roots!: ReceiptRoot[];
  @Field.ItemCount() count!: number;
  @Field.NextCursor() nextCursor!: string | null;
}

/** A proof that the log has a receipt: response of GET /v1/receipts/inclusion. */
@Example({ index: 1_206, root: EARLIER, proof: ['12'.repeat(32)] })
export class ReceiptInclusion {
  @Field.Integer('Place of the receipt in the log, from 0.', { min: 0 }) index!: number;
  @Field.Object(() => ReceiptRoot, 'The root that the proof is for.') root!: ReceiptRoot;
  @Field.Text('Hashes that give the root together with the leaf.', { list: true, pattern: SHA_256 })
  proof!: string[];
}

/** A proof that the log only grew: response of GET /v1/receipts/consistency. */
@Example({ earlier: EARLIER, later: LATER, proof: ['12'.repeat(32)] })
export class ReceiptConsistency {
  @Field.Object(() => ReceiptRoot, 'The earlier root.') earlier!: ReceiptRoot;
  @Field.Object(() => ReceiptRoot, 'The later root.') later!: ReceiptRoot;
  @Field.Text('Hashes that give both roots.', { list: true, pattern: SHA_256 }) proof!: string[];
}
