import fc from 'fast-check';
import * as apis from './apis';
import { MalformedMessageError, Reader } from './reader';
import { isFlexible, type Api, type Codec } from './schema';
import { Writer } from './writer';

/** Returns a random value for each read, so a codec reads a random message of its form from it. */
class RandomReader extends Reader {
  readonly #random: () => number;

  constructor(seed: number, version: number, flexible: boolean) {
    super(Buffer.alloc(0), version, flexible);
    let state = seed >>> 0;
    this.#random = () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return state / 2 ** 32;
    };
  }

  override int8 = (): number => this.#integer(2 ** 8);
  override int16 = (): number => this.#integer(2 ** 16);
  override int32 = (): number => this.#integer(2 ** 32);
  override int64 = (): number => this.#integer(2 ** 53);
  override boolean = (): boolean => this.#random() < 0.5;
  override arrayLength = (): number => Math.floor(this.#random() * 4);
  override skipTaggedFields = (): void => undefined;
  override string = (): string => 'é'.repeat(Math.floor(this.#random() * 200));
  override nullableString = (): string | null => (this.#random() < 0.3 ? null : this.string());
  override bytes = (): Buffer => Buffer.alloc(Math.floor(this.#random() * 3_000), 7);
  override nullableBytes = (): Buffer | null => (this.#random() < 0.3 ? null : this.bytes());

  #integer(range: number): number {
    return Math.floor(this.#random() * range) - range / 2;
  }
}

const cases = Object.values(apis as Record<string, Api<unknown, unknown>>).flatMap((api) =>
  Array.from({ length: api.maxVersion - api.minVersion + 1 }, (_, at) => api.minVersion + at).flatMap(
    (version): [string, Codec<unknown>, number, boolean][] => [
      [`${api.name} v${version} request`, api.request, version, isFlexible(api, version)],
      [`${api.name} v${version} response`, api.response, version, isFlexible(api, version)],
    ],
  ),
);

describe.each(cases)('%s', (_, codec, version, flexible) => {
  it('reads its own output, to the last byte', () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const value = codec.read(new RandomReader(seed, version, flexible));
        const writer = new Writer(version, flexible);
        codec.write(writer, value);
        const message = writer.toBuffer();
        expect(writer.length).toBe(message.length);
        const reader = new Reader(message, version, flexible);
        expect(codec.read(reader)).toEqual(value);
        expect(reader.remaining).toBe(0);
      }),
      { numRuns: 30 },
    );
  });

  it('rejects a message that was cut off', () => {
    fc.assert(
      fc.property(fc.integer(), fc.double({ min: 0, max: 0.999, noNaN: true }), (seed, share) => {
        const writer = new Writer(version, flexible);
        codec.write(writer, codec.read(new RandomReader(seed, version, flexible)));
        const message = writer.toBuffer();
        const cut = message.subarray(0, Math.floor(message.length * share));
        // Versions without fields have no bytes to cut off.
        if (message.length > 0)
          expect(() => codec.read(new Reader(cut, version, flexible))).toThrow(MalformedMessageError);
      }),
      { numRuns: 30 },
    );
  });
});

describe('Reader', () => {
  it('does not allocate for an array that claims more elements than there are bytes', () => {
    const message = Buffer.from([0x7f, 0xff, 0xff, 0xff]);
    expect(() => new Reader(message).arrayLength()).toThrow('claims 2147483647 elements');
  });
});
