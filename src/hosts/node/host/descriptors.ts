/** Whether the process can open more files. */
import { closeSync, openSync } from 'node:fs'
import { devNull } from 'node:os'
import { hasNoDescriptor, StorageFailure } from '../../../core/model/storage-failure.ts'

/**
 * A world opens its database and log, and both once more until they are flushed; under load a few are opened at once.
 */
const FILES_AT_ONCE = 8

export function lackOfDescriptors(): StorageFailure | undefined {
  const opened: number[] = []
  try {
    while (opened.length < FILES_AT_ONCE) opened.push(openSync(devNull, 'r'))
    return undefined
  } catch (error) {
    if (!hasNoDescriptor(error)) return undefined
    return new StorageFailure(
      {
        code: 'EMFILE',
        what: 'Nothing more can be opened',
        why: 'the process has as many files and connections open as the system lets it have',
        todo: 'Close connections, raise its limit (ulimit -n), or keep fewer worlds open (--open-worlds): mfano goes on by itself.',
      },
      error,
    )
  } finally {
    for (const descriptor of opened) closeSync(descriptor)
  }
}
