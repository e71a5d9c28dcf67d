/** The Postman collection, for any server. */
import { defaultsOf } from '../core/model/assumption.ts'
import type { ServedService } from '../service/parts.ts'
import { POSTMAN_FILE, postmanCollection } from './collection/postman.ts'
import { collectionSteps } from './collection/steps.ts'

const BASE_URL = '{{baseUrl}}'

export async function collectionFiles(
  service: ServedService,
  { server, version }: { server: string; version: string },
): Promise<Map<string, string>> {
  const assumptions = defaultsOf(service.assumptions)
  const examples = await service.examples(BASE_URL)
  const steps = collectionSteps(service.contract({ baseUrl: BASE_URL, version, assumptions, examples }))
  return new Map([[POSTMAN_FILE, `${JSON.stringify(postmanCollection(steps, server), null, 2)}\n`]])
}
