/** The schema of merchant files. The reader uses it, and editors get it as JSON Schema. */
import * as z from 'zod'
import { isRecord } from '../../core/model/must.ts'

export const requestMethods = ['get', 'post', 'put', 'patch', 'delete'] as const

const path = z.string().regex(/^\//).describe('a path of the app, such as /salaries')
const body = z.unknown().optional().meta({ title: 'Sent as JSON, with its placeholders filled in.' })
const methods = {
  get: path.optional(),
  post: path.optional(),
  put: path.optional(),
  patch: path.optional(),
  delete: path.optional(),
  body,
}
const oneMethod = requestMethods.map((method) => ({ required: [method] }))
const processName = z
  .string()
  .optional()
  .describe('the name of a process, such as worker')
  .meta({ title: 'Which of app.processes it is sent to. Default: the first.' })
const command = z.string().min(1)

/** A process, before it can be used. */
const readiness = z
  .strictObject(methods)
  .describe('a method with a path of the app, such as { get: /health }')
  .meta({ oneOf: oneMethod })
const request = (example: string) =>
  z
    .strictObject({ ...methods, process: processName })
    .describe(`a method with a path of the app, such as ${example}`)
    .meta({ oneOf: oneMethod })

const env = z
  .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
  .optional()
  .describe('variables of the environment, such as { PORT: "{port}", PAYMENTS_BASE_URL: "{baseUrl}" }')

/** An app that is one process. */
const oneProcess = z
  .strictObject({
    command: command
      .describe('what starts the app in this folder, such as node payroll.mjs')
      .meta({ title: 'Starts the app, in the folder of this file. {port} and {dir} are filled in.' }),
    env: env.meta({
      title:
        'Variables for the app, besides those of the judge. {port}, {dir}, {baseUrl}, {apiKey}, {apiSecret} and {companyId} are filled in.',
    }),
    ready: readiness
      .describe('what answers 200 when it can be used, such as { get: /health }')
      .meta({ title: 'Asked until it answers 200: then the app can be used.' }),
  })
  .describe('how the app is started: command, env and ready')
  .meta({ title: 'How the app is started.' })

/** An app of several processes, such as a web process and a worker. */
const severalProcesses = z
  .strictObject({
    processes: z
      .record(
        z.string(),
        z
          .strictObject({
            command: command
              .describe('what starts the process in this folder, such as node worker.mjs')
              .meta({ title: 'Starts the process, in the folder of this file.' }),
            env: env.meta({ title: 'Variables for this process, besides those of app.env.' }),
            ready: readiness
              .optional()
              .describe('what answers 200 when the process can be used, such as { get: /health }')
              .meta({
                title:
                  'Asked on its {ownPort} until it answers 200. Without it, a process can be used when it first sleeps.',
              }),
          })
          .describe('how the process is started: command, env and ready'),
      )
      .describe('processes by name, such as web: { command: node web.mjs, ready: { get: /health } }')
      .meta({
        title:
          'The processes of the app, started in this order. People and the service reach the first one, on {port}. Each may listen on its {ownPort}, too.',
      }),
    env: env.meta({ title: 'Variables for all processes.' }),
  })
  .describe('how the app is started: processes and env')

// A description is what an error expects, a title what an editor says.
const fileWith = <App extends z.ZodType>(app: App) =>
  z.strictObject({
    name: z
      .string()
      .min(1)
      .optional()
      .describe('a name, such as payroll')
      .meta({ title: 'The name of the app in reports. Default: the name of the file.' }),
    app,
    acts: z
      .record(z.string(), request('{ post: /salaries, body: { amount: 1000 } }'))
      .describe('what people do to it, by name, such as pay: { post: /salaries }')
      .meta({
        title:
          'Requests by which people use the app, each by a name of yours. {n} counts the uses of an act from 1. {now} is the time of the world.',
      }),
    tick: request('{ post: /tick, body: { now: "{now}" } }')
      .optional()
      .meta({ title: 'Has the app do its periodic work. Sent whenever the time of the world has moved.' }),
    clock: z
      .literal('follow')
      .optional()
      .describe('follow, for a Node app whose timers are to live in the time of the world')
      .meta({ title: 'follow: the timers of this Node app live in the time of the world. Instead of tick.' }),
    reset: z
      .strictObject({
        ...methods,
        process: processName,
        command: command
          .optional()
          .describe('what has the app forget everything, such as node reset.mjs')
          .meta({ title: 'A command in the folder of this file, with the environment of the app.' }),
      })
      .optional()
      .describe('a method with a path of the app, such as { post: /reset }, or a command')
      .meta({
        oneOf: [...oneMethod, { required: ['command'] }],
        title: 'Has the app forget everything: memory, tokens and data. With it, explore searches faster.',
      }),
    books: request('{ get: /books }')
      .describe('where the app shows its books, such as { get: /books }')
      .meta({ title: 'Shows what the app believes of its payments, as a JSON array or CSV.' }),
  })

const MAPPING = 'a mapping with app, acts and books'
const withOne = fileWith(oneProcess).describe(MAPPING)
const withSeveral = fileWith(severalProcesses).describe(MAPPING)
export type MerchantFileRead = z.output<typeof withOne> | z.output<typeof withSeveral>

/** The schema of a file's own sort, so that an error is about what was meant. */
export function merchantSchemaFor(value: unknown): z.ZodType<MerchantFileRead> {
  const app = isRecord(value) ? value['app'] : undefined
  return isRecord(app) && 'processes' in app ? withSeveral : withOne
}

/** The text of `scenarios/merchant.schema.json`. */
export function merchantSchemaText(): string {
  const schema = z.toJSONSchema(fileWith(z.union([oneProcess, severalProcesses])).describe(MAPPING), {
    io: 'input',
    override: ({ jsonSchema }) => {
      // Editors show one of both, and the title reads better.
      if (jsonSchema.title !== undefined) {
        jsonSchema.description = jsonSchema.title
        delete jsonSchema.title
      }
    },
  })
  const whole = { ...schema, title: 'A merchant file: how an app is started, used and judged.' }
  return `${JSON.stringify(whole, null, 2)}\n`
}
