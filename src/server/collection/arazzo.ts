/** Prints the usual flows as an Arazzo document: steps over both contracts, which tools read and run. */
import { DEFAULT_ORGANISATION } from '../../core/model/organisation.ts'
import type { Contract } from '../../http/contract.ts'
import { operationOf, stepOf } from './steps.ts'

export const ARAZZO_FILE = 'mfano.arazzo.json'

/** Where the inbox of the contract's examples is, which takes the callbacks. */
const INBOX = 'docs'
const COMPANY = '$inputs.companyId'

interface ArazzoStep {
  stepId: string
  description: string
  operationId?: string
  operationPath?: string
  parameters?: { name: string; in: string; value: string }[]
  requestBody?: { contentType: 'application/json'; payload: unknown }
  successCriteria: { condition: string }[]
  outputs?: Record<string, string>
}

interface Flow {
  workflowId: string
  summary: string
  steps: ArazzoStep[]
}

export function arazzoDocument(contract: Contract, baseUrl: string): object {
  const asked = asking(contract)
  return {
    arazzo: '1.0.1',
    info: {
      title: 'mfano: the usual flows',
      summary: 'Pay out, collect by STK, and take a payment on a checkout page.',
      description:
        "The operations of the service are those that an app calls. The others belong to the control plane. They simulate time that passes, a customer who pays, and the app's receiver of callbacks.",
      version: contract.info.version,
    },
    sourceDescriptions: [
      { name: 'service', url: `${baseUrl}/openapi.json`, type: 'openapi' },
      { name: 'control', url: `${baseUrl}/_mfano/openapi.json`, type: 'openapi' },
    ],
    workflows: flowsOf(asked).map((flow) => ({ ...flow, inputs })),
  }
}

const { apiKey, apiSecret, uuid } = DEFAULT_ORGANISATION
const inputs = {
  type: 'object',
  required: ['apiKey', 'apiSecret', 'companyId'],
  properties: {
    apiKey: { type: 'string', default: apiKey },
    apiSecret: { type: 'string', default: apiSecret },
    companyId: { type: 'string', default: uuid },
  },
}

type Asked = ReturnType<typeof asking>

function flowsOf({ open, read }: Asked): Flow[] {
  return [
    {
      workflowId: 'payOut',
      summary: 'Pay out to a phone, take the callback, and read the status.',
      steps: [
        token,
        open('createSendMoney', '/data/requestId'),
        settle,
        told('createSendMoney'),
        read(
          'getSendMoneyStatus',
          { requestId: '$steps.createSendMoney.outputs.id', companyId: COMPANY },
          '/data/status',
          'SUCCESS',
        ),
      ],
    },
    {
      workflowId: 'collectByStk',
      summary: "Collect from a customer's phone by an STK prompt, take the callback, and read the status.",
      steps: [
        token,
        open('createStkCollection', '/data/requestId'),
        settle,
        told('createStkCollection'),
        read(
          'getStkCollectionStatus',
          { requestId: '$steps.createStkCollection.outputs.id' },
          '/data/status',
          'SUCCESS',
        ),
      ],
    },
    {
      workflowId: 'collectOnPage',
      summary: 'Open a checkout session, have it paid by card, take the callback, and read the session.',
      steps: [
        token,
        open('createCheckoutSession', '/id'),
        {
          ...control('pay', '/checkout/{id}/pay', 'The customer pays on the page.', { method: 'CARD' }),
          parameters: [{ name: 'id', in: 'path', value: '$steps.createCheckoutSession.outputs.id' }],
        },
        settle,
        told('createCheckoutSession', 'id'),
        read(
          'getCheckoutSession',
          { checkoutSessionId: '$steps.createCheckoutSession.outputs.id' },
          '/status',
          'SUCCEEDED',
        ),
      ],
    },
  ]
}

/** By its path, because tools take the dot in an id of the control plane for a step down. */
function control(stepId: string, path: string, description: string, payload: object): ArazzoStep {
  return {
    stepId,
    description,
    operationPath: `{$sourceDescriptions.control.url}#/paths/${`/_mfano${path}`.replaceAll('/', '~1')}/post`,
    requestBody: { contentType: 'application/json', payload },
    successCriteria: [{ condition: '$statusCode == 200' }],
  }
}

const token: ArazzoStep = {
  stepId: 'getToken',
  description: 'Get a token, which lasts for 300 seconds.',
  operationId: '$sourceDescriptions.service.getToken',
  requestBody: {
    contentType: 'application/json',
    payload: { apiKey: '$inputs.apiKey', apiSecret: '$inputs.apiSecret' },
  },
  successCriteria: [{ condition: '$statusCode == 200' }],
  outputs: { token: '$response.body#/data/access_token' },
}

const settle = control('settle', '/clock/settle', 'Let time pass until the payment has ended and is told.', {
  within: '1h',
})

/** Its callback came to the inbox. */
function told(opener: string, field = 'requestId'): ArazzoStep {
  const where = `body.${field} == "{$steps.${opener}.outputs.id}"`
  return {
    ...control('callback', '/inbox/{name}/verify', 'The callback came, once.', { where, times: { exactly: 1 } }),
    successCriteria: [{ condition: '$statusCode == 200' }, { condition: '$response.body#/ok == true' }],
    parameters: [{ name: 'name', in: 'path', value: INBOX }],
  }
}

function asking(contract: Contract) {
  const authorised = { name: 'Authorization', in: 'header', value: 'Bearer {$steps.getToken.outputs.token}' }
  const step = (id: string, criteria: readonly string[]): ArazzoStep => {
    const { operation, path, method } = operationOf(contract, id)
    const { name, body, status } = stepOf(method, path, operation)
    return {
      stepId: id,
      description: `${name}.`,
      operationId: `$sourceDescriptions.service.${id}`,
      parameters: [authorised],
      ...(body !== undefined && { requestBody: { contentType: 'application/json', payload: body } }),
      successCriteria: [`$statusCode == ${status}`, ...criteria].map((condition) => ({ condition })),
    }
  }
  return {
    open: (id: string, idAt: string): ArazzoStep => ({ ...step(id, []), outputs: { id: `$response.body#${idAt}` } }),
    read: (id: string, given: Record<string, string>, at: string, value: string): ArazzoStep => ({
      ...step(id, [`$response.body#${at} == '${value}'`]),
      parameters: [
        authorised,
        ...Object.entries(given).map(([name, value]) => ({ name, in: placeOf(contract, id, name), value })),
      ],
    }),
  }
}

function placeOf(contract: Contract, id: string, name: string): string {
  const { parameters = [] } = operationOf(contract, id).operation
  return parameters.find((one) => one.name === name)?.in ?? 'query'
}
