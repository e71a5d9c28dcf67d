import { type Core, stamp } from '../core.ts'
import { DIGITS } from '../model/chance.ts'
import type { ApiUser, Organisation, Subscription } from '../model/payment.ts'
import { commonReasons, Refusal, refused } from '../model/refusal.ts'

interface NewOrganisation {
  parentId: number
  name: string
  email: string
  phoneNumber: string
  user: Omit<ApiUser, 'organisationId'>
}

export function createOrganisation(core: Core, input: NewOrganisation): Organisation {
  const { organisations, counters } = core.store
  if (organisations.hasUser(input.user.username)) {
    throw refused(
      commonReasons.usernameTaken,
      `user.username: "${input.user.username}" is taken; choose another`,
      'user.username must be unique',
    )
  }
  const parent = organisations.byId(input.parentId)
  const id = counters.next('organisation')
  const atUs = stamp(core)
  organisations.insert({
    id,
    uuid: core.ids.uuid('organisation', id),
    name: input.name,
    phoneNumber: input.phoneNumber,
    email: input.email,
    uniqueReference: freeReference(core, parent.uniqueReference, id),
    collectionCallbackUrl: null,
    parentId: parent.id,
    createdAtUs: atUs,
    updatedAtUs: atUs,
  })
  organisations.addUser({ ...input.user, organisationId: id }, counters.next('user'), atUs)
  return organisations.byId(id)
}

/** The parent's digits and more: three as in the published sample, or as many as are needed to be unique. */
function freeReference(core: Core, parentReference: string, id: number): string {
  const draw = core.ids.of('unique-reference', id)
  for (let length = 3; ; length++) {
    for (let tries = 0; tries < 20; tries++) {
      const candidate = parentReference + draw.text(length, DIGITS)
      if (!core.store.organisations.byReference(candidate)) return candidate
    }
  }
}

export function addCredential(
  core: Core,
  { organisationId, apiKey, secretSha256 }: { organisationId: number; apiKey: string; secretSha256: string },
): { apiKey: string } {
  if (core.store.organisations.credential(apiKey)) {
    throw new Refusal('API_KEY_TAKEN', `apiKey: "${apiKey}" belongs to an organisation already; choose another`)
  }
  core.store.organisations.addCredential(organisationId, apiKey, secretSha256, stamp(core))
  return { apiKey }
}

export function setCollectionCallback(
  core: Core,
  { organisationId, url }: { organisationId: number; url: string | null },
): Organisation {
  core.store.organisations.setCollectionCallbackUrl(organisationId, url, stamp(core))
  return core.store.organisations.byId(organisationId)
}

/** Turns on sub-accounts. A repetition changes nothing and answers the same. Assumed. */
export function subscribe(core: Core, { organisationId }: { organisationId: number }): Subscription {
  const { organisations, counters } = core.store
  const existing = organisations.subscription(organisationId)
  if (existing) return existing.active ? existing : setSubscription(core, { organisationId, active: true })
  const uuid = core.ids.uuid('subscription', counters.next('subscription'))
  const atUs = stamp(core)
  const subscription = { organisationId, uuid, active: true, createdAtUs: atUs, updatedAtUs: atUs }
  organisations.saveSubscription(subscription)
  return subscription
}

export function setSubscription(
  core: Core,
  { organisationId, active }: { organisationId: number; active: boolean },
): Subscription {
  const { organisations } = core.store
  const existing = organisations.subscription(organisationId)
  if (!existing)
    throw refused(
      commonReasons.subscriptionMissing,
      'this organisation has no subscription; POST /multiaccount/subscribe first',
    )
  const subscription = { ...existing, active, updatedAtUs: stamp(core) }
  organisations.saveSubscription(subscription)
  return subscription
}

/** `number` counts the tokens of the organisation and goes into the token's claims. */
export function issueToken(core: Core, { organisationId }: { organisationId: number }): { number: number } {
  return { number: core.store.counters.next(`token:${organisationId}`) }
}
