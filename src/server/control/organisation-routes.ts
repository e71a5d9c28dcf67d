/** Routes: organisations and their key pairs. */
import { Hono } from 'hono'
import * as z from 'zod'
import { UPPER_ALPHANUMERIC } from '../../core/model/chance.ts'
import { sha256Hex } from '../../core/model/digest.ts'
import type { Organisation } from '../../core/model/payment.ts'
import { isoInstant } from '../../core/model/time.ts'
import type { World } from '../../core/world.ts'
import { httpUrl } from '../../service/fields.ts'
import { about } from './about.ts'
import { asks, type ControlEnv, json, organisationOf, takes } from './control-context.ts'
import { asCsv, csv, plainList } from './csv-answer.ts'

const keyPair = z.strictObject({
  /** Made up without. */
  apiKey: z
    .string()
    .regex(/^[\x21-\x7e]{4,100}$/, 'must be 4 to 100 printable characters without spaces')
    .optional(),
  /** Made up without. */
  apiSecret: z
    .string()
    .regex(/^[\x21-\x7e]{4,100}$/, 'must be 4 to 100 printable characters without spaces')
    .optional(),
})
const settings = z.strictObject({
  /** Told of bank collections; null: nobody is. */
  collectionCallbackUrl: httpUrl('assumed', 'Told of bank collections.').nullable(),
})

/** All organisations of the world, and key pairs to act as one. */
export function organisationRoutes() {
  return new Hono<ControlEnv>()
    .get(
      '/_mfano/organisations',
      about('Organisations with their keys and users', { answers: asCsv }),
      csv('organisations'),
      asks(plainList),
      (c) => {
        const { world } = c.env
        return json(c, {
          organisations: world.core.store.organisations.all().map((organisation) => show(world, organisation)),
        })
      },
    )

    .patch(
      '/_mfano/organisations/:uuid',
      about('Where an organisation is told of bank collections', {
        path: { uuid: 'An organisation, by its uuid.' },
        errors: ['404 NOT_FOUND'],
      }),
      takes(settings),
      async (c) => {
        const { world } = c.env
        const { collectionCallbackUrl } = c.req.valid('json')
        const organisation = organisationOf(world, c.req.param('uuid'))
        return json(
          c,
          show(
            world,
            await world.perform({
              command: 'set-collection-callback',
              organisationId: organisation.id,
              url: collectionCallbackUrl,
            }),
          ),
        )
      },
    )

    .post(
      '/_mfano/organisations/:uuid/credentials',
      about('A new key pair, to act as an organisation', {
        path: { uuid: 'An organisation, by its uuid.' },
        errors: ['404 NOT_FOUND', '409 API_KEY_TAKEN'],
      }),
      takes(keyPair),
      async (c) => {
        const { world } = c.env
        const given = c.req.valid('json')
        const organisation = organisationOf(world, c.req.param('uuid'))
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
        return json(c, { apiKey, apiSecret, companyId: organisation.uuid }, 201)
      },
    )
}

/** An organisation, its keys and its users. */
export type OrganisationShown = ReturnType<typeof show>

function show(world: World, organisation: Organisation) {
  const { organisations } = world.core.store
  return {
    uuid: organisation.uuid,
    name: organisation.name,
    phoneNumber: organisation.phoneNumber,
    email: organisation.email,
    uniqueReference: organisation.uniqueReference,
    environment: organisation.environment,
    collectionCallbackUrl: organisation.collectionCallbackUrl,
    /** The uuid of its parent. */
    parent: organisation.parentId === null ? null : organisations.byId(organisation.parentId).uuid,
    apiKeys: organisations.apiKeysOf(organisation.id),
    users: organisations.usersOf(organisation.id),
    createdAt: isoInstant(organisation.createdAtUs),
  }
}
