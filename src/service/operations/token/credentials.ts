/** Checks a key and secret. */
import type { Core } from '../../../core/core.ts'
import { refused } from '../../../core/model/refusal-reasons.ts'
import { chosen } from '../../assumed/assumptions.ts'
import { serviceReasons } from '../../requests/service-reasons.ts'

export function organisationOfKeys(core: Core, apiKey: string, secretSha256: string): number {
  const credential = core.store.organisations.credential(apiKey)
  if (credential?.secretSha256 === secretSha256) return credential.organisationId
  throw refused(serviceReasons.credentialsWrong, 'apiKey and apiSecret: must be a pair that this service issued', {
    code: chosen(core)['bad-credentials'],
    fields: [{ field: 'apiKey', message: 'apiKey and apiSecret must be a pair that this service issued' }],
  })
}
