/** An error in place of an answer, as scenarios write it: a status, a code or both. */
import * as z from 'zod'
import { didYouMean } from './did-you-mean.ts'
import type { ErrorAnswer } from './faults.ts'
import { quote, type Tell } from './problems.ts'
import { publishedRefusal, refusalCatalogue, refusalCodes } from './refusal.ts'

export const errorAnswerShape = {
  status: z
    .int()
    .min(400)
    .max(599)
    .optional()
    .meta({ description: 'the HTTP status; that of the code when left out', examples: [500, 503] }),
  code: z
    .string()
    .regex(/^[A-Z][A-Z0-9_]{1,63}$/)
    .optional()
    .meta({
      description: 'the error code in capitals; that of the published table for the status when left out',
      examples: refusalCodes,
    }),
  message: z
    .string()
    .min(1)
    .max(1000)
    .optional()
    .meta({ description: "the error's message; that of the published table when left out" }),
  html: z.literal(true).optional().meta({
    description: "true: the HTML page of a gateway instead of JSON; message is the page's heading",
  }),
}

export type ErrorAnswerFile = z.infer<z.ZodObject<typeof errorAnswerShape>>

export function checkErrorAnswer({ status, code, html }: ErrorAnswerFile, tell: Tell): void {
  const isPublished = code !== undefined && publishedRefusal(code) !== undefined
  const suggestion = isPublished || code === undefined ? '' : didYouMean(code, refusalCodes)
  if (code !== undefined && suggestion !== '') tell(`${quote(code)} is not one of the published codes.${suggestion}`)
  else if (code !== undefined && !isPublished && status === undefined)
    tell(`${quote(code)} is not one of the published codes, so it needs its status: status: 500.`)
  else if (code === undefined && status === undefined) tell('"status" is missing. Write, for example, status: 500.')
  if (html && code !== undefined) tell('The page of a gateway shows no code. Remove code, or html.')
  if (code === undefined && status !== undefined && !usualCode(status) && !html)
    tell(`No published code has the status ${status}. Add one of your own: code: ${ownCode(status)}.`)
}

export function readErrorAnswer({ status, code, message, html }: ErrorAnswerFile): ErrorAnswer {
  return {
    status: status ?? publishedRefusal(code ?? '')?.status ?? 500,
    code: code ?? (status === 500 ? 'SERVER_ERROR' : (usualCode(status) ?? 'SERVER_ERROR')),
    ...(message !== undefined && { message }),
    ...(html && { html }),
  }
}

function usualCode(status: number | undefined): string | undefined {
  return refusalCodes.findLast((one) => refusalCatalogue[one].status === status)
}

const namesOfStatuses: Readonly<Record<number, string>> = {
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_ALLOWED',
  408: 'REQUEST_TIMEOUT',
  409: 'CONFLICT',
  410: 'GONE',
  413: 'CONTENT_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  422: 'UNPROCESSABLE_CONTENT',
  501: 'NOT_IMPLEMENTED',
  502: 'BAD_GATEWAY',
}

function ownCode(status: number): string {
  return namesOfStatuses[status] ?? `STATUS_${status}`
}
