const FIRST_CHUNK_BYTES = 256;
/** Longer byte fields are not copied, so record batches reach the socket without a copy. */
const COPY_LIMIT_BYTES = 1_024;

/** Writes the primitive types of the Kafka protocol. */
export class Writer {
  readonly #chunks: Buffer[] = [];
  #chunkBytes = 0;
  #tail = Buffer.allocUnsafe(FIRST_CHUNK_BYTES);
  #used = 0;

  constructor(
    readonly version = 0,
    readonly flexible = false,
  ) {}

  get length(): number {
    return this.#chunkBytes + this.#used;
  }

  int8(value: number): void {
    const at = this.#reserve(1);
    this.#tail.writeInt8(value, at);
  }

  int16(value: number): void {
    const at = this.#reserve(2);
    this.#tail.writeInt16BE(value, at);
  }

  int32(value: number): void {
    const at = this.#reserve(4);
    this.#tail.writeInt32BE(value, at);
  }

  int64(value: number): void {
    const at = this.#reserve(8);
    this.#tail.writeBigInt64BE(BigInt(value), at);
  }

  boolean(value: boolean): void {
    this.int8(value ? 1 : 0);
  }

  unsignedVarint(value: number): void {
    let left = value;
    while (left >= 0x80) {
      this.#byte((left % 0x80) | 0x80);
      left = Math.floor(left / 0x80);
    }
    this.#byte(left);
  }

  nullableString(value: string | null): void {
    const bytes = value === null ? null : Buffer.from(value, 'utf8');
    if (this.flexible) this.unsignedVarint(bytes === null ? 0 : bytes.length + 1);
    else this.int16(bytes === null ? -1 : bytes.length);
    if (bytes) this.raw(bytes);
  }

  nullableBytes(value: Buffer | null): void {
    this.arrayLength(value === null ? -1 : value.length);
    if (value) this.raw(value);
  }

  arrayLength(length: number): void {
    if (this.flexible) this.unsignedVarint(length + 1);
    else this.int32(length);
  }

  emptyTaggedFields(): void {
    if (this.flexible) this.unsignedVarint(0);
  }

  raw(bytes: Buffer): void {
    if (bytes.length <= COPY_LIMIT_BYTES) {
      const at = this.#reserve(bytes.length);
      bytes.copy(this.#tail, at);
      return;
    }
    this.#closeTail(FIRST_CHUNK_BYTES);
    this.#chunks.push(bytes);
    this.#chunkBytes += bytes.length;
  }

  /** The message in pieces, for a vectored write. */
  chunks(): Buffer[] {
    return [...this.#chunks, this.#tail.subarray(0, this.#used)];
  }

  toBuffer(): Buffer {
    return Buffer.concat(this.chunks());
  }

  #byte(value: number): void {
    const at = this.#reserve(1);
    this.#tail.writeUInt8(value, at);
  }

  /** May replace the tail: call it before the tail is used. */
  #reserve(length: number): number {
    if (this.#used + length > this.#tail.length) this.#closeTail(Math.max(length, this.#tail.length * 2));
    const start = this.#used;
    this.#used += length;
    return start;
  }

  #closeTail(nextBytes: number): void {
    if (this.#used > 0) this.#chunks.push(this.#tail.subarray(0, this.#used));
    this.#chunkBytes += this.#used;
    this.#tail = Buffer.allocUnsafe(Math.min(nextBytes, 65_536));
    this.#used = 0;
  }
}
