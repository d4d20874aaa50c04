import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { SandboxSetting } from '../../config/tables/file-schema.ts'
import { hasNetwork, type Sandbox, type SandboxFolders } from './sandbox.ts'
import { writableFolders } from './writable-folders.ts'

/**
 * Linux: all of the file system is read-only, except for some folders. There is no process namespace: a later command can still see and end
 * what an earlier one left in the background. What belongs to a command is known by its mount namespace.
 */
export function bubblewrap({ writable }: SandboxFolders, hasNetwork: boolean): Sandbox {
  const prefix = [
    'bwrap',
    ...['--ro-bind', '/', '/', '--dev', '/dev'],
    ...writable.flatMap((folder) => ['--bind', folder, folder]),
    ...(hasNetwork ? [] : ['--unshare-net']),
    // Root could mount the file system anew, or write to a disk as a device.
    ...['--cap-drop', 'ALL', ...ROOT_KEEPS.flatMap((name) => ['--cap-add', name])],
  ]
  return {
    name: 'bubblewrap',
    hasNetwork,
    wrap: (program, report) => [
      ...prefix,
      ...(report === undefined ? [] : ['--info-fd', `${report}`]),
      '--',
      ...program,
    ],
  }
}

/** What tools of a root user need for files of others and for servers in the workspace. Others get none of it. */
const ROOT_KEEPS =
  process.getuid?.() === 0
    ? ['CAP_DAC_OVERRIDE', 'CAP_CHOWN', 'CAP_FOWNER', 'CAP_FSETID', 'CAP_SETUID', 'CAP_SETGID', 'CAP_KILL']
    : []

/** The sandbox for commands of a workspace; undefined where the system has none that works, or the user wants none. */
export async function openSandbox(
  setting: SandboxSetting,
  workspace: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Sandbox | undefined> {
  const make = setting === 'off' ? undefined : MAKERS[process.platform]
  if (make === undefined) return undefined
  const folders = { writable: writableFolders(workspace, env) }
  const sandbox = make(folders, hasNetwork(setting))
  return (await works(sandbox)) ? sandbox : undefined
}

const MAKERS: Partial<Record<NodeJS.Platform, typeof bubblewrap>> = { linux: bubblewrap, darwin: seatbelt }

const PROBE_MS = 5_000
/** What the system answered when a sandbox was tried, by its command line. Many systems forbid namespaces to ordinary users, containers to all. */
const probed = new Map<string, Promise<boolean>>()

function works({ wrap }: Sandbox): Promise<boolean> {
  const line = wrap(['/bin/true'])
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

/** macOS: the system's own sandbox. Never tried on a Mac by us. */
export function seatbelt({ writable }: SandboxFolders, hasNetwork: boolean): Sandbox {
  const folders = [...writable, '/private/tmp', '/private/var/folders', '/dev']
  const profile = [
    '(version 1)',
    '(allow default)',
    '(deny file-write*)',
    `(allow file-write* ${folders.map((folder) => `(subpath ${JSON.stringify(folder)})`).join(' ')})`,
    ...(hasNetwork ? [] : ['(deny network*)']),
  ].join('\n')
  return { name: 'seatbelt', hasNetwork, wrap: (program) => ['/usr/bin/sandbox-exec', '-p', profile, ...program] }
}
