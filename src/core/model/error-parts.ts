/** Reads the three published error forms: nested, flat, or a list of fields. */

type Loose = Readonly<Record<string, unknown>>

export function errorParts(body: unknown): { code: string | undefined; message: string; details: string } {
  const outer = objectOf(body) ?? {}
  const { code, errorCode, message, details, errors } = objectOf(outer['error']) ?? outer
  const fields = Object.values(objectOf(errors) ?? {})
    .flat()
    .join(', ')
  return { code: text(code ?? errorCode), message: text(message) ?? '', details: text(details) ?? fields }
}

function objectOf(value: unknown): Loose | undefined {
  return typeof value === 'object' && value !== null ? (value as Loose) : undefined
}

function text(value: unknown): string | undefined {
  return value === undefined || value === null ? undefined : String(value)
}
