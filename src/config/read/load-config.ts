import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Policy } from '../../model/policy/policy.ts'
import { policyOf } from '../../model/policy/presets.ts'
import { type EffectiveValue, effectiveValues } from '../effective.ts'
import { configFolder } from '../places/folders.ts'
import { findWorkspace, isTrusted, needsTrust, projectFile, realPath } from '../places/trust.ts'
import { DEFAULTS, type Settings, settingsOf } from '../tables/settings.ts'
import { type FlagKey, SHORTCUTS } from '../tables/shortcuts.ts'
import { laterWins, placeIn, type Value, valuesOf } from '../values-of.ts'
import type { PlaceOf } from './check-table.ts'
import { valuesFromText } from './from-text.ts'
import { projectNotice } from './project-notice.ts'
import { parseConfigText, readConfigText } from './read-config-file.ts'
import { readUnasked, type UnaskedText } from './read-unasked.ts'

/** A key of a project's file that is ignored because the user has not trusted the file. */
export type UntrustedKey = { readonly key: string; readonly file: string }

/** The configuration of a workspace. */
export type Config = {
  readonly settings: Settings
  /** The complete policy of these settings. A session's own settings are merged with `settings.policy`, not with this. */
  readonly policy: Policy
  readonly workspace: string
  /** The folder where the program was started: the workspace, or one in it. */
  readonly startedIn: string
  readonly files: { readonly user: string; readonly project: string }
  readonly untrusted: readonly UntrustedKey[]
  /** Notices for the user about these files, one sentence each. They quote the files, so make them safe to print. */
  readonly notices: readonly string[]
  readonly effective: () => readonly EffectiveValue[]
  /** The place where a value was set, for errors about tables that only some programs parse. */
  readonly placeOf: PlaceOf
}

/** The places to read. Everything has a default. */
export type ConfigInput = {
  readonly flags?: Readonly<Partial<Record<FlagKey, string>>>
  readonly cwd?: string
  readonly env?: NodeJS.ProcessEnv
  readonly home?: string
  /** Set by programs that show no notices: a project's file that the user has not trusted is then ignored. */
  readonly unseen?: true
}

/** Reads and checks the configuration: defaults, user file, project file, environment, flags. Value by value, the later source wins. */
export function loadConfig({
  flags = {},
  cwd = process.cwd(),
  env = process.env,
  home = homedir(),
  unseen,
}: ConfigInput = {}): Config {
  const workspace = findWorkspace(cwd, home)
  const files = { user: userFile(env), project: projectFile(workspace) }
  const project = projectText(workspace, files, env)
  const own = [
    ...valuesOf(DEFAULTS, { source: 'default', folder: workspace, where: () => 'defaults' }),
    ...userValues(files.user),
  ]
  const values = laterWins([
    ...own,
    ...(unseen && !project.isTrusted ? [] : project.values),
    ...SHORTCUTS.flatMap(({ key, variable }) => textValues(key, env[variable], 'environment', variable, cwd)),
    ...SHORTCUTS.flatMap(({ key, flag }) => textValues(key, flags[key], 'flag', flag, cwd)),
  ])
  const settings = settingsOf(values)
  return {
    settings,
    policy: policyOf(settings.policy),
    workspace,
    startedIn: realPath(cwd),
    files,
    untrusted: project.untrusted,
    notices: [
      ...project.refused,
      ...untrustedNotices(project.untrusted),
      ...changeNotices(project, own, values, files),
    ],
    effective: () => effectiveValues(values),
    placeOf: (path) => placeIn(values, path),
  }
}

/** The user's configuration file. */
export function userFile(env: NodeJS.ProcessEnv = process.env): string {
  return join(configFolder(env), 'config.yaml')
}

function untrustedNotices(untrusted: readonly UntrustedKey[]): string[] {
  const [first] = untrusted
  if (first === undefined) return []
  const keys = untrusted.map(({ key }) => key).join(', ')
  return [`Ignored until you trust this workspace: ${keys} (${first.file}). Read them, then run: pith config trust`]
}

/** The line about the values of a project that the user has not trusted, if they are in force. */
function changeNotices(
  project: ProjectText,
  own: readonly Value[],
  values: readonly Value[],
  files: Config['files'],
): string[] {
  const inForce = project.isTrusted ? [] : project.values.filter((value) => values.includes(value))
  if (inForce.length === 0) return []
  // A negative number may be valid only with the preset of the project: it counts as not set here.
  const settings = settingsOf(laterWins(own).filter(({ value }) => !(typeof value === 'number' && value < 0)))
  const notice = projectNotice(inForce, files.project, { settings, policy: policyOf(settings.policy) })
  return notice === undefined ? [] : [notice]
}

function userValues(file: string): Value[] {
  const text = readConfigText(file)
  return text === undefined ? [] : parseConfigText(text, { file, source: `user file ${file}`, folder: dirname(file) })
}

/** `refused`: the reason why a project's file is not read, as a sentence. */
type ProjectText = {
  readonly isTrusted: boolean
  readonly values: readonly Value[]
  readonly untrusted: readonly UntrustedKey[]
  readonly refused: readonly string[]
}

const NO_TEXT: ProjectText = { isTrusted: false, values: [], untrusted: [], refused: [] }

function projectText(workspace: string, files: Config['files'], env: NodeJS.ProcessEnv): ProjectText {
  const file = files.project
  // If `PITH_HOME` is ~/.pith, the user's file is also the project file of ~. It is read once, as the user's file.
  const isUsers = realPath(file) === realPath(files.user)
  const found: UnaskedText = isUsers ? { kind: 'missing' } : readUnasked(file, { inside: workspace })
  if (found.kind === 'refused') return { ...NO_TEXT, refused: [`${file} is not read: ${found.why}`] }
  if (found.kind === 'missing') return NO_TEXT
  const { text } = found
  const place = { file, source: `project file ${file}`, folder: workspace }
  const values = parseConfigText(text, place)
  if (isTrusted(workspace, text, env)) return { ...NO_TEXT, isTrusted: true, values }
  return {
    ...NO_TEXT,
    values: values.filter((value) => !needsTrust(value)),
    untrusted: values.filter(needsTrust).map(({ written }) => ({ key: written, file })),
  }
}

/** An empty text counts as not set: `PITH_MODEL= pith` unsets the variable. */
function textValues(key: string, text: string | undefined, kind: string, name: string, folder: string): Value[] {
  if (text === undefined || text === '') return []
  return valuesFromText(key, text, { source: `${kind} ${name}`, folder, where: () => name })
}
