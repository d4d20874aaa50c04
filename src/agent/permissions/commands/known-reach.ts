import { execFile } from 'node:child_process'
import { basename, resolve } from 'node:path'
import { promisify } from 'node:util'
import type { Word } from '../../../engine/extract/shell/shell-lexer.ts'
import { protectedRules } from '../../protected-paths.ts'
import { coversPath, pathPattern } from '../../sandbox/path-pattern.ts'
import { PROTECTED, REPLACES_FILES, RUNNERS, WRITERS } from '../../sandbox/reach.ts'
import type { NeverRule, Sandbox } from '../../sandbox/sandbox.ts'
import type { CommandRequest } from '../../tool.ts'
import { commandAlone, fromHome } from './literal-line.ts'
import { commandUse, gitCommand } from './plain-command.ts'

/** The sandbox, as far as it matters here. */
export type ReachWall = Pick<Sandbox, 'secrets' | 'wrap'>

type ReachPlace = {
  readonly workspace: string
  readonly home: string
  readonly wall: ReachWall
  readonly never: readonly NeverRule[]
}

/**
 * The things that a command is known to need beyond the sandbox: secrets, for which it has to run outside, or protected paths of the
 * workspace to write to. Nothing is known of a line that is more than one literal command.
 */
export async function knownReach(text: string, place: ReachPlace): Promise<Pick<CommandRequest, 'needs' | 'writes'>> {
  const words = wordsAlone(text, place)
  if (words === undefined) return {}
  const { names, folder } = namesOf(words)
  const isKnown = (commands: readonly string[] = []) => commands.some((each) => isCommand(each, names))
  const askGit = (args: readonly string[]) => linesOf(args, folder, place)
  const needs: string[] = []
  for (const { shown, needs: commands, overSsh } of place.wall.secrets())
    if (isKnown(commands) || (isKnown(overSsh) && (await usesSsh(names, askGit)))) needs.push(shown)
  if (needs.length > 0) return { needs }
  const known = Object.entries(WRITERS).flatMap(([pattern, commands]) => (isKnown(commands) ? [pattern] : []))
  const writes = [...known, ...(await replacedPatterns(names, place.workspace, askGit))]
  return writes.length === 0 ? {} : { writes }
}

/** The words of a line that is one literal command and does more than look. */
function wordsAlone(text: string, place: ReachPlace): readonly Word[] | undefined {
  const command = commandAlone(text, place)
  return command === undefined || commandUse(command, place.home).kind === 'looks' ? undefined : command.words
}

type Named = { readonly names: readonly string[]; readonly folder?: string | undefined }

/** The words without a program that runs them and options of git before its command, and the folder that git gets. */
function namesOf(words: readonly Word[]): Named {
  const names = words.map(({ text }, i) => (i === 0 ? basename(text) : text))
  if (names[0] === 'git') {
    const found = gitCommand(words.slice(1))
    return found === undefined ? { names } : { names: ['git', ...names.slice(found.at + 1)], folder: found.folder }
  }
  const runner = RUNNERS.find((each) => isCommand(each, names))
  const isItself = WRITING.some((each) => isCommand(each, names))
  return { names: runner === undefined || isItself ? names : names.slice(runner.split(' ').length) }
}

const WRITING = Object.values(WRITERS).flat()

/** Whether words are those of a command: its names come first, its options are anywhere. */
function isCommand(command: string, names: readonly string[]): boolean {
  const operands = names.filter((word) => !word.startsWith('-'))
  let at = 0
  return command
    .split(' ')
    .every((word) =>
      word.startsWith('-') ? names.some((name) => name.split('=', 1)[0] === word) : operands[at++] === word,
    )
}

type AskGit = (args: readonly string[]) => Promise<readonly string[]>

/** Whether git uses ssh for an address in the command, or for a remote of the repository. */
async function usesSsh(names: readonly string[], askGit: AskGit): Promise<boolean> {
  if (names.some((word) => word.includes('@') && isSsh(word))) return true
  return (await askGit(['remote', '-v'])).some((line) => isSsh(line.split('\t')[1] ?? ''))
}

/** `ssh://host/path` or `host:path`. */
function isSsh(address: string): boolean {
  const [scheme = ''] = address.split('://', 1)
  return scheme === address ? (address.split('/', 1)[0]?.includes(':') ?? false) : scheme.endsWith('ssh')
}

/** The protected patterns whose files a command of git may replace: files that differ between the commits that it names. */
async function replacedPatterns(
  [program, command = '', ...operands]: readonly string[],
  workspace: string,
  askGit: AskGit,
): Promise<string[]> {
  if (program !== 'git' || !REPLACES_FILES.has(command)) return []
  const patterns = PROTECTED.filter((pattern) => !pattern.startsWith('.git/'))
  const named = operands.flatMap((word) => (word === '-' ? ['@{-1}'] : word.startsWith('-') ? [] : [word]))
  const commits = [...(OTHER_COMMITS.get(command) ?? []), ...named]
  const asked = [
    ['diff', '--no-ext-diff', '--name-only', 'HEAD'],
    ...(LATER_COMMITS.has(command) ? [['ls-files']] : []),
    ...commits.map((commit) => ['log', '-m', '--format=', '--name-only', `HEAD...${commit}`]),
  ]
  const paths = ['--', ...patterns.map((pattern) => `:(top,glob)${pattern}`)]
  const files = (await Promise.all(asked.map((args) => askGit([...args, ...paths])))).flat()
  return patterns.filter((pattern) => files.some((file) => coversPath(pathPattern(pattern), file, workspace)))
}

/** The commits that a command means without naming them. */
const OTHER_COMMITS: ReadonlyMap<string, readonly string[]> = new Map([
  ['merge', ['@{upstream}']],
  ['rebase', ['@{upstream}']],
  ['stash', ['stash@{0}']],
])
/** These get their commits only when they run. */
const LATER_COMMITS: ReadonlySet<string> = new Set(['pull', 'am', 'apply'])

const LONGEST_MS = 5_000

/** The output of git, line by line; nothing if it fails. */
async function linesOf(
  args: readonly string[],
  folder: string | undefined,
  { workspace, home, wall, never }: ReachPlace,
): Promise<readonly string[]> {
  // Nobody has allowed anything yet, and a repository can name programs for git to run.
  const rules = [...never, ...protectedRules(workspace), { kind: 'network', pattern: '*' }]
  const options = ['--no-optional-locks', '--no-pager', '-c', 'core.fsmonitor=false']
  const [program = '', ...rest] = wall.wrap(['git', ...options, ...args], { never: rules })
  const cwd = folder === undefined ? workspace : resolve(workspace, fromHome(folder, home))
  const limits = { cwd, timeout: LONGEST_MS, maxBuffer: 4_000_000 }
  const found = await promisify(execFile)(program, rest, limits).catch(() => undefined)
  return found?.stdout.split('\n').filter((line) => line !== '') ?? []
}
