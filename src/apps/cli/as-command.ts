/** Says what to do as commands, where a server says it as requests to its control plane. */

/** What asks for the same: `:x` is a part of the path, `{x}` a field of the body. */
const COMMANDS: readonly (readonly [method: string, path: string, command: string])[] = [
  ['GET', '/payments', 'payment list'],
  ['GET', '/payments/:id', 'payment show :id'],
  ['GET', '/payments/:id/explain', 'explain :id'],
  ['POST', '/payments/:id/resolve', 'payment resolve :id {status}'],
  ['GET', '/callbacks', 'callback list'],
  ['GET', '/callbacks/:id', 'callback show :id'],
  ['POST', '/callbacks/:id/redeliver', 'callback redeliver :id'],
  ['GET', '/clock', 'clock show'],
  ['POST', '/clock/advance', 'clock advance {by}'],
  ['POST', '/clock/advance', 'clock advance {to}'],
  ['POST', '/clock/settle', 'clock settle'],
  ['GET', '/requests', 'requests list'],
  ['GET', '/wallets', 'wallet list'],
  ['GET', '/organisations', 'wallet list'],
  ['GET', '/inbox', 'inbox list'],
  ['GET', '/inbox/:name', 'inbox show :name'],
  ['GET', '/snapshots', 'snapshot list'],
  ['POST', '/snapshots', 'snapshot save {name}'],
  ['POST', '/snapshots/:name/restore', 'snapshot restore :name'],
  ['GET', '/worlds', 'world list'],
  ['POST', '/worlds', 'world create {id}'],
  ['POST', '/worlds', 'world create'],
  ['DELETE', '/worlds/:id', 'world delete :id'],
  ['POST', '/reset', 'world reset'],
  ['GET', '/scenario', 'scenario show'],
  ['GET', '/scenario/hits', 'scenario hits'],
  ['GET', '/runs', 'run list'],
  ['POST', '/runs', 'run start'],
  ['GET', '/coverage', 'coverage'],
  ['POST', '/doctor', 'doctor {url}'],
]

const REQUEST =
  /\b(GET|POST|DELETE) (?:https?:\/\/[^\s/]+(?:\/w\/[\w.-]+)?)?\/_mfano(\/[\w./:{}-]*[\w}])(?: (\{[^{}]*\}))?/g

/** A text with `mfano …` in the place of every request that a command makes; other requests stay. */
export function asCommands(text: string): string {
  return text
    .replaceAll('send "replace": true', 'say --replace')
    .replaceAll(REQUEST, (request, method: string, path: string, body: string | undefined) => {
      for (const [ofMethod, ofPath, command] of COMMANDS) {
        const filled = ofMethod === method ? fill(command, partsOf(ofPath, path), fieldsOf(body)) : undefined
        if (filled !== undefined) return `mfano ${filled}`
      }
      return request
    })
}

/** The parts of a path that a pattern names; undefined where it is another path. */
function partsOf(pattern: string, path: string): Record<string, string> | undefined {
  const names = pattern.split('/')
  const given = path.split('/')
  if (names.length !== given.length) return undefined
  const parts: Record<string, string> = {}
  for (const [i, name] of names.entries()) {
    if (name.startsWith(':')) parts[name] = given[i] as string
    else if (name !== given[i]) return undefined
  }
  return parts
}

function fieldsOf(body: string | undefined): Record<string, unknown> {
  try {
    return JSON.parse(body ?? '{}')
  } catch {
    return {}
  }
}

/** Undefined where the command needs what the request does not have. */
function fill(command: string, parts: Record<string, string> | undefined, fields: Record<string, unknown>) {
  if (!parts) return undefined
  let whole = true
  const filled = command.replaceAll(/:\w+|\{(\w+)\}/g, (name, field: string | undefined) => {
    const value = field === undefined ? parts[name] : fields[field]
    if (value === undefined) whole = false
    return String(value)
  })
  return whole ? filled : undefined
}
