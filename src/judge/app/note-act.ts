/** Records the judge's requests to the app in the world's recording, so that they can be replayed. */
import type { Control } from '../../client/control.ts'
import { capsulesAreKept } from '../keep-capsule.ts'
import type { AppRequest, Placeholder } from './merchant-file.ts'

/** The request has its placeholders unfilled; `values` holds this act's values. */
export interface NotedAct {
  act: string
  request: AppRequest
  values: Partial<Record<Placeholder, string>>
}

/** Call it before sending the request. Does nothing if no capsules are kept. */
export async function noteAct(control: Control, request: AppRequest, values: NotedAct['values']): Promise<void> {
  if (!capsulesAreKept()) return
  const body: NotedAct = { act: `${request.method} ${request.path}`, request, values }
  await control('POST', '/capsule/notes', { body: { ...body } })
}
