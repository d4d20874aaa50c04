import type { JsonValue } from '../../../model/types.ts'
import type { SettingForm } from './forms/setting-form.ts'

/** An agent whose configuration can take Pith in. */
export type SetupAgent = {
  /** The name that `pith setup` takes: that of its program. */
  readonly name: string
  /** Its name as people write it. */
  readonly title: string
  /** The parts that Pith adds, in the order in which they are listed. */
  readonly settings: (world: SetupWorld) => readonly Setting[]
  /** A sentence about what the user still has to do. */
  readonly next?: string
}

/** One thing that Pith adds to one file. */
export type Setting = {
  /** A word for the list: `extension`, `MCP`, `hooks`. */
  readonly what: string
  readonly file: string
  readonly form: SettingForm
}

/** This machine and this installation. */
export type SetupWorld = {
  readonly env: Readonly<NodeJS.ProcessEnv>
  readonly home: string
  /** The command that starts Pith, for a configuration file: it has to work without a shell. */
  readonly pith: { readonly command: string; readonly args: readonly string[] }
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
