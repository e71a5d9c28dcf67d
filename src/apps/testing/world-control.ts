import { type AnyControl, type Control, controlOf, type NamedControl, requestOf } from '../../client/control.ts'
import { toldOperations } from '../cli/operations.gen.ts'

type Method = (parameters?: Readonly<Record<string, unknown>>) => Promise<unknown>

/** Errors name operations that help as methods: `world.clock.advance({"by":"5m"})`. */
export function worldControl(baseUrl: string, adminToken: string | undefined): Control & AnyControl {
  return controlOf(baseUrl, {
    adminToken,
    showHint: ({ operation, with: parameters }) =>
      `world.${operation}(${Object.keys(parameters).length > 0 ? JSON.stringify(parameters) : ''})`,
  })
}

/** All operations by noun and verb, but those of mfano's own programs. */
export function namedControl(control: AnyControl): NamedControl {
  const nouns: Record<string, Record<string, Method>> = {}
  for (const declared of toldOperations) {
    const { id, method, path, isJson } = declared
    const [noun = '', verb = ''] = id.split('.')
    const verbs = nouns[noun] ?? {}
    nouns[noun] = verbs
    verbs[verb] = (parameters = {}) =>
      control(method, path, { ...requestOf(declared, parameters), ...(!isJson && { as: 'response' }) })
  }
  return nouns as unknown as NamedControl
}
