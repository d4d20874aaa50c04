import { type Dirent, readdirSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { isTrustedFolder, realPath } from '../../config/places/trust.ts'
import { readUnasked, type UnaskedLimits } from '../../config/read/read-unasked.ts'
import { oneLine } from '../../model/text.ts'

/** A command or a skill that the user or the project has as a file, where other agents look for it too. */
export type PromptFile = {
  readonly kind: 'command' | 'skill'
  readonly name: string
  readonly about: string
  /** Its arguments, for the help. */
  readonly takes?: string
  /** Absolute. */
  readonly file: string
  /** Relative to the workspace, or absolute if outside. */
  readonly shown: string
  readonly owner: 'user' | 'project'
  /** False for a skill that only the user calls. */
  readonly forModel: boolean
  /** False for a skill that only the model uses. */
  readonly forUser: boolean
  /** The file that has the same name and wins. */
  readonly hiddenBy?: string
}

export type PromptFiles = {
  readonly files: readonly PromptFile[]
  /** Set if those of the project are not used: one line that says why. */
  readonly notice?: string
}

export type PromptPlaces = {
  /** Absolute, with links resolved. */
  readonly workspace: string
  readonly home: string
  readonly env: NodeJS.ProcessEnv
  readonly mayRead?: UnaskedLimits['mayRead']
}

/** A folder with commands or skills. `separator`: a sub-folder is a part of the name; without it, sub-folders are not looked into. */
type Place = {
  readonly kind: PromptFile['kind']
  readonly folder: string
  readonly separator?: string
  readonly prefix?: string
}

const IN_PROJECT: readonly Place[] = [
  { kind: 'command', folder: '.claude/commands', separator: ':' },
  { kind: 'command', folder: '.opencode/command', separator: '/' },
  { kind: 'command', folder: '.opencode/commands', separator: '/' },
  { kind: 'skill', folder: '.claude/skills' },
  { kind: 'skill', folder: '.agents/skills' },
]

/** The user's own folders, with the variables by which Claude Code, opencode and Codex are moved elsewhere. */
function userPlaces(home: string, env: NodeJS.ProcessEnv): readonly Place[] {
  const claude = env.CLAUDE_CONFIG_DIR ?? join(home, '.claude')
  const opencode = join(env.XDG_CONFIG_HOME ?? join(home, '.config'), 'opencode')
  return [
    { kind: 'command', folder: join(claude, 'commands'), separator: ':' },
    { kind: 'command', folder: join(opencode, 'command'), separator: '/' },
    { kind: 'command', folder: join(opencode, 'commands'), separator: '/' },
    { kind: 'command', folder: join(env.CODEX_HOME ?? join(home, '.codex'), 'prompts'), prefix: 'prompts:' },
    { kind: 'skill', folder: join(claude, 'skills') },
    { kind: 'skill', folder: join(home, '.agents/skills') },
  ]
}

/**
 * The commands and skills of the user and of the project, sorted by name. The user's own win, so that a cloned repository
 * cannot take over a name. Those of a project with a configuration that the user has not trusted are not used.
 */
export function promptFiles(places: PromptPlaces): PromptFiles {
  const { workspace, home, env, mayRead } = places
  const own = userPlaces(home, env)
  const theirs = IN_PROJECT.map((place) => ({ ...place, folder: join(workspace, place.folder) })).filter(
    ({ folder }) => !own.some((place) => place.folder === folder),
  )
  const users = own.flatMap((place) => filesIn(place, 'user', workspace, {}))
  const projects = theirs.flatMap((place) => filesIn(place, 'project', workspace, { inside: workspace, mayRead }))
  const isTrusted = projects.length === 0 || isTrustedFolder(workspace, env)
  const files = named([...users, ...(isTrusted ? projects : [])]).toSorted((a, b) => (a.name < b.name ? -1 : 1))
  return isTrusted ? { files } : { files, notice: NOT_TRUSTED }
}

const NOT_TRUSTED =
  'The commands and skills of this project are not used: its .pith/config.yaml is not trusted. Read it; pith config trust accepts it'

/** The files with a note on those whose name another one has. A link to the same file is left out. */
function named(files: readonly PromptFile[]): PromptFile[] {
  const first = new Map<string, PromptFile>()
  return files.flatMap((file) => {
    const winner = first.get(file.name)
    if (winner === undefined) first.set(file.name, file)
    else if (realPath(winner.file) === realPath(file.file)) return []
    return [winner === undefined ? file : { ...file, hiddenBy: winner.shown }]
  })
}

const MOST_FILES = 200
const MOST_DEPTH = 3
const NAME = /^\w[\w.-]{0,63}$/

function filesIn(
  place: Place,
  owner: PromptFile['owner'],
  workspace: string,
  limits: UnaskedLimits,
): readonly PromptFile[] {
  const { kind, folder, separator = '', prefix = '' } = place
  const found = kind === 'skill' ? skillNames(folder) : commandNames(folder, separator === '' ? 0 : MOST_DEPTH)
  return found.slice(0, MOST_FILES).flatMap((parts) => {
    const file = join(folder, ...parts) + (kind === 'skill' ? '/SKILL.md' : '.md')
    const read = readUnasked(file, limits)
    if (read.kind !== 'text') return []
    const { fields, body } = frontMatter(read.text)
    const about = oneLine(fields.get('description') ?? firstLineOf(body), MOST_ABOUT)
    const route = relative(workspace, file)
    return [
      {
        kind,
        name: prefix + parts.join(separator),
        about,
        takes: fields.has('argument-hint') ? oneLine(fields.get('argument-hint') ?? '', MOST_HINT) : undefined,
        file,
        shown: route.startsWith('..') ? file : route,
        owner,
        forModel: kind === 'skill' && fields.get('disable-model-invocation') !== 'true',
        forUser: fields.get('user-invocable') !== 'false',
      },
    ]
  })
}

function firstLineOf(body: string): string {
  return (
    body
      .trim()
      .split('\n', 1)[0]
      ?.replace(/^#+\s*/, '') ?? ''
  )
}

const MOST_ABOUT = 200
const MOST_HINT = 60

/** The folder of a skill may be a link: reading its file decides whether that is allowed. */
function skillNames(folder: string): string[][] {
  return entriesIn(folder).flatMap(({ name }) => (NAME.test(name) ? [[name]] : []))
}

function commandNames(folder: string, depth: number): string[][] {
  return entriesIn(folder).flatMap((entry): string[][] => {
    if (entry.isDirectory() && depth > 0 && NAME.test(entry.name))
      return commandNames(join(folder, entry.name), depth - 1).map((parts) => [entry.name, ...parts])
    const name = entry.name.endsWith('.md') && !entry.isDirectory() ? entry.name.slice(0, -3) : ''
    return NAME.test(name) ? [[name]] : []
  })
}

function entriesIn(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).toSorted((a, b) => (a.name < b.name ? -1 : 1))
  } catch {
    return []
  }
}

/** The text of a command or a skill, read now, without its front matter; undefined if it cannot be read any more. */
export function promptBody({ file, owner }: PromptFile, { workspace, mayRead }: PromptPlaces): string | undefined {
  const read = readUnasked(file, owner === 'user' ? {} : { inside: workspace, mayRead })
  return read.kind === 'text' ? frontMatter(read.text).body : undefined
}

/** The folders of the user's own skills: the agent may read them, although they are outside of the workspace. */
export function userSkillFolders({ files }: PromptFiles): readonly string[] {
  return files.flatMap(({ kind, owner, file }) =>
    kind === 'skill' && owner === 'user' ? [realPath(dirname(file))] : [],
  )
}

const FRONT = /^---[ \t]*\r?\n([\s\S]*?\r?\n)?---[ \t]*(?:\r?\n|$)/

/**
 * The fields before a text, as texts. They are read line by line: `argument-hint: [file] [level]` is common and not YAML.
 * A value of several lines (`>`, `|`) is joined.
 */
export function frontMatter(text: string): { readonly fields: ReadonlyMap<string, string>; readonly body: string } {
  const front = FRONT.exec(text)
  const fields = new Map<string, string>()
  let last = ''
  for (const line of (front?.[1] ?? '').split(/\r?\n/)) {
    const field = /^([\w-]+):\s*(.*)$/.exec(line)
    if (field !== null) {
      last = field[1] ?? ''
      fields.set(last, plainValue(field[2] ?? ''))
    } else if (last !== '' && /^\s+\S/.test(line)) fields.set(last, `${fields.get(last)} ${line.trim()}`.trim())
  }
  return { fields, body: front === null ? text : text.slice(front[0].length) }
}

function plainValue(value: string): string {
  const text = value.trim()
  if (/^[>|][+-]?$/.test(text)) return ''
  return /^(["']).*\1$/.test(text) ? text.slice(1, -1) : text
}
