/** Users and subscriptions of organisations. */
import type { InstantUs } from './time.ts'

export interface Subscription {
  organisationId: number
  uuid: string
  active: boolean
  createdAtUs: InstantUs
  updatedAtUs: InstantUs
}

/** The first user of a sub-account. The password is not kept, because no call takes it. */
export interface ApiUser {
  organisationId: number
  username: string
  userType: string
  firstName: string
  lastName: string
  email: string
  roles: string[]
}

/** Every world starts with this organisation and key pair, so that a test has to change only its base URL. */
export const DEFAULT_ORGANISATION = {
  uuid: '00000000-0000-4000-8000-000000000001',
  name: 'Example Merchant Ltd',
  phoneNumber: '254700000000',
  email: 'merchant@mfano.example',
  uniqueReference: '1000001',
  apiKey: 'mfano-key',
  apiSecret: 'mfano-secret',
  secretSha256: '382031c15e36c48549b658e324005051de9db56ebdb3361a0753046a96034509',
} as const
