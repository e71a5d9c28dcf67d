import { describe, expect, test } from 'vitest'
import { readSettings } from '../../../src/apps/cli/start/read-settings.ts'
import { stateFolder } from '../../../src/hosts/node/settings.ts'
import { answer } from '../../apps/cli/support.ts'
import { files, textOf } from '../../house/source.ts'

const defaults = {
  port: 8080,
  host: '127.0.0.1',
  data: stateFolder(),
  scenario: 'default',
  log: 'pretty',
  logLevel: 'info',
  openWorlds: 100,
  inboxMegabytes: 64,
  durability: 'process',
}

describe('settings', () => {
  test('have defaults, and cannot be changed', () => {
    const { settings } = readSettings([], {})
    expect(settings).toEqual(defaults)
    expect(Object.isFrozen(settings)).toBe(true)
  })

  test('come from flags', () => {
    const flags = '--port 0 --host 0.0.0.0 --data :memory: --scenario ./mine.yaml --admin-token s3cret --log off'
    const more =
      '--open-worlds 7 --inbox-megabytes 9 --callback-host host.docker.internal --base-url https://mfano.example.com/pay/ --log-level warn --durability power --seed 7'
    expect(readSettings([...flags.split(' '), ...more.split(' ')], {}).settings).toEqual({
      port: 0,
      host: '0.0.0.0',
      data: ':memory:',
      scenario: './mine.yaml',
      adminToken: 's3cret',
      callbackHost: 'host.docker.internal',
      baseUrl: 'https://mfano.example.com/pay',
      log: 'off',
      logLevel: 'warn',
      openWorlds: 7,
      inboxMegabytes: 9,
      durability: 'power',
      seed: 7,
    })
  })

  test('come from the environment, over which a flag wins', () => {
    const env = { PORT: '9000', MFANO_DATA: '/data', MFANO_LOG: 'off', MFANO_LOG_LEVEL: 'error', HOME: '/root' }
    expect(readSettings(['-p', '9001', '--data=:memory:'], env).settings).toEqual({
      ...defaults,
      port: 9001,
      data: ':memory:',
      log: 'off',
      logLevel: 'error',
    })
  })

  test('say with --json that a program reads', () => {
    expect(readSettings(['--json'], {})).toMatchObject({ json: true, settings: { log: 'json' } })
    expect(readSettings(['--json', '--log', 'off'], {})).toMatchObject({
      json: true,
      settings: { log: 'off' },
    })
    expect(readSettings([], {})).toMatchObject({ json: false })
  })

  test('leave to the commands what is theirs', () => {
    expect(readSettings([], { MFANO_URL: 'http://localhost:9090' }).settings).toEqual(defaults)
  })

  test('collect values for parameters', () => {
    const set = (argv: string[], env = {}) => readSettings(argv, env)
    expect(set(['--set', 'limit=5', '--set', 'text=a=b c'], { MFANO_SET: 'x=1' }).settings?.set).toEqual({
      limit: '5',
      text: 'a=b c',
    })
    expect(set([], { MFANO_SET: 'limit=5\nother=\n' }).settings?.set).toEqual({ limit: '5', other: '' })
    expect(set(['--set', 'limit']).error).toBe('--set: expected the name of a parameter, = and its value, got "limit".')
    expect(set(['--set', '--watch']).error).toMatch(/^--set needs a value: .*, for example --set limit=5000$/)
  })

  test('take an empty variable for none', () => {
    expect(readSettings([], { PORT: '', MFANO_BASE_URL: '' }).settings).toEqual(defaults)
  })

  test('do not mind what Kubernetes sets for a service called mfano', () => {
    const env = {
      MFANO_SERVICE_HOST: '10.0.0.1',
      MFANO_SERVICE_PORT: '8080',
      MFANO_SERVICE_PORT_HTTP: '8080',
      MFANO_PORT: 'tcp://10.0.0.1:8080',
      MFANO_PORT_8080_TCP: 'tcp://10.0.0.1:8080',
      MFANO_PORT_8080_TCP_ADDR: '10.0.0.1',
      MFANO_UI_SERVICE_HOST: '10.0.0.7',
      MFANO_UI_PORT: 'tcp://10.0.0.7:80',
    }
    expect(readSettings([], env)).toMatchObject({ settings: defaults, warnings: [] })
  })

  test('know every variable of the environment that something of mfano reads', () => {
    const read = new Set(files.flatMap((file) => textOf(file).match(/\bMFANO_[A-Z_]*[A-Z]\b/g) ?? []))
    // Kubernetes names what it gives a pod after its services, and this is how one would guess PORT.
    for (const other of ['MFANO_SERVICE_HOST', 'MFANO_SERVICE_PORT', 'MFANO_PORT']) read.delete(other)
    expect(read.size).toBeGreaterThan(15)
    const warned = [...read].flatMap((name) => readSettings([], { [name]: 'x' }).warnings ?? [])
    expect(warned.filter((warning) => warning.includes('Unknown environment variable'))).toEqual([])
  })

  test.for<[string, string]>([
    ['MFANO_SENARIO', ' Did you mean "MFANO_SCENARIO"?'],
    ['MFANO_PORT', ' Did you mean "PORT"?'],
    ['MFANO_IMAGE', ''],
  ])('warn of the unknown variable %s, and start', ([name, meant]) => {
    const { settings, warnings } = readSettings([], { [name]: '1' })
    expect(settings).toEqual(defaults)
    expect(warnings).toEqual([`Unknown environment variable ${name}.${meant}`])
  })

  test('warn of an address that others reach without a token', () => {
    const warnings = (...flags: string[]) => readSettings(flags, {}).warnings
    expect(warnings('--host', '0.0.0.0')).toEqual([
      expect.stringMatching(/reaches 0\.0\.0\.0, port 8080.*MFANO_ADMIN_TOKEN/),
    ])
    expect(warnings('--host', '0.0.0.0', '--admin-token', 's3cret')).toEqual([])
    expect(warnings('--host', '::1')).toEqual([])
  })
})

describe('a bad setting is named, with what was expected, what came, and what may have been meant', () => {
  const port = 'a whole number from 0 to 65535'
  const host = 'an IP address or a host name'
  const url = 'an http or https URL without query, fragment or credentials'
  const token = 'printable ASCII characters without spaces or line breaks'
  test.for<[flags: string[], env: Record<string, string>, message: string]>([
    [['--port', 'abc'], {}, `--port: expected ${port}, got "abc".`],
    [['--port', '65536'], {}, `--port: expected ${port}, got "65536".`],
    [['--port=-1'], {}, `--port: expected ${port}, got "-1".`],
    [['-p', '80.5'], {}, `--port: expected ${port}, got "80.5".`],
    [[], { PORT: '8080x' }, `PORT: expected ${port}, got "8080x".`],
    [['--port'], {}, `--port needs a value: ${port}, for example --port 9090`],
    [['--port', '--host', '::1'], {}, `--port needs a value: ${port}, for example --port 9090`],
    [['--host', 'http://x'], {}, `--host: expected ${host}, without port, got "http://x".`],
    [[], { MFANO_HOST: '1.2.3.4:80' }, `MFANO_HOST: expected ${host}, without port, got "1.2.3.4:80".`],
    [['--data', ':memry:'], {}, '--data: expected a directory, or :memory:, got ":memry:". Did you mean ":memory:"?'],
    [['--data='], {}, '--data needs a value: a directory, or :memory:, for example --data :memory:'],
    [
      ['--scenario='],
      {},
      '--scenario needs a value: the name of a shipped scenario or the path of a file, for example --scenario ./my-scenario.yaml',
    ],
    [['--admin-token', 'a b'], {}, `--admin-token: expected ${token}, got 3 characters, not shown here.`],
    [[], { MFANO_ADMIN_TOKEN: 's3cret\n' }, `MFANO_ADMIN_TOKEN: expected ${token}, got 7 characters, not shown here.`],
    [[], { MFANO_ADMIN_TOKEN: '' }, `MFANO_ADMIN_TOKEN: expected ${token}, got 0 characters, not shown here.`],
    [
      ['--callback-host', 'a/b'],
      {},
      `--callback-host: expected ${host}, without scheme or port, or several with commas in between, got "a/b".`,
    ],
    [['--base-url', 'mfano.test'], {}, `--base-url: expected ${url}, got "mfano.test".`],
    [[], { MFANO_BASE_URL: 'ftp://x' }, `MFANO_BASE_URL: expected ${url}, got "ftp://x".`],
    [['--base-url', 'http://u:p@x'], {}, `--base-url: expected ${url}, got "http://u:p@x".`],
    [['--base-url', 'http://x/?a'], {}, `--base-url: expected ${url}, got "http://x/?a".`],
    [['--log', 'jsn'], {}, '--log: expected pretty, json or off, got "jsn". Did you mean "json"?'],
    [[], { MFANO_LOG_LEVEL: 'warning' }, 'MFANO_LOG_LEVEL: expected info, warn or error, got "warning".'],
    [['--prot', '1'], {}, 'Unknown flag --prot. Did you mean "--port"?'],
    [['-x'], {}, 'Unknown flag -x.'],
    [['--port', '0', 'world'], {}, 'Did not expect "world".'],
  ])('%j %j', ([flags, env, message]) => {
    expect(readSettings(flags, env)).toEqual({ error: message })
  })

  test('all at once', () => {
    const { error } = readSettings(['--port', 'x', '--lgo', 'json'], { MFANO_HOST: 'a b' })
    expect(error?.split('\n').map((line) => line.split(/[:.]/)[0])).toEqual([
      'Unknown flag --lgo',
      '--port',
      'MFANO_HOST',
    ])
  })
})

describe('help', () => {
  test.for(['start --help', 'start -h', 'help start', 'start help', 'start --help --nonsense'])('%s', async (typed) => {
    expect(await answer(typed.split(' '))).toEqual({
      code: 0,
      out: expect.stringMatching(/^Start a sandbox\. The default command\.\n\nUsage: mfano \[start\] \[flags\]\n/),
      errors: '',
    })
  })

  test('names every setting with variable, default and example', async () => {
    const { out: help } = await answer(['start', '--help'])
    for (const name of 'PORT HOST DATA SCENARIO SET WATCH ADMIN_TOKEN CALLBACK_HOST BASE_URL LOG LOG_LEVEL'.split(' '))
      expect(help).toMatch(new RegExp(`\\b(?:MFANO_)?${name}; default: .+; example: --`))
    expect(help).not.toContain('undefined')
  })

  test.for(['--version', '-v', 'start --version'])('%s', async (typed) => {
    expect((await answer(typed.split(' '))).out).toMatch(/^mfano \d+\.\d+\.\d+, Node\.js \d+\.\d+\.\d+\n$/)
  })
})

describe('without a data directory, worlds are kept', () => {
  const home = () => '/home/asha'
  test.each([
    ['linux', {}, '/home/asha/.local/state/mfano'],
    ['linux', { XDG_STATE_HOME: '/var/state' }, '/var/state/mfano'],
    ['linux', { XDG_STATE_HOME: 'state' }, '/home/asha/.local/state/mfano'],
    ['darwin', {}, '/home/asha/Library/Application Support/mfano'],
    ['darwin', { XDG_STATE_HOME: '/var/state' }, '/var/state/mfano'],
    ['win32', { LOCALAPPDATA: '/c/Local' }, '/c/Local/mfano'],
  ] as const)('on %s with %j in %s', (platform, env, folder) => {
    expect(stateFolder(env, platform, home)).toBe(folder)
  })
})
