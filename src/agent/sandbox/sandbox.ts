import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { SandboxSetting } from '../../config/tables/file-schema.ts'
import { bubblewrap } from './bubblewrap.ts'
import { type HiddenSecret, type PlaceOptions, type SandboxPlace, sandboxPlaces, secretsIn } from './places.ts'
import { seatbelt } from './seatbelt.ts'

export type SandboxFolders = {
  /** Rules with a relative pattern are about this folder. */
  readonly workspace: string
  /** The places that a command reaches now. It can only read everything else. */
  readonly places: () => readonly SandboxPlace[]
}

/** A rule of the user that the sandbox may keep, with the pattern of a path if its kind is `read` or `edit`. */
export type NeverRule = { readonly kind: string; readonly pattern: string }

/** The rules that the sandbox keeps for one command. `canOutlive`: the user may let it run on when Pith ends. */
export type WrapOrder = { readonly never: readonly NeverRule[]; readonly canOutlive?: boolean }

/** A sandbox for commands. It is a program that runs them. */
export type Sandbox = Wall & {
  /** The secrets that commands cannot read now. */
  readonly secrets: () => readonly HiddenSecret[]
}

/** A sandbox as one system makes it. */
export type Wall = {
  readonly name: 'bubblewrap' | 'seatbelt'
  /** False if commands have no network. */
  readonly hasNetwork: boolean
  /** Whether no command can break the rule, whatever it does. */
  readonly enforces: (rule: NeverRule) => boolean
  /** The command line that runs a program in the sandbox. The patterns of the rules are expanded now. */
  readonly wrap: (program: readonly string[], order: WrapOrder) => readonly string[]
}

/** The sandbox for commands of a workspace; undefined if the system has none that works, or the user does not want one. */
export async function openSandbox(
  setting: SandboxSetting,
  workspace: string,
  env: PlaceOptions['env'],
  options: Omit<PlaceOptions, 'workspace' | 'env'> = {},
): Promise<Sandbox | undefined> {
  const make = setting === 'off' ? undefined : MAKERS[process.platform]
  if (make === undefined) return undefined
  const places = () => sandboxPlaces({ workspace, env, ...options })
  const wall = make({ workspace, places }, setting !== 'no-network')
  return (await works(wall, workspace)) ? { ...wall, secrets: () => secretsIn(places(), env) } : undefined
}

const MAKERS: Partial<Record<NodeJS.Platform, typeof bubblewrap>> = { linux: bubblewrap, darwin: seatbelt }

const PROBE_MS = 5_000
/** Whether a sandbox works, by its workspace. Many systems forbid namespaces to ordinary users, and containers forbid them to all. */
const probed = new Map<string, Promise<boolean>>()

function works({ wrap, hasNetwork }: Wall, workspace: string): Promise<boolean> {
  const key = `${hasNetwork} ${workspace}`
  const known = probed.get(key) ?? probe(wrap(['/bin/true'], { never: [] }))
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
