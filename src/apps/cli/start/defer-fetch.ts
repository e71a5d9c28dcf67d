/** Spares a start Node's own fetch, which is loaded whole with the first mention of one of its classes. */
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)
/** Those that the HTTP adapter mentions while it is loaded. */
const MENTIONED = ['CloseEvent', 'Headers', 'Request', 'Response'] as const
/** Those that an import of `node:http` looks at. */
const IMPORTED = ['CloseEvent', 'MessageEvent', 'WebSocket']
/** Functions of a class itself, of which Response alone has any. */
const STATICS: Record<string, readonly string[]> = { Response: ['error', 'json', 'redirect'] }

type Class = new (...given: unknown[]) => object

/**
 * From now on these classes are loaded when one is made, and not when it is extended or asked for: a tenth of the work
 * until the first answer, which needs none. They then are those of undici, which sends callbacks, and of which Node's are
 * a copy. For a process that nobody else runs in, before it imports `node:http`.
 */
export function deferFetch(): void {
  const http = process.getBuiltinModule('node:http')
  // Who requires the module finds them as before; an import hands out what can be enumerated, and reads it for that.
  for (const name of IMPORTED) if (name in http) Object.defineProperty(http, name, { enumerable: false })
  for (const name of MENTIONED) {
    // To describe a property that is there is to load its value.
    Reflect.deleteProperty(globalThis, name)
    Object.defineProperty(globalThis, name, { value: deferred(name), configurable: true, writable: true })
  }
}

/** A class that becomes the one of undici when it is needed. */
function deferred(name: (typeof MENTIONED)[number]): unknown {
  let real: Class | undefined
  const loaded = (): Class => {
    if (real) return real
    real = require('undici')[name] as Class
    for (const key of STATICS[name] ?? []) Reflect.deleteProperty(inPlace, key)
    Object.setPrototypeOf(inPlace, real)
    // What extended it before goes on with its prototype; what is made from now on is an instance of it too.
    Object.setPrototypeOf(inPlace.prototype, real.prototype)
    inPlace.prototype = real.prototype
    return real
  }
  // A function, because the prototype of a class cannot be exchanged.
  function inPlace(...given: unknown[]): object {
    return Reflect.construct(loaded(), given, new.target === inPlace ? loaded() : new.target)
  }
  for (const key of STATICS[name] ?? []) {
    Object.defineProperty(inPlace, key, { configurable: true, get: () => Reflect.get(loaded(), key) })
  }
  return inPlace
}
