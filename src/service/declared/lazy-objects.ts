/** Objects whose fields are made when first used: a start checks no request, and would make a thousand schemas. */
import * as z from 'zod'

const NOTHING_ELSE = z.never()

/** Of answers: nothing else may be there. */
export function closedObject<Shape extends z.ZodRawShape>(fields: () => Shape): z.ZodObject<Shape, z.core.$strict> {
  return made(fields, { catchall: NOTHING_ELSE })
}

/** Of requests: other fields are left out. */
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
      Object.defineProperty(this, 'shape', { value: shape })
      return shape
    },
    ...rest,
  })
}
