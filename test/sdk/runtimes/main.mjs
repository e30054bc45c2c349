// Prints each step of program.mjs. Node, Deno and Bun run it.
import { steps } from './program.mjs';

for await (const line of steps(process.env)) process.stdout.write(`${line}\n`);
