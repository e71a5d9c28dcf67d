/** Delays the loading of Node's own fetch, which is loaded whole when one of its classes is first mentioned. */
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)
const MENTIONED = ['CloseEvent', 'Headers', 'Request', 'Response'] as const
const IMPORTED = ['CloseEvent', 'MessageEvent', 'WebSocket']
/** Static functions, which only Response has. */
const STATICS: Record<string, readonly string[]> = { Response: ['error', 'json', 'redirect'] }

type Class = new (...given: unknown[]) => object

/**
 * Makes these classes load on construction instead of on first mention, which saves a sixth of a package's start. They become
 * undici's classes, which Node's are a copy of and which callbacks need anyway. It changes globals, so call it only in
 * mfano's own process, before `node:http` is imported.
 */
export function deferFetch(): void {
  const http = process.getBuiltinModule('node:http')
  // `require` finds them as before; an import hands out what can be enumerated, and reads it for that.
  for (const name of IMPORTED) if (name in http) Object.defineProperty(http, name, { enumerable: false })
  for (const name of MENTIONED) {
    // To describe a property that is there is to load its value.
    Reflect.deleteProperty(globalThis, name)
    Object.defineProperty(globalThis, name, { value: deferred(name), configurable: true, writable: true })
  }
}

/** A placeholder that turns into undici's class on first use. */
function deferred(name: (typeof MENTIONED)[number]): unknown {
  let real: Class | undefined
  const loaded = (): Class => {
    if (real) return real
    const undici: Record<typeof name, Class> = require('undici')
    real = undici[name]
    for (const key of STATICS[name] ?? []) Reflect.deleteProperty(inPlace, key)
    Object.setPrototypeOf(inPlace, real)
    // Classes that extended it before go on with its prototype; objects made from now on are instances of it too.
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
