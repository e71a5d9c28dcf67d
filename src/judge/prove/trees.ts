/** The two trees of a proof: the commit before, in a worktree of its own, and the files as they lie now. */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync, realpathSync, symlinkSync } from 'node:fs'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { errorOf, must } from '../../core/model/must.ts'
import { lastSaid, runToEnd } from '../app/app-part.ts'
import { ownFolder } from '../app/own-folder.ts'
import { orNothing } from '../app/system.ts'
import { Unusable } from '../subject.ts'

/** Folders of dependencies: the older tree shares them, unless a command prepares it. */
const SHARED = ['node_modules', 'vendor', '.venv']
export const LEFT_OUT: readonly string[] = ['.git', '__pycache__', ...SHARED]
const OUTPUT_MAX = 2 ** 26
const STATUS_LENGTH = 3

interface TreesWanted {
  file: string
  /** A commit, branch or tag; undefined: the last commit that differs from the files as they are. */
  from: string | undefined
  prepare: string | undefined
  /** Files and folders of a proof's own, which are no part of the app. A folder that the app is in does not count. */
  own: readonly string[]
  signal: AbortSignal
}

export type Trees = Awaited<ReturnType<typeof openTrees>>

/** Call `remove` when done. */
export async function openTrees({ file, from, prepare, own, signal }: TreesWanted) {
  const folder = realpathSync(dirname(resolve(file)))
  const top = topOf(folder)
  const head = commitOf(top, 'HEAD')
  if (head === undefined)
    throw unusable('NO_COMMIT', `The git repository ${top} has no commit yet.`, 'Commit the app first.')
  const apart = own
    .map((one) => (existsSync(one) ? realpathSync(one) : resolve(one)))
    .filter((one) => relative(one, folder).startsWith('..'))
  const changed = changedIn(top, apart)
  const ref = from ?? (changed.length > 0 ? 'HEAD' : 'HEAD~1')
  const commit = commitOf(top, ref)
  if (commit === undefined)
    throw new Unusable(
      `expected a commit, branch or tag of ${top}, got ${ref}, which is none. In CI, check out its history, too: fetch-depth: 0`,
      { code: 'UNKNOWN_COMMIT', option: 'from' },
    )
  const tree = ownFolder('tree')
  const remove = () => {
    orNothing(() => git(top, 'worktree', 'remove', '--force', tree.path))
    tree.remove()
  }
  try {
    // A hook of the repository is not meant for this checkout.
    git(top, '-c', 'core.hooksPath=/dev/null', 'worktree', 'add', '--quiet', '--detach', tree.path, commit)
    const inside = relative(top, folder)
    const older = join(tree.path, inside, basename(file))
    if (!existsSync(older))
      throw unusable(
        'NO_MERCHANT_FILE',
        `${join(inside, basename(file))} is not in ${ref} (${commit.slice(0, 10)}), so the app of then cannot be started.`,
        'Commit the merchant file with the mistake still in the app, or name a commit that has it, with --from.',
      )
    if (prepare === undefined) share(top, tree.path, inside)
    else await prepared(prepare, { folder: dirname(older), dir: tree.path }, signal)
    return {
      before: { ref, commit, file: older },
      now: { commit: head, isChanged: changed.length > 0, digest: digestOf({ top, folder, changed, apart }), file },
      remove,
    }
  } catch (error) {
    remove()
    throw error
  }
}

function topOf(folder: string): string {
  try {
    return realpathSync(git(folder, 'rev-parse', '--show-toplevel'))
  } catch (error) {
    throw unusable(
      'NO_REPOSITORY',
      `There is no commit before: ${folder} is in no git repository (${errorOf(error).message}).`,
      'Run it in a clone of your app, with its history.',
    )
  }
}

function commitOf(top: string, ref: string): string | undefined {
  return orNothing(() => git(top, 'rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`))
}

function changedIn(top: string, apart: readonly string[]): string[] {
  const inside = apart.map((one) => relative(top, one)).filter((one) => one !== '' && !one.startsWith('..'))
  const paths = ['.', ...inside.map((one) => `:(exclude,literal)${one}`)]
  const listed = git(top, 'status', '--porcelain', '--no-renames', '-z', '--untracked-files=all', '--', ...paths)
  return listed.split('\0').flatMap((entry) => (entry === '' ? [] : join(top, entry.slice(STATUS_LENGTH))))
}

function share(top: string, older: string, inside: string): void {
  const parts = inside === '' ? [] : inside.split(sep)
  for (let depth = 0; depth <= parts.length; depth++)
    for (const name of SHARED) {
      const [from, to] = [top, older].map((root) => join(root, ...parts.slice(0, depth), name))
      if (existsSync(must(from)) && existsSync(dirname(must(to))) && !existsSync(must(to)))
        symlinkSync(must(from), must(to))
    }
}

async function prepared(command: string, at: { folder: string; dir: string }, signal: AbortSignal): Promise<void> {
  const output = { said: '', errors: '' }
  if ((await runToEnd({ command, ...at, env: process.env }, output, signal)) === 0) return
  signal.throwIfAborted()
  throw unusable(
    'NOT_PREPARED',
    `prepare: ${command} failed in the commit before. ${lastSaid(output.said)}`,
    'Mend the command, or leave prepare out to share the dependencies of now.',
  )
}

/** With the commit it says all: every file in the folder of the app, tracked or not, and what else differs from the commit. */
function digestOf(of: { top: string; folder: string; changed: readonly string[]; apart: readonly string[] }): string {
  const { top, folder, changed, apart } = of
  const files = [...filesIn(folder, apart), ...changed]
  const hash = createHash('sha256')
  for (const file of [...new Set(files)].sort()) hash.update(JSON.stringify([relative(top, file), contentOf(file)]))
  return hash.digest('hex')
}

function filesIn(folder: string, apart: readonly string[]): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (LEFT_OUT.includes(entry.name) || apart.includes(path)) return []
    return entry.isDirectory() ? filesIn(path, apart) : [path]
  })
}

/** A link is where it leads to; what is gone, or no file, is nothing. */
function contentOf(file: string): string | null {
  const found = lstatSync(file, { throwIfNoEntry: false })
  if (found?.isSymbolicLink()) return readlinkSync(file)
  return found?.isFile() ? createHash('sha256').update(readFileSync(file)).digest('hex') : null
}

function git(folder: string, ...words: string[]): string {
  const { status, stdout, stderr, error } = spawnSync('git', words, {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: OUTPUT_MAX,
  })
  if (status === 0) return stdout.replace(/\n$/, '')
  const why = error?.message ?? (stderr.trim() || `exit code ${status}`)
  throw unusable('GIT_FAILED', `git ${words.join(' ')}: ${why}`, `Run it in ${folder}, and mend what git says.`)
}

function unusable(code: string, message: string, hint: string): Unusable {
  return new Unusable(message, { code, hint })
}
