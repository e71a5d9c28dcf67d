/**
 * Diagnoses an attempt to deliver a callback: what is wrong, why, and what to do. Pure, so that an attempt keeps its
 * diagnosis.
 */
import { type Answered, type Diagnosis, type Failure, isLoopback, type Tried } from './model/callback.ts'
import { maskPath } from './model/mask.ts'
import { didYouMean } from './model/problems.ts'

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

export function isReceived({ outcome, success }: Tried): boolean {
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

const MACHINE_NAMES = [
  'host.docker.internal',
  'host.containers.internal',
  'gateway.docker.internal',
  'host.testcontainers.internal',
]
const PRIVATE =
  /^(?:10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|169\.254\.|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.|\[f[cd]|\[fe80)/
const PRIVATE_ENDING = /\.(?:local|internal|test|example|invalid|lan|home|localdomain)$/
const HOST_ADVICE =
  'Set MFANO_CALLBACK_HOST=host.docker.internal (on Linux with extra_hosts: ["host.docker.internal:host-gateway"]; with Podman host.containers.internal)'

function diagnoseFailure(tried: Tried, target: URL, failure: Failure): Diagnosis {
  return (
    diagnoseTls(target, failure) ??
    ofCode(tried, target, failure) ?? {
      code: 'failed',
      what: `${failure.code}: ${failure.message}`,
      why: 'mfano has no explanation for this error',
      todo: `Look the code up, and try the address from where mfano runs: curl -v -X POST ${maskPath(tried.url)}`,
    }
  )
}

function ofCode(tried: Tried, target: URL, failure: Failure): Diagnosis | undefined {
  switch (failure.code) {
    case 'ECONNREFUSED':
      return refused(tried, target)
    case 'ENOTFOUND':
    case 'ENODATA':
      return unknownName(tried, target)
    case 'EAI_AGAIN':
      return {
        code: 'name-server',
        what: `the host name does not resolve (${failure.code})`,
        why: `no name server could be asked for ${target.hostname}`,
        todo: 'Check the network and the DNS settings of where mfano runs.',
      }
    case 'FORWARDER_LOST':
      return {
        code: 'forwarder-lost',
        what: 'it was gone before it said what the receiver answered',
        why: 'mfano listen was stopped, or its connection was lost for longer than its lease, so nobody knows whether the receiver has the callback',
        todo: 'Run mfano listen again, with a longer --lease where connections break: the callback is retried by callbacks.retry.',
      }
    case 'TIMEOUT':
      return failure.stage === 'connect' ? unreachable(target, `within ${tried.timeoutMs} ms`) : tooSlow(tried, failure)
    case 'UND_ERR_CONNECT_TIMEOUT':
    case 'ETIMEDOUT':
      return unreachable(target, 'in time')
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'EHOSTDOWN':
    case 'ENETDOWN':
    case 'EADDRNOTAVAIL':
      return unreachable(target, `(${failure.code})`)
    case 'ECONNRESET':
    case 'EPIPE':
    case 'UND_ERR_SOCKET':
      return closed(target, failure)
    case 'NOT_HTTP':
      return notHttp(target, failure)
    default:
      return undefined
  }
}

function badAddress(url: string): Diagnosis {
  return {
    code: 'bad-address',
    what: `"${url.slice(0, 100)}" is no address that can be posted to`,
    why: 'a callback goes to an absolute http or https URL',
    todo: 'Write it like http://localhost:3000/callback.',
  }
}

function refused({ url, place }: Tried, target: URL): Diagnosis {
  const { hostname } = target
  const port = portOf(target)
  const asked = URL.parse(url)?.hostname ?? hostname
  const because = (why: string, todo: string, code = 'refused') => {
    return { code, what: 'connection refused: nothing listens there', why, todo }
  }
  if (isLoopback(hostname) && place.container)
    return because(
      `mfano runs in a container, where ${hostname} is the container itself: your app runs outside of it, or it runs in it and does not listen at port ${port}`,
      `${HOST_ADVICE}. If your app is a service of the same compose file, write the name of that service: http://your-app:${port}${target.pathname}. If it runs in this container, start it, or correct the port.`,
      'container-loopback',
    )
  if (isLoopback(hostname))
    return because(
      `no program on this machine listens at port ${port} of ${hostname}${URL.parse(url)?.port === '' ? ', which is tried where an address names none' : ''}: your app does not run, it listens at another port or address, or it runs in a container`,
      `Start your app, or correct the port in callbackUrl. If it listens at 127.0.0.1 or ::1 alone, write that address. If your app runs in a container, publish its port: -p ${port}:${port}.`,
    )
  if (isLoopback(asked))
    return because(
      `${hostname} stands for ${asked} (MFANO_CALLBACK_HOST), and nothing there listens at port ${port} for others than itself`,
      `Start your app and let it listen at 0.0.0.0:${port}, not only at 127.0.0.1; or correct the port in callbackUrl.`,
    )
  return because(
    `${hostname} is there, and nothing of it listens at port ${port}, or a firewall turns mfano away`,
    `Start what is to receive callbacks at ${hostname}. ${isBare(hostname) ? 'Between containers the port is the one inside of its container, not the one that is published.' : 'Check the port in callbackUrl.'}`,
  )
}

function unknownName({ place }: Tried, { hostname }: URL): Diagnosis {
  const guess = didYouMean(hostname, ['localhost', ...MACHINE_NAMES])
  const because = (why: string, todo: string) => {
    return { code: 'name-unknown', what: 'the host name does not resolve (ENOTFOUND)', why, todo }
  }
  if (MACHINE_NAMES.includes(hostname))
    return because(
      `only containers know ${hostname}, and on Linux only those that are told`,
      place.container
        ? `Start the container with --add-host=${hostname}:host-gateway, in a compose file extra_hosts: ["${hostname}:host-gateway"].`
        : 'mfano runs outside of a container: write localhost, and set no MFANO_CALLBACK_HOST.',
    )
  if (isBare(hostname))
    return because(
      `${hostname} has no dot: such names, as containers and compose services have them, are known only inside of their network`,
      place.container
        ? `Check the spelling of the service, that it runs, and that mfano is in the same compose file or network.${guess}`
        : `mfano runs outside of that network: publish the port of ${hostname} and write http://localhost:…${guess}`,
    )
  if (PRIVATE_ENDING.test(hostname))
    return because(
      `no public name server knows names like ${hostname}`,
      `Make it known where mfano runs, for example in /etc/hosts, or write an address that is.${guess}`,
    )
  return because(
    `the name server that mfano asked knows no ${hostname}`,
    `Check the spelling; a new name or a tunnel that was started again needs a moment, and callbackUrl the new name.${guess}`,
  )
}

function unreachable(target: URL, how: string): Diagnosis {
  const { hostname, protocol } = target
  const behind = PRIVATE.test(hostname)
    ? `${hostname} is a private address, which only its own network reaches`
    : `nothing at ${hostname} takes or turns away a connection: it is off, or a firewall drops what mfano sends`
  return {
    code: 'unreachable',
    what: `no connection to ${target.host} ${how}`,
    why: `${behind}${protocol === 'https:' ? '; or it takes the connection and never begins TLS' : ''}`,
    todo: 'Check the address and the firewall, and that mfano is in the same network as the receiver.',
  }
}

function tooSlow({ timeoutMs }: Tried, { stage }: Failure): Diagnosis {
  return {
    code: 'too-slow',
    what: stage === 'body' ? `the answer did not end within ${timeoutMs} ms` : `no answer within ${timeoutMs} ms`,
    why: `the receiver took the callback and ${stage === 'body' ? 'began to answer' : 'did not answer'}; callbacks.timeout of the scenario gives it ${timeoutMs} ms of real time`,
    todo: 'Answer first and do the work afterwards, in the background. If it may take this long, raise it in the scenario: callbacks: { timeout: 30s }.',
  }
}

function closed(target: URL, { stage }: Failure): Diagnosis {
  if (stage === 'body') {
    return {
      code: 'broke-off',
      what: 'the receiver closed the connection in the middle of its answer',
      why: 'it, or a proxy before it, gave up or crashed while it answered',
      todo: 'Look at its log at that moment.',
    }
  }
  return {
    code: 'closed',
    what: 'the receiver closed the connection without an answer',
    why:
      target.protocol === 'http:'
        ? 'it crashed while it worked on the callback, or it speaks TLS at this port and was spoken to without'
        : 'it crashed while it worked on the callback, or it wants a certificate of the caller',
    todo:
      target.protocol === 'http:'
        ? `Look at its log at that moment. If it speaks TLS there, write https:// in callbackUrl.`
        : 'Look at its log at that moment.',
  }
}

function notHttp(target: URL, { received }: Failure): Diagnosis {
  const shown = received ? `: ${JSON.stringify(received.slice(0, 60))}` : ''
  return {
    code: 'not-http',
    what: `what answered does not speak HTTP${shown}`,
    why: `another program listens at port ${portOf(target)} of ${target.hostname}`,
    todo: 'Correct the port in callbackUrl.',
  }
}

function portOf({ port, protocol }: URL): string {
  return port || (protocol === 'https:' ? '443' : '80')
}

function isBare(hostname: string): boolean {
  return !/[.:]/.test(hostname)
}

const TLS_CODE = /^(?:ERR_SSL_|ERR_TLS_|CERT_|EPROTO$|UNABLE_TO_|INVALID_CA$|HOSTNAME_MISMATCH$)/
const TRUST = 'let mfano trust it: start mfano with --callback-ca /path/to/ca.pem, or write http:// for tests'

function diagnoseTls({ hostname, host }: URL, { code, message }: Failure): Diagnosis | undefined {
  switch (code) {
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
    case 'SELF_SIGNED_CERT_IN_CHAIN':
      return {
        code: 'tls-self-signed',
        what: `the certificate of ${host} is self-signed`,
        why: 'nobody that mfano trusts vouches for it',
        todo: `Use a certificate of a known authority, as on the Internet, or ${TRUST}.`,
      }
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
    case 'UNABLE_TO_GET_ISSUER_CERT':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
      return {
        code: 'tls-unknown-issuer',
        what: `the certificate of ${host} was issued by somebody unknown`,
        why: 'the server does not send the certificates between its own and a known authority, or the authority is a private one',
        todo: `Let the server send the whole chain (fullchain.pem). If the authority is your own, ${TRUST}.`,
      }
    case 'CERT_HAS_EXPIRED':
      return {
        code: 'tls-expired',
        what: `the certificate of ${host} has expired`,
        why: 'it was not renewed, or the server was not restarted with the new one',
        todo: 'Renew it. If it is good, check the clock of the machine that mfano runs on.',
      }
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
    case 'ERR_SSL_TLSV1_UNRECOGNIZED_NAME':
      return {
        code: 'tls-wrong-host',
        what: `the certificate at ${host} is for another host`,
        why: message.replace(/^.*altnames: /, ''),
        todo: `Write one of its names in callbackUrl, or get a certificate for ${hostname}.`,
      }
    default:
      return TLS_CODE.test(code) ? ofProtocol(host, code, message) : undefined
  }
}

function ofProtocol(host: string, code: string, message: string): Diagnosis {
  if (/WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST|wrong version number/.test(`${code} ${message}`)) {
    return {
      code: 'https-to-http',
      what: `${host} does not speak TLS`,
      why: 'callbackUrl says https, and plain HTTP is spoken at that port',
      todo: 'Write http:// in callbackUrl, or the port of the TLS endpoint.',
    }
  }
  return {
    code: 'tls',
    what: `no TLS connection to ${host} (${code})`,
    why: message.split(':').at(-1)?.trim() || message,
    todo: `See what it says: openssl s_client -connect ${host}`,
  }
}
