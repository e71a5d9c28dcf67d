/** The control plane of a world, for tests: any request, and every operation as a method. */
import { type AnyControl, type Control, controlOf, type NamedControl } from '../../client/control.ts'
import type { ShownHint } from '../../core/model/problems.ts'

export type WorldControl = Control & AnyControl & NamedControl

/** Errors name operations that help as methods: `world.control.clock.advance({"by":"5m"})`. */
export function worldControl(baseUrl: string, adminToken: string | undefined): WorldControl {
  const control = controlOf(baseUrl, { adminToken, showHint: asMethod })
  const verbsOf = (noun: string) =>
    new Proxy(
      {},
      {
        get: (_, verb) => (parameters?: Record<string, unknown>) => ask(control, `${noun}.${String(verb)}`, parameters),
      },
    )
  const named: ProxyHandler<Control & AnyControl> = {
    get: (target, name) => (typeof name === 'symbol' || name in target ? Reflect.get(target, name) : verbsOf(name)),
  }
  return new Proxy(control, named) as WorldControl
}

/** The method of the kit that a hint names. */
export function asMethod({ operation, with: parameters }: ShownHint): string {
  return `world.control.${operation}(${Object.keys(parameters).length > 0 ? JSON.stringify(parameters) : ''})`
}

async function ask(
  control: Control & AnyControl,
  id: string,
  parameters: Record<string, unknown> = {},
): Promise<unknown> {
  // Declarations are loaded when a test first asks by a name.
  const { operations, requestFor } = await import('../../server/operation-fields.ts')
  const declared = operations.get(id)
  if (!declared)
    throw new TypeError(`There is no operation ${id}. world.control.operation.list() tells which there are.`)
  const [method, path, given] = requestFor(declared, parameters)
  return control(method, path, { ...given, ...(declared.answer === undefined && { as: 'response' }) })
}
