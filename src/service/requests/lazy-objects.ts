/** Objects whose fields are made when first used, because a start checks no request and prints no contract. */
import * as z from 'zod'

const NOTHING_ELSE = z.never()

/** Refuses other fields, as answers have none. */
export function closedObject<Shape extends z.ZodRawShape>(fields: () => Shape): z.ZodObject<Shape, z.core.$strict> {
  return made(fields, { catchall: NOTHING_ELSE })
}

/** Leaves other fields out, as requests may have more. */
export function openObject<Shape extends z.ZodRawShape>(fields: () => Shape): z.ZodObject<Shape, z.core.$strip> {
  return made(fields, {})
}

type Rest = Pick<z.core.$ZodObjectDef, 'catchall'>

function made<Shape extends z.ZodRawShape, Config extends z.core.$ZodObjectConfig>(
  fields: () => Shape,
  rest: Rest,
): z.ZodObject<Shape, Config>
function made(fields: () => z.ZodRawShape, rest: Rest): z.ZodObject {
  return new z.ZodObject({
    type: 'object',
    get shape() {
      const shape = fields()
      // From here on the library finds what does not change, and need not expect a circle.
      Object.defineProperty(this, 'shape', { value: shape })
      return shape
    },
    ...rest,
  })
}
