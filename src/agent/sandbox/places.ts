import {
  accessSync,
  constants,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { fileNames } from '../../config/places/file-names.ts'
import { configFolder, dataFolder } from '../../config/places/folders.ts'
import { isInside } from '../../config/read/read-unasked.ts'
import { PRIVATE_CACHES, type PrivateCache, SECRETS, type Secret, SHARED_CACHES, WRITABLE_VARIABLES } from './reach.ts'

/** A path that commands reach in another way than they reach the folder above it. Its links are resolved. */
export type SandboxPlace = {
  readonly path: string
  readonly access: 'write' | 'read' | 'none'
  /** Commands find this file or folder there instead of the real one. */
  readonly from?: string
  /** The variable that names the path to commands. */
  readonly variable?: string
  /** For a path that is hidden, or shown without its secret lines. */
  readonly secret?: Secret
  readonly isFolder?: boolean
}

/** A secret that is hidden now. */
export type HiddenSecret = Secret & {
  /** As users write it: `~/.aws`. */
  readonly shown: string
  /** How errors may name it. */
  readonly names: readonly string[]
}

export type PlaceOptions = {
  readonly workspace: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** Paths that the user leaves open: secrets can be read, and caches are the real ones. */
  readonly open?: readonly string[]
  /** Paths of Pith that commands cannot read. */
  readonly own?: readonly string[]
  /** Folders in them that commands may read. */
  readonly shown?: readonly string[]
  /** Where the private caches of the session are kept. Without it there are none: the real ones are read-only. */
  readonly privateFolder?: string
}

/** The places of commands of a workspace as they are now, those of a folder before those in it. Everything else is read-only. */
export function sandboxPlaces({
  workspace,
  env,
  own,
  shown = [],
  privateFolder,
  ...options
}: PlaceOptions): SandboxPlace[] {
  const home = homeIn(env)
  const open = (options.open ?? []).flatMap((path) => realPaths(resolve(home, path.replace(/^~(?=\/|$)/, '.'))))
  const isOpen = (path: string) => open.some((each) => isInside(each, path))
  const secrets = [
    ...SECRETS,
    ...(own ?? [configFolder(env), dataFolder(env)]).map((path): Secret => ({ path })),
  ].flatMap((secret) =>
    realPaths(resolve(home, secret.path))
      .filter(isReadable)
      .map((path) => ({ path, secret })),
  )
  const folders = [
    workspace,
    ...gitFolders(workspace),
    ...[tmpdir(), '/tmp', '/var/tmp', '/dev/shm'],
    ...WRITABLE_VARIABLES.flatMap((name) => env[name] ?? []),
    ...SHARED_CACHES.map((path) => join(home, path)),
  ]
  const places = [
    ...folders.flatMap(realPaths).map((path): SandboxPlace => ({ path, access: 'write' })),
    ...[...open, ...shown.flatMap(realPaths)]
      .filter((path) => secrets.some((each) => isInside(each.path, path)))
      .map((path): SandboxPlace => ({ path, access: 'read' })),
    ...PRIVATE_CACHES.flatMap((cache) => cachePlaces(cache, { home, env, privateFolder, isOpen })),
    ...secrets.flatMap((each) => (isOpen(each.path) ? [] : secretPlaces(each, privateFolder))),
    // Transient services of systemd: they run outside.
    ...(env.XDG_RUNTIME_DIR === undefined ? [] : realPaths(join(env.XDG_RUNTIME_DIR, 'systemd'))).map(
      (path): SandboxPlace => ({ path, access: 'read' }),
    ),
  ]
  const known = new Set<string>()
  return places.filter(({ path }) => !known.has(path) && known.add(path)).toSorted((a, b) => (a.path < b.path ? -1 : 1))
}

/** The place that decides about a path: the deepest one that contains it. */
export function placeAt(places: readonly SandboxPlace[], path: string): SandboxPlace | undefined {
  return places.findLast((place) => isInside(place.path, path))
}

/** Whether a command could change this very path: it is in a place to write to, and not in a private one. */
export function isWritable(places: readonly SandboxPlace[], path: string): boolean {
  const place = placeAt(places, path)
  return place?.access === 'write' && place.from === undefined
}

function realPaths(path: string): string[] {
  try {
    return [realpathSync(path)]
  } catch {
    return []
  }
}

/** Nothing has to be hidden that the user cannot read either. */
function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK)
    return true
  } catch {
    return false
  }
}

function homeIn(env: PlaceOptions['env']): string {
  return env.HOME ?? homedir()
}

/** The secrets among these places. */
export function secretsIn(places: readonly SandboxPlace[], env: PlaceOptions['env']): HiddenSecret[] {
  return places.flatMap(({ path, secret }) => {
    if (secret === undefined) return []
    const named = resolve(homeIn(env), secret.path)
    const shown = secret.path.startsWith('/') ? secret.path : `~/${secret.path}`
    return [{ ...secret, shown, names: [...new Set([path, named, shown])] }]
  })
}

type CacheOptions = Pick<PlaceOptions, 'env' | 'privateFolder'> & {
  readonly home: string
  readonly isOpen: (path: string) => boolean
}

function cachePlaces(
  { folder, variable, shared = [], shows = [] }: PrivateCache,
  { home, env, privateFolder, isOpen }: CacheOptions,
): SandboxPlace[] {
  const named = variable === undefined ? undefined : env[variable]
  const path = named ?? (folder === undefined ? undefined : join(home, folder))
  const [real] = path === undefined ? [] : realPaths(path)
  if (real === undefined) return []
  if (isOpen(real)) return [{ path: real, access: 'write' }]
  const sharedPlaces = (names: readonly string[]) =>
    names.flatMap((name) => realPaths(join(real, name))).map((at): SandboxPlace => ({ path: at, access: 'write' }))
  if (privateFolder === undefined) return sharedPlaces(shared)
  const from = join(privateFolder, (variable ?? folder ?? '').replaceAll('/', '-'))
  const isFree = (name: string) => canMount(from, name)
  const entries = shows
    .flatMap((name) => entriesNamed(real, name))
    .filter(isFree)
    .map((name) => ({ name, path: join(real, name) }))
  // Later, a command may have put a link there.
  if (mkdirSync(from, { recursive: true, mode: 0o700 }) !== undefined)
    for (const { name, path } of entries.filter(({ path }) => !isFolder(path))) copyEntry(path, join(from, name))
  return [
    { path: real, access: 'write', from, variable },
    ...sharedPlaces(shared.filter(isFree)),
    ...entries.flatMap(({ path }): SandboxPlace[] => (isFolder(path) ? [{ path, access: 'read', from: path }] : [])),
  ]
}

/** False if a command has put a file or a link there: the sandbox could not start with it. */
function canMount(folder: string, name: string): boolean {
  let path = folder
  for (const part of name.split('/')) {
    path = join(path, part)
    const stats = lstatSync(path, { throwIfNoEntry: false })
    if (stats === undefined) return true
    if (!stats.isDirectory()) return false
  }
  return true
}

function entriesNamed(folder: string, name: string): string[] {
  if (basename(name) !== '*') return existsSync(join(folder, name)) ? [name] : []
  return fileNames(join(folder, dirname(name))).map((each) => join(dirname(name), each))
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}

/** Some tools write to these files: an index, a lock. */
function copyEntry(path: string, copy: string): void {
  mkdirSync(dirname(copy), { recursive: true, mode: 0o700 })
  if (statSync(path, { throwIfNoEntry: false })?.isFile()) copyFileSync(path, copy)
}

type FoundSecret = { readonly path: string; readonly secret: Secret }

function secretPlaces({ path, secret }: FoundSecret, privateFolder: string | undefined): SandboxPlace[] {
  const { keys } = secret
  if (keys === undefined) return [{ path, access: 'none', secret, isFolder: isFolder(path) }]
  const lines = readFileSync(path, 'utf8').split('\n')
  const shown = lines.filter((line) => !keys.some((key) => line.split('=', 1)[0]?.trim().endsWith(key)))
  if (shown.length === lines.length) return []
  if (privateFolder === undefined) return [{ path, access: 'none', secret }]
  const from = join(privateFolder, `without-secrets-${basename(path)}`)
  mkdirSync(privateFolder, { recursive: true, mode: 0o700 })
  writeFileSync(from, shown.join('\n'), { mode: 0o600 })
  return [{ path, access: 'read', from, secret, variable: 'npm_config_userconfig' }]
}

/** In a worktree, `.git` is a file that names another folder. Commits are written to that folder. */
export function gitFolders(workspace: string): string[] {
  try {
    const [, named] = /^gitdir: (.+)$/m.exec(readFileSync(join(workspace, '.git'), 'utf8')) ?? []
    if (named === undefined) return []
    const folder = resolve(workspace, named)
    const common = join(folder, 'commondir')
    return [folder, existsSync(common) ? resolve(folder, readFileSync(common, 'utf8').trim()) : dirname(folder)]
  } catch {
    return []
  }
}
