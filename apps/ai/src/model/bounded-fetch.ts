const MAX_BYTES = 1_048_576;

/** Follows no redirect, which would send the prompt elsewhere, and limits the size of a response. */
export const boundedFetch: typeof fetch = async (input, init) => {
  const response = await fetch(input, { ...init, redirect: 'error' });
  let read = 0;
  const bounded = response.body?.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        read += chunk.byteLength;
        if (read > MAX_BYTES) controller.error(new Error(`an answer of more than ${MAX_BYTES} bytes`));
        else controller.enqueue(chunk);
      },
    }),
  );
  return new Response(bounded ?? null, response);
};
