/** Polynomial of Castagnoli, reflected. */
const POLYNOMIAL = 0x82f6_3b78;
const SLICES = 8;

/** Tables for slicing by eight: table k advances a byte over k further zero bytes. */
const TABLES = makeTables();

/** CRC-32C, which protects each record batch. */
export function crc32c(data: Buffer): number {
  const [t0, t1, t2, t3, t4, t5, t6, t7] = TABLES;
  let crc = 0xffff_ffff;
  let at = 0;
  for (const end = data.length - 7; at < end; at += SLICES) {
    const low = crc ^ (data[at]! | (data[at + 1]! << 8) | (data[at + 2]! << 16) | (data[at + 3]! << 24));
    crc =
      t7[low & 0xff]! ^
      t6[(low >>> 8) & 0xff]! ^
      t5[(low >>> 16) & 0xff]! ^
      t4[low >>> 24]! ^
      t3[data[at + 4]!]! ^
      t2[data[at + 5]!]! ^
      t1[data[at + 6]!]! ^
      t0[data[at + 7]!]!;
  }
  for (; at < data.length; at += 1) crc = (crc >>> 8) ^ t0[(crc ^ data[at]!) & 0xff]!;
  return (crc ^ 0xffff_ffff) >>> 0;
}

type Tables = [
  Int32Array,
  Int32Array,
  Int32Array,
  Int32Array,
  Int32Array,
  Int32Array,
  Int32Array,
  Int32Array,
];

function makeTables(): Tables {
  const tables = Array.from({ length: SLICES }, () => new Int32Array(256)) as Tables;
  for (let byte = 0; byte < 256; byte += 1) {
    let crc = byte;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ POLYNOMIAL : crc >>> 1;
    tables[0][byte] = crc;
  }
  for (let byte = 0; byte < 256; byte += 1) {
    for (let slice = 1; slice < SLICES; slice += 1) {
      const previous = tables[slice - 1]![byte]!;
      tables[slice]![byte] = (previous >>> 8) ^ tables[0][previous & 0xff]!;
    }
  }
  return tables;
}
