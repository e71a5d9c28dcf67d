/** Schemas that the contract lists by name. */
import type * as z from 'zod'

/** A schema that several answers share, under the name that it has in the contract; made when it is first asked for. */
export function shape<S extends z.ZodType>(id: string, make: () => S): () => S {
  let made: S | undefined
  return () => {
    made ??= make().meta({ id }) as S
    return made
  }
}
