import { mfanoUnder } from '../../support/program.ts'

// biome-ignore lint/suspicious/noExplicitAny: what a server answers is for the test to judge
export type Any = any

/** One started program, as a merchant and an operator reach it. */
export async function start(directory: string, ...flags: string[]) {
  return startUnder([], directory, ...flags)
}

/** The same below another command. */
export async function startUnder(under: readonly string[], directory: string, ...flags: string[]) {
  const program = mfanoUnder(under, '--port', '0', '--data', directory, ...flags)
  const { baseUrl, credentials } = await program.ready()
  let answered = 0
  let counted = () => {}
  const call = async (
    method: string,
    path: string,
    body?: object,
    token?: string,
  ): Promise<{ status: number; body: Any }> => {
    const response = await fetch(baseUrl + path, {
      method,
      headers: {
        ...(body && { 'content-type': 'application/json' }),
        ...(token && { authorization: `Bearer ${token}` }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    const answer = { status: response.status, body: await response.json() }
    answered++
    counted()
    return answer
  }
  /** Resolves when so many calls were answered since it started: a moment that is the same on every machine. */
  const answers = (count: number) =>
    new Promise<void>((resolve) => {
      counted = () => {
        if (answered >= count) resolve()
      }
      counted()
    })
  const login = async (world = '') => {
    const { apiKey, apiSecret } = credentials
    return (await call('POST', `${world}/api/v1/get-token`, { apiKey, apiSecret })).body.data.access_token as string
  }
  return { program, baseUrl, call, login, answers }
}
export type Started = Awaited<ReturnType<typeof start>>

/** A killed program answers nothing, which `fetch` calls a TypeError; anything else is a finding. */
export function gone(error: unknown) {
  if (!(error instanceof TypeError)) throw error
}
