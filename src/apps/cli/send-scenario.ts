/** Prepares a local scenario for a server that cannot read local files. */
import type { GivenParameters } from '../../core/model/assumption.ts'
import { scenarioLibrary } from '../../hosts/node/scenarios.ts'

/**
 * The text and its parameters. If the scenario extends local files, they are merged into one text. Throws the
 * scenario's problems before any server is called. Warnings refer to the local files.
 */
export function scenarioToSend(nameOrPath: string, parameters: GivenParameters) {
  const files: string[] = []
  const scenario = scenarioLibrary().find(nameOrPath, parameters, (file) => files.push(file))
  const warnings = scenario.warnings()
  if (files.length <= 1) return { content: scenario.source, parameters, warnings }
  const { source, parameters: left } = scenario.sendable()
  return { content: source, parameters: left, warnings }
}
