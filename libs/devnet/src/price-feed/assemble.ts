import type { Hex } from 'viem';

const OPCODES: Record<string, number> = {
  STOP: 0x00,
  ADD: 0x01,
  EQ: 0x14,
  SHR: 0x1c,
  CALLDATALOAD: 0x35,
  CODECOPY: 0x39,
  TIMESTAMP: 0x42,
  MSTORE: 0x52,
  SLOAD: 0x54,
  SSTORE: 0x55,
  JUMPI: 0x57,
  DUP1: 0x80,
  SWAP1: 0x90,
  LOG3: 0xa3,
  RETURN: 0xf3,
  REVERT: 0xfd,
};
const PUSH2 = 0x61;
const JUMPDEST = 0x5b;

/**
 * Turns EVM mnemonics into code, so that a contract of a few lines needs no Solidity compiler. A word is an
 * opcode, a `0x…` literal (pushed at its own width), `name:` (a jump target) or `@name` (pushes that target).
 * Text after `;` is a comment.
 * @throws on any other word, and on a missing target
 */
export function assemble(source: string): Hex {
  const words = source
    .split('\n')
    .flatMap((line) => (line.split(';')[0] ?? '').split(/\s+/))
    .filter(Boolean);
  const bytes: number[] = [];
  const targets = new Map<string, number>();
  const references: { at: number; name: string }[] = [];
  for (const word of words) {
    const opcode = OPCODES[word];
    if (opcode !== undefined) bytes.push(opcode);
    else if (/^0x([0-9a-f]{2}){1,32}$/.test(word)) bytes.push(...push(word));
    else if (/^\w+:$/.test(word)) {
      targets.set(word.slice(0, -1), bytes.length);
      bytes.push(JUMPDEST);
    } else if (/^@\w+$/.test(word)) {
      references.push({ at: bytes.length + 1, name: word.slice(1) });
      bytes.push(PUSH2, 0, 0);
    } else throw new Error(`"${word}" is no EVM word: use an opcode, a 0x literal, a name: or an @name`);
  }
  for (const { at, name } of references) {
    const target = targets.get(name);
    if (target === undefined) throw new Error(`jump target "${name}" is missing: add "${name}:"`);
    bytes[at] = target >> 8;
    bytes[at + 1] = target & 0xff;
  }
  return `0x${Buffer.from(bytes).toString('hex')}`;
}

function push(literal: string): number[] {
  const value = [...Buffer.from(literal.slice(2), 'hex')];
  return [PUSH2 - 2 + value.length, ...value];
}

/** Creation code that returns the given runtime code unchanged and takes no arguments. */
export function creationCode(runtime: Hex): Hex {
  const length = (runtime.length - 2) / 2;
  const size = `0x${length.toString(16).padStart(4, '0')}`;
  // The header is 12 bytes: PUSH2 DUP1 PUSH1 PUSH1 CODECOPY PUSH1 RETURN with their literals.
  const header = assemble(`${size} DUP1 0x0c 0x00 CODECOPY 0x00 RETURN`);
  return `0x${header.slice(2)}${runtime.slice(2)}`;
}
