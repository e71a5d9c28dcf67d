/** The browser that pages are tested in: the one that is named, the machine's own, or one from the registry. */
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Where one lies, and what it needs in its environment. */
export interface Chromium {
  executablePath: string
  env: Record<string, string>
}

/**
 * What Chromium and its relatives are called where programs are looked for, and where they lie otherwise. The one without
 * a window of its own is first: it shows the same pages at two thirds of the cost.
 */
const NAMES = [
  ...'chromium-headless-shell chromium chromium-browser google-chrome google-chrome-stable chrome'.split(' '),
  ...'microsoft-edge microsoft-edge-stable'.split(' '),
]
const APPLICATIONS = ['Google Chrome', 'Microsoft Edge', 'Chromium'].map(
  (name) => `/Applications/${name}.app/Contents/MacOS/${name}`,
)
const PROGRAMS = ['Google/Chrome/Application/chrome.exe', 'Microsoft/Edge/Application/msedge.exe']

/** Where the one from the registry is unpacked. It goes with the packages. */
const UNPACKED = join(import.meta.dirname, '../node_modules/.chromium')

/** The machine's fonts, and those that came with it; it ends where it finds none. */
const FONTS = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir>${join(UNPACKED, 'fonts/fonts')}</dir>
  <cachedir>${join(UNPACKED, 'fonts/cache')}</cachedir>
</fontconfig>
`

/** The Chromium of `CHROMIUM`, else the machine's headless shell, Chromium, Chrome or Edge, else the one that was unpacked here. */
export function findChromium(env: NodeJS.ProcessEnv = process.env): Chromium | undefined {
  const named = env['CHROMIUM']
  if (named) return { executablePath: named, env: {} }
  const folders = (env['PATH'] ?? '').split(delimiter).filter(Boolean)
  const programFolders = ['PROGRAMFILES', 'PROGRAMFILES(X86)', 'LOCALAPPDATA'].flatMap((name) => env[name] ?? [])
  const places = [
    ...folders.flatMap((folder) => NAMES.map((name) => join(folder, name))),
    ...(process.platform === 'darwin' ? APPLICATIONS : []),
    ...programFolders.flatMap((folder) => PROGRAMS.map((program) => join(folder, program))),
  ]
  const found = places.find((place) => existsSync(place))
  if (found) return { executablePath: found, env: {} }
  const executablePath = join(UNPACKED, 'chromium')
  // Its libraries and fonts come with it, for a machine that has none.
  const own = { LD_LIBRARY_PATH: join(UNPACKED, 'al2023/lib'), FONTCONFIG_FILE: join(UNPACKED, 'fonts.conf') }
  return existsSync(executablePath) ? { executablePath, env: own } : undefined
}

/** Unpacks the Chromium that came with the tests' packages, which is one for Linux on x64, for `findChromium` to find. */
export async function unpackChromium(): Promise<void> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return
  const { default: packed, inflate } = await import('@sparticuz/chromium')
  const half = `${UNPACKED}-${process.pid}`
  mkdirSync(half)
  // It is unpacked to where this points.
  const { TMPDIR: before } = process.env
  process.env['TMPDIR'] = half
  try {
    await packed.executablePath()
    await inflate(join(import.meta.dirname, '../node_modules/@sparticuz/chromium/bin/al2023.tar.br'))
    writeFileSync(join(half, 'fonts.conf'), FONTS)
    rmSync(UNPACKED, { recursive: true, force: true })
    renameSync(half, UNPACKED)
  } finally {
    if (before === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = before
    rmSync(half, { recursive: true, force: true })
  }
}
