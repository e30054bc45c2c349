import type { Schema } from './python-models';

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  example?: unknown;
  schema: Schema;
}
/** An operation of the document, as far as the clients need it. */
export interface DocumentedOperation {
  operationId: string;
  summary?: string;
  description?: string;
  parameters?: (Parameter & { $ref?: string })[];
  requestBody?: { content: Record<string, { schema: Schema; example?: unknown }> };
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
}
/** The OpenAPI document. */
export interface Document {
  paths: Record<string, Record<string, DocumentedOperation>>;
  components: { schemas: Record<string, Schema> };
}

/** Returns the schema of each webhook event, by its type. */
export function webhookEvents({ components: { schemas } }: Document): Map<string, string> {
  const found = new Map<string, string>();
  for (const [name, schema] of Object.entries(schemas)) {
    const event = schema.properties?.['event'];
    if (!name.endsWith('Event') || !schema.properties?.['eventId'] || !event) continue;
    for (const word of event.enum ?? [event.const]) if (typeof word === 'string') found.set(word, name);
  }
  return found;
}
