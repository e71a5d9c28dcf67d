/** The operation of the service that a request is for. */
import type { ServiceOperation } from '../../core/model/kind.ts'
import { faultTarget } from '../../core/response-faults.ts'
import { paymentsService } from '../../service/service.ts'
import { belowBase } from './read-traffic.ts'

/** A path without names says more than one with them. */
const patterns = paymentsService.operations
  .toSorted((a, b) => a.path.split('{').length - b.path.split('{').length)
  .map((operation) => [patternOf(faultTarget(operation)), operation] as const)

export function operationOf({ method, path }: { method: string; path: string }): ServiceOperation | undefined {
  const called = `${method} ${belowBase(path).split('?')[0]}`
  return patterns.find(([pattern]) => pattern.test(called))?.[1]
}

function patternOf(template: string): RegExp {
  const literal = template.split(/\{\w+\}/).map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${literal.join('[^/]+')}$`)
}
