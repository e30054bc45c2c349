/** A request or response that ends before its fields do, or whose lengths are impossible. */
export class MalformedMessageError extends Error {
  override readonly name = 'MalformedMessageError';
}

/** Reads the primitive types of the Kafka protocol from a message. Byte fields are views of the message. */
export class Reader {
  #position = 0;

  constructor(
    private readonly buffer: Buffer,
    /** Version of the API that the message belongs to. */
    readonly version = 0,
    /** Flexible versions use compact lengths and end each structure with tagged fields. */
    readonly flexible = false,
  ) {}

  get remaining(): number {
    return this.buffer.length - this.#position;
  }

  int8(): number {
    return this.buffer.readInt8(this.#take(1));
  }

  int16(): number {
    return this.buffer.readInt16BE(this.#take(2));
  }

  int32(): number {
    return this.buffer.readInt32BE(this.#take(4));
  }

  /** Offsets, timestamps and producer ids stay far below 2^53. */
  int64(): number {
    return Number(this.buffer.readBigInt64BE(this.#take(8)));
  }

  boolean(): boolean {
    return this.int8() !== 0;
  }

  unsignedVarint(): number {
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.buffer.readUInt8(this.#take(1));
      value += (byte & 0x7f) * 2 ** shift;
      if ((byte & 0x80) === 0) return value;
    }
    throw new MalformedMessageError('a variable-length integer has more than five bytes');
  }

  string(): string {
    const value = this.nullableString();
    if (value === null) throw new MalformedMessageError('a string is null where it must not be');
    return value;
  }

  nullableString(): string | null {
    const length = this.flexible ? this.unsignedVarint() - 1 : this.int16();
    return length < 0 ? null : this.#slice(length).toString('utf8');
  }

  bytes(): Buffer {
    return this.nullableBytes() ?? Buffer.alloc(0);
  }

  nullableBytes(): Buffer | null {
    const length = this.flexible ? this.unsignedVarint() - 1 : this.int32();
    return length < 0 ? null : this.#slice(length);
  }

  /** The number of elements that follow. −1: the array is null. */
  arrayLength(): number {
    const length = this.flexible ? this.unsignedVarint() - 1 : this.int32();
    // An element takes at least one byte. A larger number would only allocate memory.
    if (length > this.remaining) throw new MalformedMessageError(`an array claims ${length} elements`);
    return length;
  }

  skipTaggedFields(): void {
    if (!this.flexible) return;
    for (let left = this.unsignedVarint(); left > 0; left -= 1) {
      this.unsignedVarint();
      this.#take(this.unsignedVarint());
    }
  }

  #slice(length: number): Buffer {
    const start = this.#take(length);
    return this.buffer.subarray(start, start + length);
  }

  #take(length: number): number {
    const start = this.#position;
    if (length > this.remaining) {
      throw new MalformedMessageError(`the message ends ${length - this.remaining} bytes too early`);
    }
    this.#position = start + length;
    return start;
  }
}
