/** Checks a key and secret or, under an assumption, a user's name and password. */
import type { Core } from '../../../core/core.ts'
import { sha256Hex } from '../../../core/model/digest.ts'
import { refused } from '../../../core/model/refusal-reasons.ts'
import type { World } from '../../../core/world.ts'
import { chosen } from '../../assumed/assumptions.ts'
import { serviceReasons } from '../../requests/service-reasons.ts'

interface Given {
  apiKey: string
  apiSecret: string
}

/** Done before the commit, because hashing a password is slow. */
export interface CheckedSecret {
  secretSha256: string
  userIds: number[]
}

export async function checkSecret({ apiKey, apiSecret }: Given, { core, host }: World): Promise<CheckedSecret> {
  const userIds: number[] = []
  const users = chosen(core)['user-login'] === 'none' ? [] : core.store.organisations.usersNamed(apiKey)
  for (const { id, passwordScrypt } of users) if (await host.verifyPassword(apiSecret, passwordScrypt)) userIds.push(id)
  return { secretSha256: await sha256Hex(apiSecret), userIds }
}

export function organisationOfKeys(core: Core, { apiKey }: Given, { secretSha256, userIds }: CheckedSecret): number {
  const credential = core.store.organisations.credential(apiKey)
  if (credential?.secretSha256 === secretSha256) return credential.organisationId
  const choice = chosen(core)['user-login']
  const user = core.store.organisations
    .usersNamed(apiKey)
    .find(
      ({ id, roles }) => userIds.includes(id) && (choice === 'all' || (choice === 'admins' && roles.includes('ADMIN'))),
    )
  if (user) return user.organisationId
  throw refused(serviceReasons.credentialsWrong, 'apiKey and apiSecret: must be a pair that this service issued', {
    code: chosen(core)['bad-credentials'],
    fields: [{ field: 'apiKey', message: 'apiKey and apiSecret must be a pair that this service issued' }],
  })
}
