/** A program that is not told enough says so at once. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readSettings } from '../src/settings.ts'

const env = {
  PAYMENTS_BASE_URL: 'http://localhost:8080/',
  PAYMENTS_API_KEY: 'key',
  PAYMENTS_API_SECRET: 'secret',
  PAYMENTS_COMPANY_ID: 'company',
}

describe('settings', () => {
  test('come from the environment', () => {
    const { baseUrl, port, payTimeoutMs } = readSettings({ ...env, PORT: '3001' })
    assert.deepEqual([baseUrl, port, payTimeoutMs], ['http://localhost:8080', 3001, 30_000])
  })

  test('are named where they are missing or wrong', () => {
    assert.throws(() => readSettings({ ...env, PAYMENTS_API_KEY: '' }), /PAYMENTS_API_KEY is not set/)
    assert.throws(() => readSettings({ ...env, PORT: 'high' }), /PORT: expected a whole number such as 3000, got high/)
  })
})
