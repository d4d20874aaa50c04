import { isAbsolute, joinPath } from '../calls/paths.ts'
import { programRuns } from '../shell/shell-files.ts'
import type { ShellStep } from '../shell/shell-steps.ts'
import { checkKindOf } from './command-kind.ts'
import { pathMatcher } from './standing-of.ts'

/** True for the files that a check looked at. */
export type CheckScope = (path: string) => boolean

/**
 * The files that the checks of a command line cover, by its text: the folder, the packages and paths that it names, and the
 * kind of files that the program reads. A run that is restricted to some tests by name covers only the paths that it names.
 */
export function checkScope(steps: readonly ShellStep[], start: string | undefined): CheckScope {
  const scopes = checkRuns(steps, start).map(runScope)
  return (path) => scopes.some((covers) => covers(path))
}

/** True if a command line runs at least what the last check of another one runs, in the same folder. */
export function includesCheck(wide: CommandSteps, narrow: CommandSteps): boolean {
  const last = checkRuns(narrow.steps, narrow.folder).at(-1)
  return last !== undefined && checkRuns(wide.steps, wide.folder).some((run) => isWithin(last, run))
}

type CommandSteps = { readonly steps: readonly ShellStep[]; readonly folder: string | undefined }

function isWithin(narrow: CheckRun, wide: CheckRun): boolean {
  // Two folders that the commands do not show may be different ones.
  if (narrow.folder === undefined || narrow.folder !== wide.folder) return false
  if (narrow.name !== wide.name || wide.isFiltered) return false
  if (narrow.verbs.join(' ') !== wide.verbs.join(' ')) return false
  if (wide.packages.length > 0 && wide.packages.join(' ') !== narrow.packages.join(' ')) return false
  const named = pathMatcher(wide.paths)
  return wide.paths.length === 0 || (narrow.paths.length > 0 && narrow.paths.every(named))
}

/** One check of a command line. */
type CheckRun = CheckArguments & {
  readonly name: string
  readonly words: readonly string[]
  readonly folder: string | undefined
}

function checkRuns(steps: readonly ShellStep[], start = ''): CheckRun[] {
  const checks = [...programRuns(steps, start)].filter(({ step }) => checkKindOf(step) !== undefined)
  return checks.map(({ name, rest, folder }) => {
    const words = rest.map(({ text }) => text)
    return { name, words, folder, ...argumentsOf(words) }
  })
}

function runScope({ name, words, folder, paths, packages, isFiltered }: CheckRun): CheckScope {
  const files = filesOf([name, ...words])
  // A run of some tests of a package says nothing about the rest of the package.
  const covered = isFiltered ? paths.filter((path) => /\.\w+$/.test(path)) : paths
  const named = pathMatcher(covered.map((path) => joinPath(folder ?? '', path)))
  const inFolder = folderScope(folder)
  return (path) => {
    if (!files.test(path)) return false
    if (paths.length > 0) return named(path)
    if (isFiltered) return false
    const parts = path.split('/')
    return packages.length > 0 ? packages.some((one) => parts.includes(one)) : inFolder(path)
  }
}

/** A check in a folder whose place is not known is one of the whole project. */
function folderScope(folder: string | undefined): CheckScope {
  if (folder === undefined || folder === '' || folder === '.') return () => true
  if (isAbsolute(folder)) return (path) => !isAbsolute(path) || path.startsWith(`${folder.replace(/\/$/, '')}/`)
  const inner = folder.replace(/^(?:\.{1,2}\/)+/, '')
  return (path) => inner === '' || `/${path}`.includes(`/${inner}/`)
}

/** `-run TestA`, `-t "adds"`, `-k name`: only tests of these names ran. */
const NAME_OPTIONS = /^(?:-run|--run|-t|-k|-g|--grep|--testNamePattern|--test-name-pattern|-bench)(?:=|$)/
const PACKAGE_OPTIONS = /^(?:-p|--package|-w|--workspace|--filter|-F|--project|--prefix|-C|--dir)$/
const PACKAGE = /^(?:--package|--workspace|--filter|--project|--prefix|--dir)=(.+)$/

type CheckArguments = {
  /** The words that say what to do: `run test:unit`. */
  readonly verbs: readonly string[]
  readonly paths: readonly string[]
  readonly packages: readonly string[]
  /** Only tests of some names ran. */
  readonly isFiltered: boolean
}

function argumentsOf(words: readonly string[]): CheckArguments {
  const verbs: string[] = []
  const paths: string[] = []
  const packages: string[] = []
  let isFiltered = false
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? ''
    const given = PACKAGE.exec(word)?.[1]
    if (given !== undefined) packages.push(lastPart(given))
    else if (PACKAGE_OPTIONS.test(word)) packages.push(lastPart(words[++i] ?? ''))
    else if (NAME_OPTIONS.test(word)) {
      isFiltered = true
      if (!word.includes('=')) i++
    } else if (PATH.test(word) && !ALL.test(word)) paths.push(word.replace(/(?:\/?\.\.\.|\/\*\*?.*|\/)$/, ''))
    else if (/^[a-z][\w:-]*$/i.test(word)) verbs.push(word)
  }
  return { verbs, paths, packages: packages.filter((name) => name !== ''), isFiltered }
}

/** `./...`, `.`, `./` are everything. */
const ALL = /^\.?\/?(?:\.\.\.)?$|^\*/
const PATH = /^[^-\s'"$]*[/.][^\s'"$]*$/

function lastPart(name: string): string {
  return (
    name
      .replace(/[{}^.*]|\.\.\.$/g, '')
      .split('/')
      .filter((part) => part !== '')
      .at(-1) ?? ''
  )
}

/** The files that a program reads. One that runs scripts of the project may read any code, but nobody tests a text. */
function filesOf(words: readonly string[]): RegExp {
  for (const word of words.slice(0, MOST_WORDS)) {
    const program = word.slice(word.lastIndexOf('/') + 1)
    const row = FILES.find(([names]) => names.test(program))
    if (row !== undefined) return row[1]
  }
  return CODE
}

const MOST_WORDS = 4
const CODE =
  /\.(?!(?:md|mdx|markdown|txt|rst|adoc|log|png|jpe?g|gif|svg|ico|pdf|ya?ml|lock|env|gitignore)$)\w+$|(?:^|\/)(?:Makefile|Dockerfile)$/i
const SCRIPTS = /\.(?:[cm]?[jt]sx?|vue|svelte|astro|json|html|css|scss|less|snap|graphql)$/

const FILES: readonly (readonly [names: RegExp, files: RegExp])[] = [
  [
    /^(?:go|gofmt|goimports|golangci-lint|gotestsum|staticcheck)$/,
    /\.go$|(?:^|\/)(?:go\.(?:mod|sum|work)|testdata\/.+)$/,
  ],
  [/^(?:cargo|rustc|rustfmt|clippy|nextest)$/, /\.rs$|(?:^|\/)Cargo\.(?:toml|lock)$/],
  [
    /^(?:pytest|py\.test|tox|nox|unittest|mypy|pyright|basedpyright|ruff|flake8|pylint|black)$/,
    /\.(?:pyi?|toml|cfg|ini)$/,
  ],
  [/^(?:prettier|markdownlint|dprint|oxfmt)$/, /\.\w+$/],
  [
    /^(?:vitest|jest|mocha|ava|karma|cypress|playwright|tsc|tsgo|vue-tsc|svelte-check|eslint|oxlint|biome|xo|webpack|rollup|esbuild|tsup|vite|next)$/,
    SCRIPTS,
  ],
  [/^(?:rspec|rubocop|rake|minitest)$/, /\.(?:rb|rake|gemspec|erb)$|(?:^|\/)(?:Gemfile|Rakefile)$/],
  [/^(?:phpunit|composer|phpstan)$/, /\.php$/],
  [/^(?:mvnw?|gradlew?|javac|ktlint|sbt)$/, /\.(?:java|kt|kts|scala|groovy|gradle|xml|properties)$/],
  [/^(?:dotnet|msbuild)$/, /\.(?:cs|fs|vb|csproj|sln|razor)$/],
  [/^(?:swift|xcodebuild)$/, /\.(?:swift|m|h|plist)$/],
  [/^(?:mix|credo)$/, /\.(?:exs?|heex)$/],
  [/^(?:shellcheck|bats|shfmt)$/, /\.(?:sh|bash|bats)$|\/[^./]+$/],
]
