/** Routes: capsules of recorded worlds. */
import { Hono } from 'hono'
import * as z from 'zod'
import type { RecordedNote } from '../../core/recording.ts'
import { about } from './about.ts'
import { asks, type ControlEnv, json, takes } from './control-context.ts'

/** What happened in a world as one file, and notes in it of what its judge did elsewhere. */
export function capsuleRoutes() {
  return new Hono<ControlEnv>()
    .get(
      '/_mfano/capsule',
      about('What happened in a recorded world, as one file', {
        errors: ['409 NOT_RECORDED', '409 RECORDING_FULL'],
        answers: { 'application/vnd.mfano.capsule': 'For `mfano replay`.' },
      }),
      asks(
        z.strictObject({
          /** Kept in the file, for those who open it. */
          why: z.string().max(2000).optional(),
        }),
      ),
      async (c) => {
        const { world, version } = c.env
        // Loaded with the first capsule, so that a start need not wait for it.
        const { capsuleOf, packCapsule } = await import('../capsule.ts')
        const bytes = await packCapsule(await capsuleOf(world, { version, why: c.req.valid('query').why }))
        return c.body(bytes as Uint8Array<ArrayBuffer>, 200, {
          'content-type': 'application/vnd.mfano.capsule',
          'content-disposition': `attachment; filename="${world.id}.capsule"`,
        })
      },
    )

    .post(
      '/_mfano/capsule/notes',
      about('Note in the recording what was done elsewhere'),
      takes(
        z.looseObject({
          /** What was done. */
          act: z.string(),
        }),
      ),
      async (c) => {
        const { commit, core } = c.env.world
        const note = c.req.valid('json') as RecordedNote
        await commit.submit(() =>
          core.recorder?.during(
            () => ({ note }),
            () => {},
          ),
        )
        return json(c, { noted: core.recorder !== undefined })
      },
    )
}
