/** Operations on capsules of recorded worlds. */
import * as z from 'zod'
import type { RecordedNote } from '../../../core/recording.ts'
import { controlOperation } from '../declared-operation.ts'

const readCapsule = controlOperation('capsule.download', {
  method: 'GET',
  path: '/capsule',
  summary: 'Download a capsule of a recorded world',
  query: z.strictObject({
    why: z.string().max(2000).optional().describe('Kept in the file, for those who open it.'),
  }),
  answers: { 'application/vnd.mfano.capsule': 'For `mfano replay`.' },
  errors: ['NOT_RECORDED', 'RECORDING_FULL'],
  async run(c, { query }) {
    const { world, version } = c.env
    // Loaded with the first capsule, so that a start need not wait for it.
    const { capsuleOf, packCapsule } = await import('../../capsule.ts')
    const bytes = await packCapsule(await capsuleOf(world, { version, why: query.why }))
    return c.body(bytes as Uint8Array<ArrayBuffer>, 200, {
      'content-type': 'application/vnd.mfano.capsule',
      'content-disposition': `attachment; filename="${world.id}.capsule"`,
    })
  },
})

const addCapsuleNote = controlOperation('capsule.note', {
  method: 'POST',
  path: '/capsule/notes',
  summary: 'Add a note to the recording',
  body: z.looseObject({
    act: z.string().describe('What was done.'),
  }),
  answer: () => z.object({ noted: z.boolean() }),
  async run(c, { body }) {
    const { commit, core } = c.env.world
    const note = body as RecordedNote
    await commit.submit(() =>
      core.recorder?.during(
        () => ({ note }),
        () => {},
      ),
    )
    return { noted: core.recorder !== undefined }
  },
})

export const capsuleOperations = [readCapsule, addCapsuleNote] as const
