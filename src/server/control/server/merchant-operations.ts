/** Operation that returns the schema of merchant files. */
import { Refusal } from '../../../core/model/refusal.ts'
import { controlOperation } from '../declared-operation.ts'

const readMerchantSchema = controlOperation('merchant.schema', {
  method: 'GET',
  path: '/merchant.schema.json',
  summary: 'Get the JSON Schema of merchant files',
  answers: { 'application/schema+json': 'JSON Schema.' },
  errors: ['NOT_SUPPORTED'],
  run(c) {
    // Printed of the judges' own reader, which is above the server.
    const text = c.env.docs?.read('scenarios/merchant.schema.json')
    if (text === undefined)
      throw new Refusal('NOT_SUPPORTED', 'this host has no files; it is scenarios/merchant.schema.json of the package')
    return c.body(text, 200, { 'content-type': 'application/schema+json' })
  },
})

export const merchantOperations = [readMerchantSchema] as const
