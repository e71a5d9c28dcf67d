/** What a merchant file may say, for the reader of it and, as JSON Schema, for editors. */
import * as z from 'zod'

export const requestMethods = ['get', 'post', 'put', 'patch', 'delete'] as const

const path = z.string().regex(/^\//).describe('a path of the app, such as /salaries')
const body = z.unknown().optional().meta({ title: 'Sent as JSON, with its placeholders filled in.' })
const request = (example: string) =>
  z
    .strictObject({
      get: path.optional(),
      post: path.optional(),
      put: path.optional(),
      patch: path.optional(),
      delete: path.optional(),
      body,
    })
    .describe(`a method with a path of the app, such as ${example}`)
    .meta({ oneOf: requestMethods.map((method) => ({ required: [method] })) })

// A description is what an error expects, a title what an editor says.
export const merchantSchema = z
  .strictObject({
    name: z
      .string()
      .min(1)
      .optional()
      .describe('a name, such as payroll')
      .meta({ title: 'What reports call the app. Default: the name of the file.' }),
    app: z
      .strictObject({
        command: z
          .string()
          .min(1)
          .describe('what starts the app in this folder, such as node payroll.mjs')
          .meta({ title: 'Starts the app, in the folder of this file. {port} and {dir} are filled in.' }),
        env: z
          .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
          .optional()
          .describe('variables of the environment, such as { PORT: "{port}", PAYMENTS_URL: "{baseUrl}" }')
          .meta({
            title:
              'Variables for the app, besides those of the judge. {port}, {dir}, {baseUrl}, {apiKey}, {apiSecret} and {companyId} are filled in.',
          }),
        ready: request('{ get: /health }')
          .describe('what answers 200 when it can be used, such as { get: /health }')
          .meta({ title: 'Asked until it answers 200: then the app can be used.' }),
      })
      .describe('how the app is started: command, env and ready')
      .meta({ title: 'How the app is started.' }),
    acts: z
      .record(z.string(), request('{ post: /salaries, body: { amount: 1000 } }'))
      .describe('what people do to it, by name, such as pay: { post: /salaries }')
      .meta({
        title:
          'What people do to the app, each by a name of yours. {n} counts the uses of an act from 1, {now} is the time of the world.',
      }),
    tick: request('{ post: /tick, body: { now: "{now}" } }')
      .optional()
      .meta({ title: 'Has the app do its periodic work. Sent whenever the time of the world has moved.' }),
    clock: z
      .literal('follow')
      .optional()
      .describe('follow, for a Node app whose timers are to live in the time of the world')
      .meta({ title: 'follow: the timers of this Node app live in the time of the world. Instead of tick.' }),
    reset: request('{ post: /reset }')
      .optional()
      .meta({ title: 'Has the app forget everything: memory, tokens and data. With it, explore searches faster.' }),
    books: request('{ get: /books }')
      .describe('where the app shows its books, such as { get: /books }')
      .meta({ title: 'Shows what the app believes of its payments, as a JSON array or CSV.' }),
  })
  .describe('a mapping with app, acts and books')

/** As it is published and served: byte for byte `scenarios/merchant.schema.json`. */
export function merchantSchemaText(): string {
  const schema = z.toJSONSchema(merchantSchema, {
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
