/** Prints the contract's requests as a Postman collection, format 2.1. */
import { type CollectionStep, SERVER } from './steps.ts'

export const POSTMAN_FILE = 'mfano.postman_collection.json'

export function postmanCollection(steps: readonly CollectionStep[], server: string): object {
  const folders = [...new Set(steps.map(({ folder }) => folder))]
  // A folder that appears again becomes another folder, because requests run in the listed order.
  const runs: { name: string; steps: CollectionStep[] }[] = []
  for (const step of steps) {
    const last = runs.at(-1)
    if (last?.name === step.folder) last.steps.push(step)
    else runs.push({ name: step.folder, steps: [step] })
  }
  return {
    info: {
      name: 'mfano',
      description: `Every operation of the simulated service, in ${folders.length} folders. Run it from the top: it makes a world of its own at {{${SERVER}}}, and takes ids and the token from the answers.`,
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{token}}', type: 'string' }] },
    variable: [{ key: SERVER, value: server }],
    item: runs.map(({ name, steps: inside }) => ({ name, item: inside.map(itemOf) })),
  }
}

function itemOf(step: CollectionStep) {
  const { name, method, headers, body, authorised, status, gives } = step
  const header = Object.entries({ ...(body !== undefined && { 'Content-Type': 'application/json' }), ...headers })
  return {
    name,
    request: {
      method,
      header: header.map(([key, value]) => ({ key, value })),
      url: urlOf(step),
      ...(body !== undefined && { body: { mode: 'raw', raw: JSON.stringify(body, null, 2) } }),
      ...(!authorised && { auth: { type: 'noauth' } }),
    },
    event: [
      {
        listen: 'test',
        script: {
          type: 'text/javascript',
          exec: [
            `pm.test('answers ${status}', () => pm.response.to.have.status(${status}))`,
            ...Object.entries(gives).map(
              ([variable, at]) => `pm.collectionVariables.set('${variable}', pm.response.json()${wayTo(at)})`,
            ),
          ],
        },
      },
    ],
  }
}

function urlOf({ to, path, query }: CollectionStep) {
  const pairs = Object.entries(query)
  const search = pairs.map(([name, value]) => `${name}=${value}`).join('&')
  return {
    raw: `{{${to}}}${path}${search === '' ? '' : `?${search}`}`,
    host: [`{{${to}}}`],
    path: path.split('/').slice(1),
    ...(pairs.length > 0 && { query: pairs.map(([key, value]) => ({ key, value })) }),
  }
}

function wayTo(at: readonly (string | number)[]): string {
  return at.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('')
}
