/** The fields by which requests name a bank account. */
import { z } from 'zod'
import { known, text } from '../fields.ts'

/** Which bank. */
export const bankCode = known(
  'specified',
  "00 and the bank's code, which has two digits in the public list of Kenyan banks.",
  z.string().regex(/^00\d{2}$/, 'must be 00 and two digits'),
)
/** An account at it. */
export const accountNumber = (description: string) => text('specified', description, 34)
