/** Schemas that the contract lists by name. */
import type * as z from 'zod'

/** `id` is the name in the contract. The schema is built on first use, to keep the start fast. */
export function shape<S extends z.ZodType>(id: string, make: () => S): () => S {
  let made: S | undefined
  return () => {
    made ??= make().meta({ id })
    return made
  }
}
