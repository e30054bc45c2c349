import { type Static, Type } from '@sinclair/typebox';
import { TypeCompiler } from '@sinclair/typebox/compiler';
import { type JSONSchema7, jsonSchema } from 'ai';

const MAX_CLAIMS = 60;
const MAX_FACTS_PER_CLAIM = 200;
const MAX_CLAIM_CHARS = 1_000;

const closed = { additionalProperties: false };

/**
 * The schema that the model must follow. It has no bounds, because some servers reject a schema with bounds.
 */
const Draft = Type.Object(
  {
    claims: Type.Array(
      Type.Object(
        {
          text: Type.String({ description: 'One sentence.' }),
          factIds: Type.Array(Type.String(), { description: 'Ids of the facts that the sentence rests on.' }),
          section: Type.Union([Type.String(), Type.Null()], {
            description: 'The section of the template claim that it replaces; null where that has none.',
          }),
        },
        closed,
      ),
    ),
    cannotAnswer: Type.Union([Type.String(), Type.Null()], {
      description: 'Null, or why the facts do not answer the question.',
    }),
  },
  closed,
);
/** A draft as a model sends it. */
export type ModelDraft = Static<typeof Draft>;

const compiled = TypeCompiler.Compile(Draft);

function isDraft(value: unknown): value is ModelDraft {
  return (
    compiled.Check(value) &&
    value.claims.length <= MAX_CLAIMS &&
    value.claims.every(
      ({ text, factIds }) => text.length <= MAX_CLAIM_CHARS && factIds.length <= MAX_FACTS_PER_CLAIM,
    ) &&
    value.claims.length > 0 !== (value.cannotAnswer !== null)
  );
}

/** A draft of a model: claims, or a reason why there are none. Any other form is a failed attempt. */
export const DRAFT_SCHEMA = jsonSchema<ModelDraft>(Draft as unknown as JSONSchema7, {
  validate: (value) =>
    isDraft(value)
      ? { success: true, value }
      : { success: false, error: new Error('the draft does not fit its schema') },
});
