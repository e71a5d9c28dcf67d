/** A scenario as it is sent to a server that has not our files. */
import type { GivenParameters } from '../../core/model/given-parameters.ts'
import type { Service } from '../../core/model/simulated-service.ts'
import { scenarioLibrary } from '../../hosts/node/scenarios.ts'

/**
 * A scenario as a server takes it that has not our files: its text and the values for its parameters or, where it
 * extends files of ours, one text of what they come to together. Throws what is wrong with it before any server is
 * asked. What comes to nothing in it is told by the files as they are here.
 */
export function scenarioToSend(service: Service, nameOrPath: string, parameters: GivenParameters) {
  const files: string[] = []
  const scenario = scenarioLibrary(service).find(nameOrPath, parameters, (file) => files.push(file))
  const warnings = scenario.warnings()
  if (files.length <= 1) return { content: scenario.source, parameters, warnings }
  const { source, parameters: left } = scenario.sendable()
  return { content: source, parameters: left, warnings }
}
