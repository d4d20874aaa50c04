import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { SandboxSetting } from '../../config/tables/file-schema.ts'
import { bubblewrap } from './bubblewrap.ts'
import { hasNetwork, type Sandbox } from './sandbox.ts'
import { seatbelt } from './seatbelt.ts'
import { writableFolders } from './writable-folders.ts'

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
