/** The log: one line per event. Lines of one turn of the event loop are written together. */

import { styleText } from 'node:util'
import type { Diagnosis } from '../../core/model/callback.ts'
import { oneLine, printable } from '../../core/model/text.ts'
import type { RequestEvent } from '../../http/operation.ts'
import { atNextTurn, wallNowMs } from './wall.ts'

export interface LoggedRequest extends Pick<RequestEvent, 'world' | 'requestId' | 'method' | 'path' | 'status'> {
  tookMs: number
  rule?: string | undefined
  error?: string | undefined
}

export interface CallbackEvent {
  world: string
  callbackId: string
  url: string
  attempt: number
  status?: number | undefined
  error?: string | undefined
  diagnosis?: Diagnosis | undefined
  tookMs: number
}

export interface TransitionEvent {
  world: string
  kind: string
  uuid: string
  from: string | undefined
  to: string
  by: string
}

export type LogFields = Record<string, unknown> & { err?: unknown }

/** Without the first three where nothing is logged, so that such events are not even made. */
export interface Log {
  request?(event: LoggedRequest): void
  callback?(event: CallbackEvent): void
  transition?(event: TransitionEvent): void
  info(message: string, fields?: LogFields): void
  warn(message: string, fields?: LogFields): void
  error(message: string, fields?: LogFields): void
  flush(): void
}

const nothing = () => {}

export const silentLog: Log = {
  info: nothing,
  warn: nothing,
  error: nothing,
  flush: nothing,
}

export const logLevels = ['info', 'warn', 'error'] as const

const WRITE_AT_CHARACTERS = 64 * 1024

type Level = (typeof logLevels)[number]
type Colour = 'red' | 'green' | 'yellow' | 'cyan' | 'dim' | 'bold'
type Paint = (colour: Colour, text: string) => string

const plain: Paint = (_, text) => text
const coloured: Paint = (colour, text) => styleText(colour, text, { validateStream: false })

export function prettyLog(level: Level, colour: boolean, write = writeToStandardOutput): Required<Log> {
  const paint = colour ? coloured : plain
  let held = ''
  let planned = false
  const flush = () => {
    planned = false
    if (held === '') return
    const text = held
    held = ''
    write(text)
  }
  const put = (at: Level, line: string) => {
    if (logLevels.indexOf(at) < logLevels.indexOf(level)) return
    held += `${paint('dim', timeOfDay(wallNowMs()))}  ${line}\n`
    if (held.length > WRITE_AT_CHARACTERS) flush()
    else if (!planned) {
      planned = true
      atNextTurn(flush)
    }
  }
  return {
    request: (event) => put(event.error === undefined ? 'info' : 'error', requestLine(event, paint)),
    callback: (event) => put(event.error === undefined ? 'info' : 'warn', callbackLine(event, paint)),
    transition: (event) => put('info', transitionLine(event, paint)),
    info: (message, fields) => put('info', messageLine(message, fields)),
    warn: (message, fields) => put('warn', messageLine(message, fields, `${paint('yellow', 'warning')}  `)),
    error: (message, fields) => put('error', messageLine(message, fields, `${paint('red', 'error')}  `)),
    flush,
  }
}

export function requestLine(event: LoggedRequest, paint: Paint = plain): string {
  const colour = event.status < 400 ? 'green' : event.status < 500 ? 'yellow' : 'red'
  const parts = [
    `${paint('bold', event.method.padEnd(6))} ${oneLine(event.path)}`,
    paint(colour, String(event.status)),
    milliseconds(event.tookMs),
  ]
  if (event.rule !== undefined) parts.push(`rule: ${oneLine(event.rule)}`)
  if (event.error !== undefined) parts.push(paint('red', oneLine(event.error)))
  parts.push(paint('dim', oneLine(event.requestId)))
  return inWorld(event.world, parts.join('  '), paint)
}

export function callbackLine(event: CallbackEvent, paint: Paint = plain): string {
  const parts = [`${paint('cyan', 'callback')} to ${oneLine(event.url)}`]
  if (event.status !== undefined) parts.push(paint(event.error === undefined ? 'green' : 'red', String(event.status)))
  if (event.error !== undefined) parts.push(paint('red', oneLine(event.error)))
  if (event.diagnosis !== undefined) parts.push(oneLine(`${event.diagnosis.why}. ${event.diagnosis.todo}`))
  parts.push(milliseconds(event.tookMs), `attempt ${event.attempt}`, paint('dim', oneLine(event.callbackId)))
  return inWorld(event.world, parts.join('  '), paint)
}

export function transitionLine(event: TransitionEvent, paint: Paint = plain): string {
  const colour = event.to === 'SUCCESS' ? 'green' : event.to === 'FAILED' ? 'red' : 'yellow'
  const way = event.from === undefined ? '' : `${event.from} -> `
  const line = `${event.kind} ${event.uuid}  ${way}${paint(colour, oneLine(event.to))}  by ${oneLine(event.by)}`
  return inWorld(event.world, line, paint)
}

export function messageLine(message: string, fields: LogFields = {}, mark = ''): string {
  const { err, ...rest } = fields
  const shown = Object.entries(rest).filter(([, value]) => value !== undefined)
  const text = shown
    .map(([key, value]) => `  ${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join('')
  // The one exception to one line per event: a stack on one line is of no use to anybody.
  const stack =
    err === undefined ? '' : `\n${printable(err instanceof Error ? (err.stack ?? err.message) : String(err))}`
  return mark + oneLine(message + text) + stack.replaceAll('\n', '\n    ')
}

function inWorld(world: string, line: string, paint: Paint): string {
  return world === 'default' ? line : `${paint('dim', `[${oneLine(world)}]`)} ${line}`
}

function milliseconds(tookMs: number): string {
  return `${tookMs < 10 ? tookMs.toFixed(1) : Math.round(tookMs)} ms`
}

function timeOfDay(ms: number): string {
  const date = new Date(ms)
  const two = (n: number) => String(n).padStart(2, '0')
  const time = `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`
  return `${time}.${String(date.getMilliseconds()).padStart(3, '0')}`
}

function writeToStandardOutput(text: string): void {
  process.stdout.write(text)
}
