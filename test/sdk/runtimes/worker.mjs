// Runs program.mjs in workerd with the scene of the request, and sends each step as a line.
import { steps } from './program.mjs';

export default {
  async fetch(request) {
    const scene = await request.json();
    const { readable, writable } = new TransformStream();
    const writer = writable.getWriter();
    const write = (line) => writer.write(new TextEncoder().encode(`${line}\n`));
    const run = async () => {
      try {
        for await (const line of steps(scene)) await write(line);
      } catch (error) {
        await write(error.stack);
      }
      await writer.close();
    };
    run();
    return new Response(readable);
  },
};
