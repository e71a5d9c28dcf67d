/** Checks a key and secret. */
import type { Asked } from '../../../http/operation.ts'
import { reason } from '../../assumed/assumptions.ts'

export const credentialsWrong = reason(
  'caller',
  'AUTH_INVALID_TOKEN',
  'apiKey is unknown, or apiSecret is not that of the key',
  'bad-credentials',
  { AUTH_INVALID_TOKEN: {}, AUTH_FORBIDDEN: { code: 'AUTH_FORBIDDEN' } },
)

export function organisationOfKeys(
  { core, refuse }: Asked<typeof credentialsWrong>,
  apiKey: string,
  secretSha256: string,
): number {
  const credential = core.store.organisations.credential(apiKey)
  if (credential?.secretSha256 === secretSha256) return credential.organisationId
  throw refuse(
    credentialsWrong,
    'apiKey and apiSecret: must be a pair that this service issued',
    'apiKey and apiSecret must be a pair that this service issued',
  )
}
