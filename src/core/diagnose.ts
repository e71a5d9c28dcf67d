/**
 * Diagnoses an attempt to deliver a callback: what is wrong, why, and what to do. Pure, so that an attempt keeps its
 * diagnosis.
 */
import { badAddress, diagnoseFailure } from './callbacks/diagnose-failure.ts'
import type { Answered, Diagnosis, Tried } from './model/callback.ts'
import { maskPath } from './model/mask.ts'

export function diagnose(tried: Tried): Diagnosis | null {
  const { url, sentTo, outcome } = tried
  if ('status' in outcome && isReceived(tried)) return oddSuccess(outcome)
  const target = sentTo ?? URL.parse(url)
  if (!target || !/^https?:$/.test(target.protocol)) return badAddress(url)
  const diagnosis =
    'status' in outcome ? diagnoseAnswer(tried, target, outcome) : diagnoseFailure(tried, target, outcome)
  if (!diagnosis || tried.forwarder === undefined) return diagnosis
  // "This machine" is then the one that forwards.
  return { ...diagnosis, what: `${tried.forwarder} forwarded it: ${diagnosis.what}` }
}

export function isReceived({ outcome, success }: Pick<Tried, 'outcome' | 'success'>): boolean {
  if (!('status' in outcome)) return false
  return success === '200' ? outcome.status === 200 : outcome.status >= 200 && outcome.status < 300
}

export function answerLost(status: number): Diagnosis {
  return {
    code: 'answer-lost',
    what: `the scenario lost the receiver's answer (${status}) on its way back`,
    why: 'callbacks.loseAnswers of the scenario rehearses an answer that never arrives; nothing is wrong with the receiver',
    todo: 'Expect the same callback again, and take both as one.',
  }
}

// Diagnoses an answer to a callback: why it did not count, or what is odd although it did.

type Cause = Omit<Diagnosis, 'what'>

const LOGIN_PATH = /\/(?:log-?in|sign-?in|auth|oauth2?|sso|saml|cas|accounts?\/login|session\/new|users\/sign_in)\b/i
const LOGIN_PAGE = /type=["']?password|<title>[^<]*(?:log ?in|sign ?in|anmelden)/i
const CSRF = /csrf|xsrf|forgery|authenticity.?token|page expired/i
const HOST_REFUSED =
  /disallowedhost|allowed_hosts|allowedhosts|blocked hosts?|invalid host|host(?:name)? (?:is )?not allowed|invalid http_host/i
const QUOTED = 200

function diagnoseAnswer({ success }: Tried, target: URL, answer: Answered): Diagnosis {
  const { status } = answer
  const counts = success === '200' ? 'only 200 counts as received' : 'a 2xx counts as received'
  const redirect = status >= 300 && status < 400
  const what = `answered ${status}; ${redirect && success === '2xx' ? 'redirects are not followed' : counts}`
  const { code, why, todo } =
    ofMfano(answer) ??
    ofTunnel(answer) ??
    (redirect ? ofRedirect(target, answer) : undefined) ??
    ofLogin(answer) ??
    ofGuard(answer) ??
    ofStatus(target, answer)
  return { code, what, why, todo }
}

/** Counts as success, but a callback route would not answer with a page. */
function oddSuccess(answer: Answered): Diagnosis | null {
  if (!isHtml(answer)) return null
  return {
    code: 'page-accepted',
    what: `answered ${answer.status} with an HTML page`,
    why: `it counts as received, but a page is rarely what takes callbacks: a route that answers everything, or a login page${titleOf(answer)}`,
    todo: 'Check that your route for callbacks was called, and let it answer 200 with an empty or a JSON body.',
  }
}

function ofMfano(answer: Answered): Cause | undefined {
  if (header(answer, 'mfano-request-id') === undefined && !answer.body.includes('/_mfano/')) return undefined
  return {
    code: 'mfano-itself',
    why: 'callbackUrl leads to mfano itself, not to your app',
    todo: 'Write the port of your app in callbackUrl; or, to look at callbacks without an app, the path /_mfano/inbox/any-name.',
  }
}

/** Tunnels answer themselves when the app behind them is down. */
function ofTunnel(answer: Answered): Cause | undefined {
  const cloudflare = answer.status === 530 && header(answer, 'cf-ray') !== undefined
  const code = header(answer, 'ngrok-error-code') ?? (cloudflare ? 'Cloudflare 530' : undefined)
  if (code === undefined) return undefined
  return {
    code: 'tunnel',
    why: `the tunnel answered in the place of your app (${code})`,
    todo: 'Start the tunnel and the app behind it, and write the present name of the tunnel in callbackUrl. Towards mfano on the same machine, localhost needs no tunnel.',
  }
}

function ofRedirect(from: URL, answer: Answered): Cause {
  const { status } = answer
  const location = header(answer, 'location')
  const to = location === undefined ? null : URL.parse(location, from)
  if (to === null) {
    return {
      code: 'redirect',
      why: `a ${status} says that something is elsewhere, and this one does not say where`,
      todo: 'Let the route for callbacks answer 200 itself.',
    }
  }
  if (LOGIN_PATH.test(to.pathname)) {
    return {
      code: 'login-page',
      why: `it sends whoever is not logged in to ${to.href}; callbacks carry no login`,
      todo: 'Take the route for callbacks out of the login check.',
    }
  }
  const reason =
    from.protocol === 'http:' && to.protocol === 'https:'
      ? 'the receiver wants https'
      : from.pathname !== to.pathname && from.pathname.replace(/\/$/, '') === to.pathname.replace(/\/$/, '')
        ? 'the address differs by a slash at its end'
        : from.host === to.host
          ? 'the receiver has moved that path'
          : 'the receiver has moved to another host'
  return {
    code: 'redirect',
    why: `${reason}: it redirects to ${to.href}`,
    todo: `Write ${maskPath(to.href)} in callbackUrl.`,
  }
}

function ofLogin(answer: Answered): Cause | undefined {
  const challenge = header(answer, 'www-authenticate')
  if (answer.status === 407) {
    return {
      code: 'proxy-login',
      why: 'a proxy on the way wants a login',
      todo: 'Let mfano reach the receiver without that proxy.',
    }
  }
  if (challenge === undefined && answer.status !== 401 && !(isHtml(answer) && LOGIN_PAGE.test(answer.body)))
    return undefined
  const page = isHtml(answer) && LOGIN_PAGE.test(answer.body)
  return {
    code: page ? 'login-page' : 'login-wanted',
    why: page
      ? `a login page answered${titleOf(answer)}; callbacks carry no login`
      : `the receiver wants a login${challenge === undefined ? '' : ` (${challenge.slice(0, 100)})`}; callbacks carry none`,
    todo: 'Take the route for callbacks out of the login check. To know that callbacks are ours, verify their signature or ask for the payment.',
  }
}

/** Turned away before any route ran, by a guard such as a CSRF check or a list of allowed hosts. */
function ofGuard(answer: Answered): Cause | undefined {
  const { status, body } = answer
  if (status === 400 && /plain HTTP request.*HTTPS|HTTP request to an HTTPS/i.test(body)) {
    return {
      code: 'http-to-https',
      why: 'callbackUrl says http, and TLS is spoken at that port',
      todo: 'Write https:// in callbackUrl.',
    }
  }
  if (status === 419 || ((status === 403 || status === 422 || status === 400) && CSRF.test(body))) {
    return {
      code: 'csrf',
      why: `the receiver guards forms against forgery and misses its token${titleOf(answer)}`,
      todo: 'Take the route for callbacks out of the CSRF check: @csrf_exempt in Django, skip_forgery_protection in Rails, validateCsrfTokens(except:) in Laravel, csrf().ignoringRequestMatchers() in Spring.',
    }
  }
  if ((status === 400 || status === 403 || status === 421) && HOST_REFUSED.test(body)) {
    return {
      code: 'host-not-allowed',
      why: 'the receiver answers only to host names that it knows, and the one in the address is not among them',
      todo: 'Add the host of callbackUrl (or of MFANO_CALLBACK_HOST) to its list: ALLOWED_HOSTS in Django, config.hosts in Rails, server.allowedHosts in Vite.',
    }
  }
  return undefined
}

function ofStatus({ pathname: path }: URL, answer: Answered): Cause {
  const { status } = answer
  const allow = header(answer, 'allow')
  const rest = header(answer, 'retry-after')
  const said = quoted(answer)
  const log = 'Look at the log of the receiver at that moment.'
  switch (status) {
    case 400:
    case 422:
      return {
        code: 'body-refused',
        why: `the receiver does not take the body${said}`,
        todo: 'Compare what it expects with the body of this callback; the contract at /docs shows all of its fields.',
      }
    case 403:
      return {
        code: 'forbidden',
        why: `the receiver turns mfano away${said}`,
        todo: `Allow POST to ${path} without login, or from the address of mfano. ${log}`,
      }
    case 404:
    case 410:
      return {
        code: 'no-route',
        why: `the receiver has nothing at ${path}${said}`,
        todo: 'Check the path in callbackUrl: its spelling, a prefix such as /api, a slash at its end; and that this is the port of the right app.',
      }
    case 405:
      return {
        code: 'method',
        why: `${path} is there and takes no POST${allow === undefined ? '' : `, only ${allow}`}`,
        todo: `Let the route take POST: app.post('${path}', …).`,
      }
    case 406:
    case 415:
      return {
        code: 'content-type',
        why: `the receiver does not read application/json${said}`,
        todo: 'Let the route parse JSON bodies; a form parser does not.',
      }
    case 411:
    case 413:
      return {
        code: 'too-large',
        why: 'the receiver, or a proxy before it, takes only smaller bodies; those of callbacks have less than 2 kB',
        todo: 'Raise its limit for bodies.',
      }
    case 429:
      return {
        code: 'rate-limited',
        why: `the receiver limits how often it is called${rest === undefined ? '' : `, and wants ${rest} s of rest`}`,
        todo: 'Take the route for callbacks out of the limit.',
      }
    case 502:
    case 503:
    case 504:
      return {
        code: 'not-up',
        why: `the receiver, or a proxy before it, says that the app is not there, is overloaded or starts${said}`,
        todo: `Start the app, and wait until it is ready. ${log}`,
      }
    default:
      if (status >= 500)
        return { code: 'crashed', why: `the receiver failed while it worked on the callback${said}`, todo: log }
      return {
        code: 'status',
        why: `the receiver answers with a status that does not count as received${said}`,
        todo: 'Answer 200 as soon as the callback is stored.',
      }
  }
}

function isHtml(answer: Answered): boolean {
  return /html/i.test(header(answer, 'content-type') ?? '') || /^\s*<(?:!doctype html|html)/i.test(answer.body)
}

function titleOf({ body }: Answered): string {
  const title = /<title[^>]*>([^<]{1,100})/i.exec(body)?.[1]?.replace(/\s+/g, ' ').trim()
  return title ? `: "${title}"` : ''
}

function quoted(answer: Answered): string {
  if (isHtml(answer)) return titleOf(answer)
  const shown = answer.body.replace(/\s+/g, ' ').trim()
  if (shown === '') return ''
  return `: ${shown.length > QUOTED ? `${shown.slice(0, QUOTED)}…` : shown}`
}

function header({ headers }: Answered, name: string): string | undefined {
  const value = headers?.[name]
  return Array.isArray(value) ? value[0] : value
}
