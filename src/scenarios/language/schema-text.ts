import { scenarioJsonSchema } from './schema.ts'

let text: string | undefined

/** The JSON Schema of scenario files as it is published and served: byte for byte `scenarios/scenario.schema.json`. */
export function scenarioSchemaText(): string {
  text ??= `${JSON.stringify(scenarioJsonSchema(), null, 2)}\n`
  return text
}
