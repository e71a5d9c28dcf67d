/** Both contracts, the usual flows and the Postman collection as files, for any server. */
import { defaultsOf } from '../core/model/assumption.ts'
import type { Contract } from '../http/contract.ts'
import type { ServedService } from '../service/parts.ts'
import { ARAZZO_FILE, arazzoDocument } from './collection/arazzo.ts'
import { inForm, type OpenApiForm } from './collection/openapi-30.ts'
import { POSTMAN_FILE, postmanCollection } from './collection/postman.ts'
import { SKILL_FILE, SKILL_PAGE, skillText } from './collection/skill.ts'
import { collectionSteps } from './collection/steps.ts'
import { controlContract } from './control/control-contract.ts'
import { controlOperations } from './control-operations.ts'

const BASE_URL = '{{baseUrl}}'

interface FilesFor {
  baseUrl: string
  version: string
}

export async function collectionFiles(service: ServedService, given: FilesFor): Promise<Map<string, string>> {
  const steps = collectionSteps(await contractOf(service, { ...given, baseUrl: BASE_URL }))
  // It makes a world of its own, at the server.
  const server = given.baseUrl.replace(/\/w\/[^/]+$/, '')
  return new Map([[POSTMAN_FILE, textOf(postmanCollection(steps, server))]])
}

export async function contractFiles(
  service: ServedService,
  { form, ...given }: FilesFor & { form: OpenApiForm },
): Promise<Map<string, string>> {
  const control = controlContract(controlOperations, service, given)
  const documents = { 'openapi.json': await contractOf(service, given), 'control-openapi.json': control }
  return new Map(Object.entries(documents).map(([name, document]) => [name, textOf(inForm(document, form))]))
}

export async function flowFiles(service: ServedService, given: FilesFor): Promise<Map<string, string>> {
  return new Map([[ARAZZO_FILE, textOf(arazzoDocument(await contractOf(service, given), given.baseUrl))]])
}

export function skillFiles(readPage: (path: string) => string, { baseUrl }: FilesFor): Map<string, string> {
  return new Map([[SKILL_FILE, skillText(readPage(SKILL_PAGE), baseUrl)]])
}

/** Under the default assumptions. */
async function contractOf(service: ServedService, { baseUrl, version }: FilesFor): Promise<Contract> {
  const assumptions = defaultsOf(service.assumptions)
  return service.contract({ baseUrl, version, assumptions, examples: await service.examples(baseUrl) })
}

function textOf(document: object): string {
  return `${JSON.stringify(document, null, 2)}\n`
}
