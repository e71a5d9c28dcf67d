/** Fields that several choices have. */
import * as z from 'zod'

/** Counted from 1. */
export const nthSchema = z.int().min(1)
export const kindSchema = z.string().min(1)
