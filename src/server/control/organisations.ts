/** Operations on organisations and their key pairs. */
import * as z from 'zod'
import { sha256Hex } from '../../core/model/bytes.ts'
import { UPPER_ALPHANUMERIC } from '../../core/model/chance.ts'
import type { Organisation } from '../../core/model/payment.ts'
import { isoInstant } from '../../core/model/time.ts'
import type { World } from '../../core/world.ts'
import { jsonObjectShape } from '../../inspect/present.ts'
import { type AnswerOf, shape } from '../../inspect/view.ts'
import { httpUrl } from '../../service/fields.ts'
import { organisationOf } from './control-context.ts'
import { controlOperation } from './declared-operation.ts'
import { credentialsShape } from './worlds.ts'

// Answer schemas of organisations.

const organisationShape = shape('Organisation', () =>
  z.object({
    uuid: z.string(),
    name: z.string(),
    phoneNumber: z.string(),
    email: z.string(),
    uniqueReference: z.string(),
    collectionCallbackUrl: z.string().nullable(),
    parent: z.string().nullable().describe('The uuid of its parent.'),
    apiKeys: z.array(z.string()),
    users: z.array(jsonObjectShape()),
    createdAt: z.string(),
  }),
)

const keyPair = z.strictObject({
  apiKey: z
    .string()
    .regex(/^[\x21-\x7e]{4,100}$/, 'must be 4 to 100 printable characters without spaces')
    .optional()
    .describe('Made up without.'),
  apiSecret: z
    .string()
    .regex(/^[\x21-\x7e]{4,100}$/, 'must be 4 to 100 printable characters without spaces')
    .optional()
    .describe('Made up without.'),
})
const settings = z.strictObject({
  collectionCallbackUrl: httpUrl('assumed', 'Told of bank collections.')
    .nullable()
    .describe('Told of bank collections; null: nobody is.'),
})

const listOrganisations = controlOperation('organisation.list', {
  method: 'GET',
  path: '/organisations',
  summary: 'List organisations with their keys and users',
  answer: () => z.object({ organisations: z.array(organisationShape()) }),
  list: {
    name: 'organisations',
    columns: [
      'uuid',
      'name',
      'phoneNumber',
      'email',
      'uniqueReference',
      'collectionCallbackUrl',
      'parent',
      'apiKeys',
      'createdAt',
    ],
    rows: ({ organisations }) => organisations,
  },
  run(c) {
    const { world } = c.env
    return {
      organisations: world.core.store.organisations.all().map((organisation) => show(world, organisation)),
    }
  },
})

const changeOrganisation = controlOperation('organisation.change', {
  method: 'PATCH',
  path: '/organisations/:uuid',
  summary: 'Set the callback address for bank collections',
  params: { uuid: 'An organisation, by its uuid.' },
  body: settings,
  answer: organisationShape,
  errors: ['NOT_FOUND'],
  async run(c, { params, body }) {
    const { world } = c.env
    const { collectionCallbackUrl } = body
    const organisation = organisationOf(world, params.uuid)
    return show(
      world,
      await world.perform({
        command: 'set-collection-callback',
        organisationId: organisation.id,
        url: collectionCallbackUrl,
      }),
    )
  },
})

const makeCredentials = controlOperation('credentials.create', {
  method: 'POST',
  path: '/organisations/:uuid/credentials',
  summary: 'Create a key pair for an organisation',
  params: { uuid: 'An organisation, by its uuid.' },
  body: keyPair,
  answer: credentialsShape,
  status: 201,
  errors: ['NOT_FOUND', 'API_KEY_TAKEN'],
  async run(c, { params, body: given }) {
    const { world } = c.env
    const organisation = organisationOf(world, params.uuid)
    const { ids, store } = world.core
    const draw = ids.of(`credential:${organisation.uuid}`, store.organisations.apiKeysOf(organisation.id).length)
    const apiKey = given.apiKey ?? `key_${draw.text(16, UPPER_ALPHANUMERIC)}`
    const apiSecret = given.apiSecret ?? `secret_${draw.text(32, UPPER_ALPHANUMERIC)}`
    await world.perform({
      command: 'add-credential',
      organisationId: organisation.id,
      apiKey,
      secretSha256: await sha256Hex(apiSecret),
    })
    return { apiKey, apiSecret, companyId: organisation.uuid }
  },
})

function show(world: World, organisation: Organisation): AnswerOf<typeof organisationShape> {
  const { organisations } = world.core.store
  return {
    uuid: organisation.uuid,
    name: organisation.name,
    phoneNumber: organisation.phoneNumber,
    email: organisation.email,
    uniqueReference: organisation.uniqueReference,
    collectionCallbackUrl: organisation.collectionCallbackUrl,
    parent: organisation.parentId === null ? null : organisations.byId(organisation.parentId).uuid,
    apiKeys: organisations.apiKeysOf(organisation.id),
    users: organisations.usersOf(organisation.id),
    createdAt: isoInstant(organisation.createdAtUs),
  }
}

export const organisationOperations = [listOrganisations, changeOrganisation, makeCredentials] as const
