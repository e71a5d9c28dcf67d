/** Paths of requests, and the operations at them. */
import type { Operation } from '../operation.ts'

/** The operations at a path, whatever their methods. */
export function operationsAt(operations: readonly Operation[], path: string): Operation[] {
  return operations.filter((one) => new RegExp(`^${one.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path))
}
