/** An error in place of an answer, as scenarios write it: a status, a code or both. */
import * as z from 'zod'
import { didYouMean } from './did-you-mean.ts'
import type { ErrorAnswer } from './faults.ts'
import { quote } from './problems.ts'
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

export function readErrorAnswer(file: ErrorAnswerFile, report: (message: string) => void): ErrorAnswer {
  const { status, code, message, html } = file
  const known = code === undefined ? undefined : publishedRefusal(code)
  const suggestion = known || code === undefined ? '' : didYouMean(code, refusalCodes)
  if (code !== undefined && suggestion !== '') report(`${quote(code)} is not one of the published codes.${suggestion}`)
  else if (code !== undefined && !known && status === undefined)
    report(`${quote(code)} is not one of the published codes, so it needs its status: status: 500.`)
  else if (code === undefined && status === undefined) report('"status" is missing. Write, for example, status: 500.')
  if (html && code !== undefined) report('The page of a gateway shows no code. Remove code, or html.')
  const usual = refusalCodes.findLast((one) => refusalCatalogue[one].status === status)
  if (code === undefined && status !== undefined && !usual && !html)
    report(`No published code has the status ${status}. Add one of your own: code: ${ownCode(status)}.`)
  return {
    status: status ?? known?.status ?? 500,
    code: code ?? (status === 500 ? 'SERVER_ERROR' : (usual ?? 'SERVER_ERROR')),
    ...(message !== undefined && { message }),
    ...(html && { html }),
  }
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
