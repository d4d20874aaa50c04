import { existsSync, realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { isSea } from 'node:sea'
import { programPath } from '../../../config/places/program-path.ts'
import type { JsonValue } from '../../../model/types.ts'
import { PACKAGE } from '../../process/package.ts'
import type { TeamSettings } from './server-settings.ts'

/** An agent whose configuration can take Pith in. */
export type SetupAgent = {
  /** The name that `pith setup` takes: that of its program. */
  readonly name: string
  /** Its name as people write it. */
  readonly title: string
  /** The parts that Pith adds, in the order in which they are listed. */
  readonly settings: (world: SetupWorld) => readonly Setting[]
  /** The part that gives new sessions the memory of their project. It is added only if the user asks for it. */
  readonly memory: (world: SetupWorld) => Setting
  /** Its way to the gateway of a team's server. It is added only if the user asks for it. */
  readonly server: TeamSettings
  /** A sentence about what the user still has to do. */
  readonly next?: string
}

/** One thing that Pith adds to one file. */
export type Setting = {
  /** A word for the list: `extension`, `MCP`, `hooks`. */
  readonly what: string
  readonly file: string
  readonly form: SettingForm
  /** It has a secret: only the user may read the file. */
  readonly isPrivate?: true
  /** It must not be there: if an earlier setup has added it, it is taken out. */
  readonly isStale?: boolean
}

/** This machine and this installation. */
export type SetupWorld = {
  readonly env: Readonly<NodeJS.ProcessEnv>
  readonly home: string
  /** The command that starts Pith, for a configuration file: it has to work without a shell. */
  readonly pith: { readonly command: string; readonly args: readonly string[] }
  /** The program that runs a script of the package: `node`, or the single executable, which needs none. */
  readonly node: string
  /** A file of this package, as it is built or as it is in a checkout: `plugins/pi/index`. */
  readonly packageFile: (name: string) => string
  /** A file or folder of the package that only a build has. */
  readonly builtFile: (name: string) => string
  readonly exists: (file: string) => boolean
}

/** The server of `pith mcp` as most agents write it. */
export function pithServer({ pith }: SetupWorld): { command: string; args: JsonValue[] } {
  return { command: pith.command, args: [...pith.args, 'mcp'] }
}

/** True for a server that an installation of Pith added under its name. Anything else with this name is the user's. */
export function isPithServer(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || !('command' in value) || !('args' in value)) return false
  const { command, args } = value
  if (!Array.isArray(args) || args.at(-1) !== 'mcp') return false
  return args.length === 1 ? /^(?:.*[/\\])?pith(?:\.\w+)?$/.test(String(command)) : PROGRAM.test(String(args.at(-2)))
}

/** The program of Pith, as it is built or as it is in a checkout. */
const PROGRAM = /[/\\]cli[/\\]main\.[jt]s$/

/** This machine, as `pith setup` meets it. */
export function setupWorld(env: NodeJS.ProcessEnv = process.env): SetupWorld {
  return {
    env,
    home: homedir(),
    pith: ownCommand(isSea() ? process.execPath : packageFile('cli/main'), env.PATH ?? ''),
    node: isSea() ? process.execPath : 'node',
    packageFile,
    builtFile: (name) => join(PACKAGE, 'dist', name),
    exists: (file) => existsSync(file),
  }
}

/** In a checkout the sources are what runs. */
function packageFile(name: string): string {
  return import.meta.filename.endsWith('.ts') ? join(PACKAGE, 'src', `${name}.ts`) : join(PACKAGE, 'dist', `${name}.js`)
}

/**
 * `pith`, where that is this very program; else this Node with this file, or the single executable. npm and npx put a folder of their own on the path
 * for one command: an agent that is started later does not find `pith` there.
 */
export function ownCommand(main: string, path: string): SetupWorld['pith'] {
  const named = programPath('pith', path)
  const isThis = named !== undefined && !OF_NPM.test(named) && realpathSync(named) === realpathSync(main)
  return isThis
    ? { command: 'pith', args: [] }
    : { command: process.execPath, args: main === process.execPath ? [] : [main] }
}

const OF_NPM = /[/\\]node_modules[/\\]\.bin[/\\][^/\\]+$/

/** A setting of ours in the text of a configuration file. The text is edited in ranges: comments and layout stay. */
export type SettingForm = {
  /** The name of an entry that the user may have given to something else. */
  readonly name?: string
  /** `other`: the place is taken by something that is not ours. It throws `ConfigProblem` where the text cannot be read. */
  readonly standing: (text: string) => SettingState
  /** Where the setting goes into a text in which it is off. */
  readonly insertion: (text: string) => Insertion
  /** The text without the setting, and without the `containers` that were made for it. */
  readonly without: (text: string, containers: number) => string
  /** An outdated setting, updated at its place if the user has added to it; undefined if it is added again. */
  readonly renewed?: (text: string) => string | undefined
  /** The data of the whole text, whatever its layout. */
  readonly value: (text: string) => unknown
}

export type SettingState = 'on' | 'off' | 'outdated' | 'other'

/** A text that is put into another one, and how many containers it makes beside the setting. */
export type Insertion = { readonly at: number; readonly text: string; readonly containers: number }

/** Why a file cannot be changed, in words that follow its name. */
export class ConfigProblem extends Error {}
