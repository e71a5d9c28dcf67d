/** Finds the operations at a path. */
import type { Operation } from '../operation.ts'

export function operationsAt(operations: readonly Operation[], path: string): Operation[] {
  return operations.filter((one) => new RegExp(`^${one.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path))
}
