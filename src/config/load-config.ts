import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { type EffectiveValue, effectiveValues } from './effective.ts'
import { configFolder } from './folders.ts'
import { valuesFromText } from './from-text.ts'
import { parseConfigText, readConfigText } from './read-config-file.ts'
import { DEFAULTS, type Settings, settingsOf } from './settings.ts'
import { type FlagKey, SHORTCUTS } from './shortcuts.ts'
import { isTrusted, needsTrust } from './trust.ts'
import { laterWins, type Value } from './value.ts'
import { valuesOf } from './values-of.ts'
import { findWorkspace, projectFile, realPath } from './workspace.ts'

/** A key of a project's file that does not count, because the user does not trust that file as it is. */
export type SetAside = { readonly key: string; readonly file: string }

/** The configuration of a workspace. */
export type Config = {
  readonly settings: Settings
  readonly workspace: string
  readonly files: { readonly user: string; readonly project: string }
  readonly untrusted: readonly SetAside[]
  readonly effective: () => readonly EffectiveValue[]
}

/** Where to look; all but the flags has a default of its own. */
export type ConfigInput = {
  readonly flags?: Readonly<Partial<Record<FlagKey, string>>>
  readonly cwd?: string
  readonly env?: NodeJS.ProcessEnv
  readonly home?: string
}

/** Reads and checks the configuration: defaults, user file, project file, environment, flags; later wins, value by value. */
export function loadConfig({
  flags = {},
  cwd = process.cwd(),
  env = process.env,
  home = homedir(),
}: ConfigInput = {}): Config {
  const workspace = findWorkspace(cwd, home)
  const files = { user: userFile(env), project: projectFile(workspace) }
  const project = projectValues(workspace, files, env)
  const values = laterWins([
    ...valuesOf(DEFAULTS, { source: 'default', folder: workspace, where: () => 'defaults' }),
    ...userValues(files.user),
    ...project.values,
    ...SHORTCUTS.flatMap(({ key, variable }) => textValues(key, env[variable], 'environment', variable, cwd)),
    ...SHORTCUTS.flatMap(({ key, flag }) => textValues(key, flags[key], 'flag', flag, cwd)),
  ])
  return {
    settings: settingsOf(values),
    workspace,
    files,
    untrusted: project.untrusted,
    effective: () => effectiveValues(values),
  }
}

/** The user's configuration file. */
export function userFile(env: NodeJS.ProcessEnv = process.env): string {
  return join(configFolder(env), 'config.yaml')
}

function userValues(file: string): Value[] {
  const text = readConfigText(file)
  return text === undefined ? [] : parseConfigText(text, { file, source: `user file ${file}`, folder: dirname(file) })
}

type ProjectValues = { readonly values: readonly Value[]; readonly untrusted: readonly SetAside[] }

function projectValues(workspace: string, files: Config['files'], env: NodeJS.ProcessEnv): ProjectValues {
  const file = files.project
  // Who keeps Pith's home in ~/.pith has one file for both, and works in ~ with their own settings.
  const text = realPath(file) === realPath(files.user) ? undefined : readConfigText(file)
  if (text === undefined) return { values: [], untrusted: [] }
  const values = parseConfigText(text, { file, source: `project file ${file}`, folder: workspace })
  if (isTrusted(workspace, text, env)) return { values, untrusted: [] }
  return {
    values: values.filter((value) => !needsTrust(value)),
    untrusted: values.filter(needsTrust).map(({ written }) => ({ key: written, file })),
  }
}

/** Empty is not set: `PITH_MODEL= pith` takes the variable away. */
function textValues(key: string, text: string | undefined, kind: string, name: string, folder: string): Value[] {
  if (text === undefined || text === '') return []
  return valuesFromText(key, text, { source: `${kind} ${name}`, folder, where: () => name })
}
