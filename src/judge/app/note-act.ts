/** Notes in the recording of a world what its judge asks of the app, so that it can be asked again. */
import type { Control } from '../../client/control.ts'
import { capsulesAreKept } from '../keep-capsule.ts'
import type { AppRequest, Placeholder } from './merchant-file.ts'

/** A request to the app, before its placeholders are filled, and what those of this act were. */
export interface NotedAct {
  act: string
  request: AppRequest
  values: Partial<Record<Placeholder, string>>
}

/** To be called before it is asked; nothing where no capsules are kept. */
export async function noteAct(control: Control, request: AppRequest, values: NotedAct['values']): Promise<void> {
  if (!capsulesAreKept()) return
  const body: NotedAct = { act: `${request.method} ${request.path}`, request, values }
  await control('POST', '/capsule/notes', { body: { ...body } })
}
