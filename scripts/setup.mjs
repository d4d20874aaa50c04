// Makes a fresh clone ready: installs what the lock file says, once, and checks the Node that the scripts will run on.
// Plain JavaScript for old Node versions: this file runs before anything is installed.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, lstatSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const stampFile = join(root, 'node_modules', '.pith-setup')
const needed = [22, 19]
const windows = process.platform === 'win32'
const bundled = join(root, 'node_modules', 'node', 'bin', windows ? 'node.exe' : 'node')
const NOT_ALLOWED = /\b(?:EACCES|EPERM|EROFS)\b/

const wanted = createHash('sha256')
  .update(readFileSync(join(root, 'package-lock.json')))
  .update(process.platform + process.arch)
  .digest('hex')

if (!isLinked() && !(existsSync(stampFile) && readFileSync(stampFile, 'utf8').split('\n').includes(wanted))) install()
checkNode()
if (isClientOld()) generateClient()

/** A worktree may share the folder of another one: npm would empty it under the other's feet. */
function isLinked() {
  return lstatSync(join(root, 'node_modules'), { throwIfNoEntry: false })?.isSymbolicLink() === true
}

function install() {
  console.error('pith: installing dependencies (once, about half a minute)…')
  const flags = ['ci', '--no-audit', '--no-fund', '--loglevel=error']
  let failure = npm(flags)
  // A home that cannot be written has no place for npm's cache: it gets one for this time.
  const cache = NOT_ALLOWED.test(failure ?? '') ? mkdtempSync(join(tmpdir(), 'pith-npm-')) : undefined
  if (cache !== undefined) failure = npm(flags, cache)
  // The next try does without install scripts: only the bundled Node needs one, and the machine's own may do.
  if (failure !== undefined) failure = npm([...flags, '--ignore-scripts'], cache)
  if (cache !== undefined) rmSync(cache, { recursive: true, force: true })
  if (failure !== undefined) {
    const advice = NOT_ALLOWED.test(failure) ? 'Check the permissions of that folder' : 'Check the network'
    fail(`npm could not install the dependencies: ${failure}. ${advice}, then run the same command again.`)
  }
  writeFileSync(stampFile, `${wanted}\n`)
  console.error('pith: dependencies are ready.')
}

/** Runs npm; what went wrong comes back as one line. */
function npm(args, cache = undefined) {
  const env = cache === undefined ? process.env : { ...process.env, npm_config_cache: cache }
  const { status, stderr, error } = spawnSync('npm', args, { cwd: root, encoding: 'utf8', shell: windows, env })
  if (status === 0) return undefined
  const lines = (stderr ?? '').split('\n').map((line) => line.replace(/^npm error ?/, '').trim())
  return (
    error?.message ??
    lines
      .filter((line) => line !== '')
      .slice(0, 3)
      .join(': ')
  )
}

/** npm puts node_modules/.bin first in the path, so the scripts run on the bundled Node if it is there. */
function checkNode() {
  if (existsSync(bundled)) return
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major > needed[0] || (major === needed[0] && minor >= needed[1])) return
  fail(
    `Node ${needed.join('.')} or later is needed, this is ${process.version}, and the bundled Node 24 could not be installed. Install Node 24 and run the same command again.`,
  )
}

/** True when a source of the generated client is newer than the client, or there is none yet. */
function isClientOld() {
  const changedAt = (...path) => lstatSync(join(root, ...path), { throwIfNoEntry: false })?.mtimeMs ?? 0
  const made = changedAt('src', 'client', 'operations.ts')
  const sources = ['client-file.ts', 'open-api.ts', 'ts-type.ts'].map((name) => changedAt('scripts', 'docs', name))
  return Math.max(changedAt('docs', 'openapi.json'), ...sources) > made
}

function generateClient() {
  const node = existsSync(bundled) ? bundled : process.execPath
  const { status, stderr, error } = spawnSync(node, [join(root, 'scripts', 'generate-client.ts')], { encoding: 'utf8' })
  if (status !== 0) fail(`src/client/operations.ts could not be generated: ${error?.message ?? stderr.trim()}`)
}

function fail(line) {
  console.error(`pith: ${line}`)
  process.exit(1)
}
