/** Exchanges an API key and secret for tokens. */
import * as z from 'zod'
import { sha256Hex } from '../../../core/model/digest.ts'
import type { InstantUs } from '../../../core/model/time.ts'
import { perform } from '../../../core/perform.ts'
import type { World } from '../../../core/world.ts'
import { type Answer, operation } from '../../../http/operation.ts'
import { closedObject, openObject } from '../../declared/lazy-objects.ts'
import { known, text, UNMARKED, usual } from '../../fields.ts'
import { credentialsWrong, organisationOfKeys } from './credentials.ts'
import { holderOf, lifeS, readToken, signTokens, tokenReasons } from './tokens.ts'

const tokenAnswer = closedObject(() => ({
  status: known('specified', 'Status code and reason as text (published: `200 OK`).', z.literal('200 OK'), {
    const: 'published',
  }),
  data: closedObject(() => ({
    access_token: usual(known('specified', 'Bearer token, a JWT (published).', z.string()), 'eyJ…', 'published'),
    refresh_token: usual(known('specified', 'No published call uses it.', z.string()), 'eyJ…', 'published'),
    expires_in: known('specified', 'Seconds. Default: 300 (assumption token-life).', z.int()),
    refresh_expires_in: known('specified', 'Seconds. Default: 1800.', z.int()),
  })).meta({ id: 'TokenData', 'x-basis': 'specified' }),
})).meta({ id: 'TokenAnswer', 'x-basis': 'specified' })

/** Signed after the commit, because signing is slow. The journal masks the tokens. */
interface Issued {
  organisationUuid: string
  number: number
  atUs: InstantUs
}

interface IssuedAnswer extends Answer {
  body: { status: string; data: object }
  issued: Issued
}

function isIssued(answer: Answer): answer is IssuedAnswer {
  return 'issued' in answer
}

function issued(organisation: { id: number; uuid: string }, world: World): IssuedAnswer {
  const { core } = world
  const { number } = perform(core, { command: 'issue-token', organisationId: organisation.id })
  const body = {
    status: '200 OK',
    data: {
      access_token: '***',
      refresh_token: '***',
      expires_in: lifeS(core, 'access'),
      refresh_expires_in: lifeS(core, 'refresh'),
    },
  }
  return {
    status: 200,
    body,
    issued: { organisationUuid: organisation.uuid, number, atUs: core.clock.now() },
  }
}

async function sign({ world }: { world: World }, answer: Answer): Promise<Answer> {
  if (!isIssued(answer)) throw new Error('A defect of mfano: an answer has no tokens to sign.')
  const { organisationUuid, number, atUs } = answer.issued
  const { accessToken, refreshToken } = await signTokens(world, organisationUuid, number, atUs)
  const { body } = answer
  return {
    status: 200,
    body: { ...body, data: { ...body.data, access_token: accessToken, refresh_token: refreshToken } },
  }
}

const getToken = operation({
  id: 'getToken',
  method: 'post',
  path: '/api/v1/get-token',
  tag: 'Tokens',
  summary: 'Exchange an API key and secret for an access token',
  description:
    'The same calls in a world of the same id and seed give the same token. It is valid in no other world. It stays valid after a reset, and in a world of that id and seed at another mfano, until it expires in simulated time.',
  basis: 'specified',
  source: 'specification, Token; published token',
  auth: 'none',
  body: openObject(() => ({
    apiKey: text('specified', 'The API key.', { max: 200, required: UNMARKED }),
    apiSecret: text('specified', 'Its secret.', { max: 200, required: UNMARKED }),
  })).meta({ id: 'TokenRequest', 'x-basis': 'specified' }),
  answer: { status: 200, description: 'A token pair', schema: tokenAnswer },
  example: () => ({ apiKey: 'mfano-key', apiSecret: 'mfano-secret' }),
  // Hashed before the commit, because that is asynchronous.
  prepare: ({ apiSecret }) => sha256Hex(apiSecret),
  refuses: [credentialsWrong],
  handle: (call) =>
    issued(
      call.core.store.organisations.byId(organisationOfKeys(call, call.body.apiKey, call.prepared as string)),
      call.world,
    ),
  finish: sign,
})

const refresh = operation({
  id: 'refreshToken',
  method: 'post',
  path: '/api/v1/refresh-token',
  tag: 'Tokens',
  summary: 'Exchange a refresh token for a new pair',
  description: 'No source shows this call: it exists only while the assumption refresh-token is on.',
  basis: 'assumed',
  source: 'assumption refresh-token',
  auth: 'none',
  only: { assumption: 'refresh-token', is: 'on' },
  body: openObject(() => ({
    refreshToken: text('assumed', 'From an earlier answer.', { max: 4000, required: 'refresh-token' }),
  })).meta({ id: 'RefreshRequest', 'x-basis': 'assumed' }),
  answer: { status: 200, description: 'A token pair', schema: tokenAnswer },
  example: () => ({ refreshToken: '<refresh_token of an earlier answer>' }),
  refuses: tokenReasons,
  handle: ({ world, prepared }) => issued(holderOf(world, prepared as Awaited<ReturnType<typeof readToken>>), world),
  prepare: ({ refreshToken }, world) => readToken(world, refreshToken, 'refresh'),
  finish: sign,
})

export const tokenOperations = [getToken, refresh]
