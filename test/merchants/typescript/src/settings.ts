/** What Mizigo is told from outside. */
export interface Settings {
  /** The payments service. */
  baseUrl: string
  apiKey: string
  apiSecret: string
  companyId: string
  /** Callbacks are taken only when they are signed with it; unsigned ones are, where there is none. */
  callbackSecret?: string
  /** Where the service reaches Mizigo: `http://localhost:{port}` unless given. */
  publicUrl?: string
  /** 0 takes any free port. */
  port: number
  /** A file of SQLite. */
  database: string
  /** How long an answer to something that moves money is waited for. After that, nobody knows. */
  payTimeoutMs: number
  /** How long an answer to anything else is waited for. */
  readTimeoutMs: number
}

const NUMBERS = { PORT: 3000, PAYMENTS_PAY_TIMEOUT_MS: 30_000, PAYMENTS_READ_TIMEOUT_MS: 10_000 }

/** Reads the environment; throws with the name of whatever is missing or no number. */
export function readSettings(env: NodeJS.ProcessEnv): Settings {
  const text = (name: string) => {
    const value = env[name]
    if (!value) throw new Error(`${name} is not set: see README.md for the settings.`)
    return value
  }
  const number = (name: keyof typeof NUMBERS) => {
    const value = Number(env[name] ?? NUMBERS[name])
    if (!Number.isInteger(value) || value < 0)
      throw new Error(`${name}: expected a whole number such as ${NUMBERS[name]}, got ${env[name]}`)
    return value
  }
  return {
    baseUrl: text('PAYMENTS_BASE_URL').replace(/\/+$/, ''),
    apiKey: text('PAYMENTS_API_KEY'),
    apiSecret: text('PAYMENTS_API_SECRET'),
    companyId: text('PAYMENTS_COMPANY_ID'),
    callbackSecret: env['PAYMENTS_CALLBACK_SECRET'],
    publicUrl: env['PUBLIC_URL']?.replace(/\/+$/, ''),
    port: number('PORT'),
    database: env['DATABASE'] ?? 'mizigo.sqlite',
    payTimeoutMs: number('PAYMENTS_PAY_TIMEOUT_MS'),
    readTimeoutMs: number('PAYMENTS_READ_TIMEOUT_MS'),
  }
}
