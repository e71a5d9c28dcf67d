/**
 * Assumptions about callbacks: how and when they are sent, what they contain, and how long prompts and sessions live.
 */
import type { Assumption } from '../../core/model/assumption.ts'
import { recordLists, recordReads, statusReads } from './touched.ts'

export const callbackAssumptions = {
  'callback-retries': {
    question: 'How often is a callback tried again that was not received?',
    alternatives: ['as-set', 'never', 'hourly'],
    note: 'as-set: as callbacks.retry of the scenario says, four times within 40 minutes by default. never: one attempt. hourly: every hour for a day.',
    area: 'callbacks',
    touches: { callbacks: 'all' },
  },
  'callback-timeout': {
    question: 'How long has a receiver to answer?',
    alternatives: ['as-set', '3s', '30s'],
    note: 'as-set: as callbacks.timeout of the scenario says, 10 seconds by default. Real time.',
    area: 'callbacks',
    touches: { callbacks: 'all' },
  },
  'callback-headers': {
    question: 'Which headers do callbacks carry?',
    alternatives: ['plain', 'java-client', 'bare'],
    note: 'plain: content-type application/json and a user-agent. java-client: as clients on the JVM send them, with a charset and an accept header. bare: no user-agent and no accept.',
    area: 'callbacks',
    touches: { callbacks: 'all' },
  },
  'callback-moment': {
    question: 'Does a read show the end of a payment before its callback is sent?',
    alternatives: ['at-once', 'after-callback'],
    note: 'at-once: as soon as it has ended. after-callback: still PENDING until the first attempt of its callback has been made.',
    area: 'callbacks, reads',
    touches: { operations: [...recordReads, ...statusReads, ...recordLists] },
  },
  'expired-callback': {
    question: 'Is a callback sent when a checkout session expires?',
    alternatives: ['sent', 'none'],
    note: 'EXPIRED is published as a status; the callback is told for the final result.',
    area: 'callbacks, checkout',
    touches: { callbacks: ['checkout'] },
  },
  'reversal-callback': {
    question: 'Is a second callback sent when a final state changes?',
    alternatives: ['sent', 'none'],
    note: 'Whether one can change is not shown: only a scenario does that. none: who does not read again never learns of it.',
    area: 'callbacks',
    touches: { callbacks: 'all' },
  },
  'extra-fields': {
    question: 'Do answers and callbacks carry fields that no source shows?',
    alternatives: ['none', 'some'],
    note: 'some: one more in each record, whose name and value come from the seed.',
    area: 'answers, callbacks',
    touches: { operations: 'all', callbacks: 'all', unrouted: true },
  },
  'session-life': {
    question: 'How long can a checkout session be paid?',
    alternatives: ['30m', '5m', '24h'],
    note: 'EXPIRED is published, and no time. A rule that ends sessions EXPIRED says when.',
    area: 'checkout',
    touches: { operations: ['createCheckoutSession', 'getCheckoutSession'], callbacks: ['checkout'] },
  },
  'prompt-life': {
    question: 'How long does a customer of a checkout page take to answer the prompt on the phone?',
    alternatives: ['3s', '1m'],
    note: 'Of customers whom nobody plays. While the prompt is open, the session shows REQUIRES_CUSTOMER_ACTION.',
    area: 'checkout',
    touches: { operations: ['createCheckoutSession', 'getCheckoutSession'], callbacks: ['checkout'] },
  },
} as const satisfies Record<string, Assumption>
