/** Assumptions about paths, methods, headers and the bytes of bodies. */
import type { Assumption } from '../../core/model/assumption.ts'
import { withBody, withKey } from './touched.ts'

export const transportAssumptions = {
  'unsupported-media-type': {
    question: 'How is a body that is compressed or not application/json answered?',
    alternatives: ['415', '400', 'accept'],
    note: 'text/plain, application/x-www-form-urlencoded and whatever else; code REQ_BAD_REQUEST. The reference marks Content-Type required on every POST but lists no 415. accept: read it as JSON all the same; one that is compressed is 400.',
    area: 'transport, errors',
    touches: { operations: withBody, noted: true },
  },
  'body-limit': {
    question: 'How large may the body of a request be?',
    alternatives: ['1mb', '100kb'],
    note: 'No limit is shown. 1mb: 1,000,000 bytes. 100kb: 100,000, which some frameworks begin with.',
    area: 'transport, errors',
    touches: { operations: 'all', noted: true },
  },
  'unsupported-method': {
    question: 'How is a known path with a wrong method answered?',
    alternatives: ['405', '404'],
    note: '405 with an Allow header and code REQ_BAD_REQUEST; or as an unknown path. The published table lists no 405.',
    area: 'transport, errors',
    touches: { unrouted: true, noted: true },
  },
  'trailing-slash': {
    question: 'What answers a path with a slash behind it?',
    alternatives: ['404', 'same', '301', '308'],
    note: '404: it is another path, and unknown. same: as without. 301 and 308: a redirect to the path without; after 301 most clients ask with GET and without their body.',
    area: 'transport',
    touches: { operations: 'all', unrouted: true, noted: true },
  },
  'idempotency-key': {
    question: 'What does a second request with the same Idempotency-Key do?',
    alternatives: ['ignored', 'replay', 'refuse'],
    note: 'No source names the header. ignored: it is worked on like any other, and the journal names the header. replay: the first answer again, byte for byte, and nothing is made; with another operation or body, 409 REQ_BAD_REQUEST. refuse: 409 REQ_BAD_REQUEST. A key belongs to an organisation, and only a request that was accepted uses it up.',
    area: 'transport, payments',
    touches: { operations: withKey, noted: true },
  },
} as const satisfies Record<string, Assumption>
