import { assemble, creationCode } from './assemble';

describe('assemble', () => {
  it('writes opcodes, literals at their width, and jump targets', () => {
    expect(assemble('0x01 @end JUMPI ; a comment\n end: STOP')).toBe('0x6001610006575b00');
  });

  it('throws on an unknown word and on a target that is missing', () => {
    expect(() => assemble('PUSH')).toThrow('PUSH');
    expect(() => assemble('@nowhere JUMPI')).toThrow('nowhere');
  });
});

describe('creationCode', () => {
  it('returns the runtime after a header of its own length', () => {
    expect(creationCode('0xaabb')).toBe('0x61000280600c6000396000f3aabb');
  });
});
