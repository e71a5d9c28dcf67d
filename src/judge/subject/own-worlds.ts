/** Worlds of a judge: each made for one run and gone after it, several at a time. */
import { type Control, type ControlBody, controlOf } from '../../client/control.ts'

export interface OwnWorld {
  baseUrl: string
  credentials: { apiKey: string; apiSecret: string; companyId: string }
  control: Control
}

/** Makes one at a running mfano, works in it, and removes it. */
export async function inNewWorld<Result>(
  url: string,
  body: ControlBody<'POST', '/worlds'>,
  work: (world: OwnWorld) => Promise<Result>,
): Promise<Result> {
  const server = controlOf(url)
  const made = await server('POST', '/worlds', { body })
  try {
    return await work({ ...made, control: controlOf(made.baseUrl) })
  } finally {
    await server('DELETE', '/worlds/:id', { path: { id: made.id } }).catch(() => {})
  }
}

/** What comes of work that may be interrupted: nothing, where it was. */
export async function unlessAborted<Result>(
  signal: AbortSignal,
  work: () => Promise<Result>,
): Promise<Result | undefined> {
  if (signal.aborted) return undefined
  try {
    return await work()
  } catch (error) {
    if (signal.aborted) return undefined
    throw error
  }
}

/** Works on items, so many at a time, until there are none or it is interrupted. */
export async function inTurns<Item>(
  items: readonly Item[],
  { jobs, signal }: { jobs: number; signal: AbortSignal },
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const waiting = items.values()
  const worker = async () => {
    for (const item of waiting) {
      if (signal.aborted) return
      await work(item)
    }
  }
  await Promise.all(Array.from({ length: jobs }, worker))
}
