import * as z from 'zod'
import type { Core } from '../../core/core.ts'
import { UPPER_ALPHANUMERIC } from '../../core/model/chance.ts'
import type { Organisation } from '../../core/model/payment.ts'
import { sha256Hex } from '../../core/model/text.ts'
import { jsonObjectShape } from '../../inspect/present.ts'
import { instantOf, type Reader, view } from '../../inspect/view.ts'
import { httpUrl } from '../../service/fields.ts'
import { organisationOf } from './control-context.ts'
import { controlOperation } from './declared-operation.ts'
import { credentialsShape } from './worlds.ts'

const organisationView = view('Organisation', (read: Reader<Organisation, Core>) => ({
  uuid: z.string(),
  name: z.string(),
  phoneNumber: z.string(),
  email: z.string(),
  uniqueReference: z.string(),
  collectionCallbackUrl: z.string().nullable(),
  parent: read(z.string().nullable().describe('The uuid of its parent.'), ({ parentId }, { store }) =>
    parentId === null ? null : store.organisations.byId(parentId).uuid,
  ),
  apiKeys: read(z.array(z.string()), ({ id }, { store }) => store.organisations.apiKeysOf(id)),
  users: read(z.array(jsonObjectShape()), ({ id }, { store }) => store.organisations.usersOf(id)),
  createdAt: instantOf('createdAtUs'),
}))

const key = z
  .string()
  .regex(/^[\x21-\x7e]{4,100}$/, 'must be 4 to 100 printable characters without spaces')
  .optional()
  .describe('Made up when left out.')

const keyPair = z.strictObject({ apiKey: key, apiSecret: key })

const settings = z.strictObject({
  collectionCallbackUrl: httpUrl('assumed', 'Told of bank collections.')
    .nullable()
    .describe('Told of bank collections, unless null.'),
})

export const organisationOperations = [
  controlOperation('organisation.list', 'GET /organisations', {
    summary: 'List organisations with their keys and users',
    answer: () => z.object({ organisations: z.array(organisationView.schema()) }),
    list: {
      rows: 'organisations',
      columns: ['uuid', 'name', 'phoneNumber=phone', 'email', 'collectionCallbackUrl=callback', 'apiKeys', 'createdAt'],
    },
    run: ({ world: { core } }) => ({
      organisations: core.store.organisations.all().map((one) => organisationView(one, core)),
    }),
  }),
  controlOperation('organisation.change', 'PATCH /organisations/:uuid', {
    summary: 'Set the callback address for bank collections',
    params: { uuid: 'An organisation, by its uuid.' },
    body: settings,
    answer: organisationView.schema,
    async run({ world, params, body }) {
      const { collectionCallbackUrl } = body
      const organisation = organisationOf(world, params.uuid)
      const changed = await world.perform({
        command: 'set-collection-callback',
        organisationId: organisation.id,
        url: collectionCallbackUrl,
      })
      return organisationView(changed, world.core)
    },
  }),
  controlOperation('credentials.create', 'POST /organisations/:uuid/credentials', {
    summary: 'Create a key pair for an organisation',
    params: { uuid: 'An organisation, by its uuid.' },
    body: keyPair,
    answer: credentialsShape,
    status: 201,
    errors: ['API_KEY_TAKEN'],
    async run({ world, params, body: given }) {
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
  }),
] as const
