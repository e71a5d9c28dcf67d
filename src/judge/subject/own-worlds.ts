/** Creates a world for each run of a judge and removes it afterwards. */
import { type Control, type ControlBody, controlOf } from '../../client/control.ts'

export interface OwnWorld {
  baseUrl: string
  credentials: { apiKey: string; apiSecret: string; companyId: string }
  control: Control
}

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

/** The world and those that the subject made below its address, which stay until the world is deleted. */
export async function withWorldsBelow(control: Control): Promise<Control[]> {
  const { worlds } = await control('GET', '/worlds')
  return [control, ...worlds.map(({ baseUrl }) => controlOf(baseUrl))]
}

/** Returns undefined if the work was aborted. */
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
