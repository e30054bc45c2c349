import { readFileSync } from 'node:fs';
import path from 'node:path';
import { OPERATIONS, operationSchemas } from './schemas';

const DOCUMENT = JSON.parse(readFileSync(path.join(__dirname, '../../docs/openapi.json'), 'utf8')) as Record<
  string,
  unknown
>;

type Schema = { properties: Record<string, object>; required: string[]; $defs: Record<string, object> };

describe('operationSchemas', () => {
  const schemas = operationSchemas(DOCUMENT) as Record<
    string,
    { input: Schema; output: object; outputDefs: Record<string, object> }
  >;

  it('has every operation, and only definitions that exist', () => {
    expect(Object.keys(schemas).sort()).toEqual([...OPERATIONS].sort());
    for (const { input, output, outputDefs } of Object.values(schemas)) {
      const used = (value: object): string[] =>
        [...JSON.stringify(value).matchAll(/#\/\$defs\/(\w+)/g)].map(([, name = '']) => name);
      expect(used(input).filter((name) => !(name in input.$defs))).toEqual([]);
      expect(used({ output, outputDefs }).filter((name) => !(name in outputDefs))).toEqual([]);
    }
  });

  it('has parameters and fields of the body in one object, and no headers', () => {
    const { input } = schemas['simulateWhatIf']!;
    expect(Object.keys(input.properties).sort()).toEqual(['positionId', 'scenarios']);
    expect([...input.required].sort()).toEqual(['positionId', 'scenarios']);
    expect(Object.keys(schemas['getPosition']!.input.properties)).toEqual(['id', 'receipt']);
  });

  it('keeps properties whose names are those of prose', () => {
    const { outputDefs } = schemas['listScenarios']!;
    expect(Object.keys((outputDefs['StressScenario'] as Schema).properties)).toContain('description');
    expect(JSON.stringify(schemas['listPositions']!.output)).not.toContain('"description":"');
  });

  it('throws for a document without an operation', () => {
    expect(() => operationSchemas({ components: { schemas: {} }, paths: {} })).toThrow(
      'no operation listPositions',
    );
  });
});
