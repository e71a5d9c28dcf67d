/** The fields by which requests name a bank account. */
import { z } from 'zod'
import type { Source } from '../../model/basis.ts'
import { known, text } from '../fields.ts'

/** Which bank. */
export const bankCode = (basis: Source) =>
  known(
    basis,
    "00 and the bank's code, which has two digits in the public list of Kenyan banks.",
    z.string().regex(/^00\d{2}$/, 'must be 00 and two digits'),
    { required: 'published', pattern: 'specified' },
  )
/** An account at it. */
export const accountNumber = (basis: Source, description: string) =>
  text(basis, description, { max: 34, required: 'published' })
