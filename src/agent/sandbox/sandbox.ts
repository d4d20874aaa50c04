import { execFile } from 'node:child_process'
import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import type { SandboxSetting } from '../../config/tables/file-schema.ts'

/** The folders that a command may write to. It can only read everything else. */
export type SandboxFolders = { readonly writable: readonly string[] }

/** A rule of the user that the sandbox may keep, with the pattern of a path if its kind is `read` or `edit`. */
export type NeverRule = { readonly kind: string; readonly pattern: string }

/** What the sandbox has to keep for one command. */
export type WrapOrder = {
  readonly never: readonly NeverRule[]
  /** bubblewrap reports its namespaces to this file descriptor. */
  readonly report?: number
}

/** A sandbox for commands. It is a program that runs them. */
export type Sandbox = {
  readonly name: 'bubblewrap' | 'seatbelt'
  /** False if commands have no network. */
  readonly hasNetwork: boolean
  /** Whether no command can break the rule, whatever it does. */
  readonly enforces: (rule: NeverRule) => boolean
  /** The command line that runs a program in the sandbox. The patterns of the rules are expanded now. */
  readonly wrap: (program: readonly string[], order: WrapOrder) => readonly string[]
}

/** A line for the model if the sandbox may have stopped a command; undefined if it did not. */
export function stoppedText({ hasNetwork }: Sandbox, output: string, exit: number): string | undefined {
  const tail = output.slice(-LOOKED_AT)
  // Also check successful commands: in `make install; ls`, only the last command sets the exit code.
  if (exit === 0 && !ERROR_LINE.test(tail)) return undefined
  if (WRITE_STOPPED.test(tail)) return `(${STOPPED} writing outside of the workspace. ${ASK_OUTSIDE})`
  if (!hasNetwork && NETWORK_STOPPED.test(tail)) return `(${STOPPED} the network. ${ASK_OUTSIDE})`
  return undefined
}

const LOOKED_AT = 20_000
const STOPPED = 'the sandbox of commands does not allow'
const ASK_OUTSIDE = 'If it has to be, call bash with outsideSandbox: true: the user is asked'
const WRITE_STOPPED = /read-only file ?system|EROFS|operation not permitted/i
const ERROR_LINE = /^\S.*: read-only file system$/im
const NETWORK_STOPPED =
  /could not resolve|name resolution|network is unreachable|ENETUNREACH|EAI_AGAIN|ENOTFOUND|no route to host|name or service not known/i

/** The folders that commands of a workspace may write to: the workspace, temporary folders, and the caches of tools. Links are resolved. */
export function writableFolders(workspace: string, env: Readonly<Record<string, string | undefined>>): string[] {
  const home = env.HOME ?? homedir()
  const named = CACHE_VARIABLES.flatMap((name) => env[name] ?? [])
  const all = [
    workspace,
    ...gitFolders(workspace),
    tmpdir(),
    ...['/tmp', '/var/tmp', '/dev/shm'],
    ...named,
    ...CACHES.map((cache) => join(home, cache)),
  ]
  return [...new Set(all.filter(existsSync).map((folder) => realpathSync(folder)))]
}

/** Caches of tools. Without them, a build that fetches or compiles would fail for no good reason. Nothing in them runs by itself. */
const CACHES = [
  '.cache',
  '.npm',
  '.yarn',
  '.pnpm-store',
  '.local/share/pnpm',
  '.bun/install',
  '.deno',
  '.cargo/registry',
  '.cargo/git',
  '.rustup/tmp',
  '.gradle',
  '.m2/repository',
  '.nuget',
  '.gem',
  '.bundle/cache',
  'go/pkg',
  '.ccache',
  'Library/Caches',
]
const CACHE_VARIABLES = [
  'TMPDIR',
  'XDG_CACHE_HOME',
  'XDG_RUNTIME_DIR',
  'npm_config_cache',
  'CARGO_TARGET_DIR',
  'GOCACHE',
  'GOMODCACHE',
]

/** In a worktree, `.git` is a file that names another folder. Commits are written to that folder. */
function gitFolders(workspace: string): string[] {
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

/**
 * Linux: the file system is read-only, except for some folders. There is no process namespace, so that a later command can see
 * and end the processes that an earlier one left in the background. We find the processes of a command by its mount namespace.
 */
export function bubblewrap({ writable }: SandboxFolders, hasNetwork: boolean): Sandbox {
  const prefix = [
    'bwrap',
    ...['--ro-bind', '/', '/', '--dev', '/dev'],
    ...writable.flatMap((folder) => ['--bind', folder, folder]),
    ...(hasNetwork ? [] : ['--unshare-net']),
    // With its capabilities, root could mount the file system again, or write directly to a disk.
    ...['--cap-drop', 'ALL', ...ROOT_KEEPS.flatMap((name) => ['--cap-add', name])],
  ]
  return {
    name: 'bubblewrap',
    hasNetwork,
    enforces: ({ kind }) => kind === 'network',
    wrap: (program, { never, report }) => [
      ...prefix,
      ...(hasNetwork && forbidsNetwork(never) ? ['--unshare-net'] : []),
      ...(report === undefined ? [] : ['--info-fd', `${report}`]),
      '--',
      ...program,
    ],
  }
}

/** The capabilities that root's tools need for files of other users and for servers in the workspace. Other users get none. */
const ROOT_KEEPS =
  process.getuid?.() === 0
    ? ['CAP_DAC_OVERRIDE', 'CAP_CHOWN', 'CAP_FOWNER', 'CAP_FSETID', 'CAP_SETUID', 'CAP_SETGID', 'CAP_KILL']
    : []

/** The sandbox for commands of a workspace; undefined if the system has none that works, or the user does not want one. */
export async function openSandbox(
  setting: SandboxSetting,
  workspace: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Sandbox | undefined> {
  const make = setting === 'off' ? undefined : MAKERS[process.platform]
  if (make === undefined) return undefined
  const folders = { writable: writableFolders(workspace, env) }
  const sandbox = make(folders, setting !== 'no-network')
  return (await works(sandbox)) ? sandbox : undefined
}

const MAKERS: Partial<Record<NodeJS.Platform, typeof bubblewrap>> = { linux: bubblewrap, darwin: seatbelt }

const PROBE_MS = 5_000
/** Whether a sandbox works, by its command line. Many systems forbid namespaces to ordinary users, and containers forbid them to all. */
const probed = new Map<string, Promise<boolean>>()

function works({ wrap }: Sandbox): Promise<boolean> {
  const line = wrap(['/bin/true'], { never: [] })
  const key = JSON.stringify(line)
  const known = probed.get(key) ?? probe(line)
  probed.set(key, known)
  return known
}

async function probe([program = '', ...args]: readonly string[]): Promise<boolean> {
  try {
    await promisify(execFile)(program, args, { timeout: PROBE_MS })
    return true
  } catch {
    return false
  }
}

/** macOS: the system's own sandbox. We have never tested it on a Mac. */
export function seatbelt({ writable }: SandboxFolders, hasNetwork: boolean): Sandbox {
  const folders = [...writable, '/private/tmp', '/private/var/folders', '/dev']
  const profile = ({ never }: WrapOrder) =>
    [
      '(version 1)',
      '(allow default)',
      '(deny file-write*)',
      `(allow file-write* ${folders.map((folder) => `(subpath ${JSON.stringify(folder)})`).join(' ')})`,
      ...(hasNetwork && !forbidsNetwork(never) ? [] : ['(deny network*)']),
    ].join('\n')
  return {
    name: 'seatbelt',
    hasNetwork,
    enforces: ({ kind }) => kind === 'network',
    wrap: (program, order) => ['/usr/bin/sandbox-exec', '-p', profile(order), ...program],
  }
}

function forbidsNetwork(never: readonly NeverRule[]): boolean {
  return never.some(({ kind }) => kind === 'network')
}
