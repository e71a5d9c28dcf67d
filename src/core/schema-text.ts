/** The JSON Schema of scenario files as a text. */
import type { Service } from './model/simulated-service.ts'
import { scenarioJsonSchema } from './scenarios/language/scenario-schema.ts'

const texts = new WeakMap<Service, string>()

/** The text of `scenarios/scenario.schema.json`. */
export function scenarioSchemaText(service: Service): string {
  const text = texts.get(service) ?? `${JSON.stringify(scenarioJsonSchema(service), null, 2)}\n`
  texts.set(service, text)
  return text
}
