/** The findings that judges make besides those from the books. To add a finding, add a record. */

export const appFindings = {
  never_quiet: {
    meaning: 'The app never rests: it works or sends requests all the time.',
    cause: 'A polling loop has no pause or no end.',
    todo: 'Wait for the callback, or poll with growing pauses and stop after some attempts.',
    example: 'The app did not come to rest within 30 s: it is at work all the time.',
  },
  app_died: {
    meaning: 'The process of the app ended unexpectedly.',
    cause: 'An error that the app does not catch.',
    todo: 'Read the last lines of its output, and catch that error.',
    example: 'The app ended with code 1 by itself. The last that it said: TypeError: data is undefined',
  },
  not_ready: {
    meaning: 'The app did not answer its `ready` request with 200 in time.',
    cause: 'The app listens on another port, or starts slowly.',
    todo: 'Listen on `{port}`, and answer `ready` once the app accepts requests.',
    example:
      'The app did not get ready within 30 s: expected 200 from GET http://127.0.0.1:4001/health, but nobody answered.',
  },
  port_taken: {
    meaning: 'The app ended because its port is taken.',
    cause: 'The app ignores the port that it is given.',
    todo: 'Listen on `{port}` only.',
    example:
      'The app ended with code 1 before it answered GET /health. Its port is taken: does it listen on the one that it is given (4001)?',
  },
} as const satisfies Record<string, Record<'meaning' | 'cause' | 'todo' | 'example', string>>

export type AppFindingCode = keyof typeof appFindings
/** The app cannot be used any more, so nothing else is judged. */
export type AppEnd = Exclude<AppFindingCode, 'never_quiet'>
