import { readFile } from 'node:fs/promises';
import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';

const address = Type.Unsafe<`0x${string}`>(Type.String({ pattern: '^0x[0-9a-fA-F]{40}$' }));

/** The contracts of a chain that executions use. */
export const ChainExecution = Type.Object({
  chainId: Type.Integer({ minimum: 1 }),
  /** A swap venue of libs/devnet. Absent on a chain without one. */
  oracleVenue: Type.Optional(address),
  /** The executor contract of each `<protocol>/<market>`. Absent when executions are not submitted there. */
  executors: Type.Optional(Type.Record(Type.String(), address)),
});
export type ChainExecution = Static<typeof ChainExecution>;

/** The part of the registry overlay about executions. libs/evm and market-data read the others. */
const Overlay = Type.Object({ execution: Type.Optional(Type.Array(ChainExecution)) });

/**
 * Returns the part of the overlay file about executions, or none without a file.
 * @throws when the file is unreadable or does not have the overlay's shape
 */
export async function loadExecutionOverlay(overlayPath?: string): Promise<readonly ChainExecution[]> {
  if (!overlayPath) return [];
  const overlay: unknown = JSON.parse(await readFile(overlayPath, 'utf8'));
  if (Value.Check(Overlay, overlay)) return overlay.execution ?? [];
  const first = Value.Errors(Overlay, overlay).First();
  throw new Error(
    `registry overlay: ${first?.path ?? ''} ${first?.message ?? 'is not valid'}; write the file again`,
  );
}
