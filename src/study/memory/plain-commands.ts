import { type CheckKind, checkKindOf } from '../../engine/extract/ledger/command-kind.ts'
import { shellSteps, withoutWrappers } from '../../engine/extract/shell/shell-steps.ts'
import { addressedWords } from './said-rules.ts'

/** A command that a project is built, tested or run with, in a form that does nothing else. */
export type PlainCommand = {
  readonly kind: CheckKind | 'run' | 'install'
  readonly command: string
  /** The folder that it runs in, from the project's root; absent for the root. */
  readonly folder?: string
}

/**
 * The commands of a command line that are safe to suggest: programs that are known to build, test or run a project, each with
 * plain arguments. A line with a pipe into a program, a redirection, a substitution or an address has none: a page that an agent
 * read may have put it there.
 */
export function plainCommands(line: string): readonly PlainCommand[] {
  const text = line.replace(/\s+2>&1(?=\s|$)/g, '').trim()
  if (text.length > LONGEST || UNSAFE.test(text)) return NONE
  let folder: string | undefined
  const found: PlainCommand[] = []
  for (const piece of text.split(/\s+&&\s+/)) {
    const into = /^cd\s+(\S+)$/.exec(piece.trim())?.[1]
    if (into !== undefined) {
      folder = into.replace(/\/$/, '')
      continue
    }
    const kind = kindOf(piece)
    if (kind === undefined) return NONE
    found.push({ kind, command: piece.trim(), ...(folder === undefined ? {} : { folder }) })
  }
  return found
}

const NONE: readonly PlainCommand[] = []
const LONGEST = 160
/** Everything by which a command does more than run a program with words. */
const UNSAFE = /[`$<>|;\n\r\\{}*?!#]|(?<!&)&(?!&)|:\/\/|[^\p{L}\p{N}\s\-_./:=@,+'"%()^~[\]&]|(?:^|[\s=])(?:~|\.\.|\/)/u

function kindOf(line: string): PlainCommand['kind'] | undefined {
  // Other ways to run a script of package.json.
  const command = line.replace(/^corepack (?=npm |pnpm |yarn )/, '').replace(/^node --run /, 'npm run ')
  const [step, ...others] = shellSteps(command)
  if (step?.type !== 'command' || others.length > 0 || step.redirects.length > 0) return undefined
  const assigned =
    command
      .match(/^(?:\w+=\S*\s+)+/)?.[0]
      .trim()
      .split(/\s+/) ?? []
  if (!assigned.every((pair) => HARMLESS.test(pair))) return undefined
  const run = withoutWrappers(step.words)
  if (run === undefined || /^(?:sudo|doas|exec|env)$/.test(step.words[0]?.text ?? '')) return undefined
  const words = run.rest.map(({ text }) => text)
  if (!hasPlainOptions(words) || isForeign(run.name, words)) return undefined
  const check = checkKindOf(step)
  if (check !== undefined) return check
  const known = `${run.name} ${words.join(' ')}`.trim()
  if (INSTALLS.test(known)) return 'install'
  return RUNS.test(known) ? 'run' : undefined
}

const HARMLESS = /^(?:CI|NODE_ENV|FORCE_COLOR|NO_COLOR|RUST_BACKTRACE|DEBUG|TZ|CGO_ENABLED|VERBOSE)=[\w./-]{0,30}$/

/** True if a command has no option but those that choose what is checked or shown: others may run or fetch something else. */
function hasPlainOptions(words: readonly string[]): boolean {
  return words.every((word, i) => {
    if (!word.startsWith('-')) return !word.includes('=')
    if (/^--config(?:=|$)/.test(word)) return /^[\w./-]+\.\w+$/.test(word.split('=')[1] ?? words[i + 1] ?? '')
    return word === '--' || OPTION.test(word)
  })
}

const OPTION_NAMES = `all all-extras all-features all-files all-targets audit bail bench benchmem browser build cache check ci color
  count cov cover coverage coverprofile debug dev diff dry-run durations exclude exit failed failfast fast features filter fix format
  frozen frozen-lockfile fund grep headed headless if-present ignore immutable include json last-failed lib list locked max-warnings
  maxWorkers maxfail nocapture noEmit noinput offline only package parallel passWithNoTests prefer-offline pretty production project
  quiet race recursive release repeat reporter rerun retry run runInBand scope short showlocals silent skip skipLibCheck slow stats
  strict tag tags target tb test test-threads testNamePattern testPathPattern threads timeout type types unit verbose vet watch
  watchAll workers workspace workspaces write`
const OPTION = new RegExp(
  String.raw`^(?:-(?:[abgijklmnopqstuvwx]|[vqsx]{2,3}|j\d+)|--?(?:no-)?(?:${OPTION_NAMES.split(/\s+/).join('|')}))(?:=[\w./:,@+-]*)?$`,
)

/** True for a package that does not have to be part of the project. */
function isForeign(name: string, words: readonly string[]): boolean {
  const [first = '', second = ''] = words.filter((word) => !word.startsWith('-'))
  if (/^(?:npx|bunx|pnpx|uvx|pipx)$/.test(name) || /^(?:exec|dlx|x)$/.test(first)) {
    const program = /^(?:npx|bunx|pnpx|uvx|pipx)$/.test(name) ? first : second
    return !OWN_TOOLS.has(program)
  }
  // A module is one of the project's or one that was installed.
  if (/^python3?$/.test(name) && words[0] === '-m') return !OWN_TOOLS.has(words[1] ?? '')
  if (/^(?:docker|podman|nix|kubectl)$/.test(name)) return first !== 'compose'
  if (/^(?:deno|go|dotnet|swift|cargo)$/.test(name) && first === 'run') return /@/.test(second) || second === ''
  return words.some((word) => /@(?:latest|next|\d)/.test(word))
}

/** Tools that a project has among its own packages. */
const OWN_TOOLS: ReadonlySet<string> = new Set(
  'unittest tox nox coverage vitest jest mocha ava playwright cypress tsc eslint biome prettier vite webpack rollup tsup tsx pytest ruff mypy black pyright knip oxlint stylelint svelte-check vue-tsc turbo nx c8 next'.split(
    ' ',
  ),
)

const INSTALLS =
  /^(?:npm (?:ci|install|i)|pnpm (?:install|i)|yarn(?: install)?|bun (?:install|i)|uv sync|poetry install|bundle install|go mod (?:tidy|download)|cargo fetch|composer install|mix deps\.get|mise install|pip install -e \.?|pip install -r requirements[\w.-]*)(?: --?(?:frozen-lockfile|immutable|no-audit|no-fund|prefer-offline|all-extras|dev))*$/
const RUNS =
  /^(?:(?:npm|pnpm|yarn|bun)(?: run)? (?:start|dev|serve|preview|storybook)|make (?:run|dev|start|serve)|just (?:run|dev|start|serve)|task (?:run|dev|start|serve)|mise run (?:dev|start|serve)|cargo run|go run (?:\.|\.\/[\w./-]+)|docker compose up(?: -d)?|rails (?:s|server)|mix phx\.server|python3? manage\.py runserver|flask run|deno task (?:start|dev|serve))$/

/** The commands in words that the user typed: in backticks, or on a line of their own after `$` or `!`. */
export function typedCommands(words: string): readonly PlainCommand[] {
  return addressedWords(words)
    .split('\n')
    .flatMap((line) => {
      const own = /^\s*[$!]\s+(\S.*)$/.exec(line)?.[1]
      if (own !== undefined) return plainCommands(own)
      if (NOT_WANTED.test(line)) return []
      return [...line.matchAll(/`([^`]{3,160})`/g)].flatMap(([, command = '']) => plainCommands(command))
    })
}

/** The sentence says that it is not to be run, or that it fails. */
const NOT_WANTED =
  /\b(?:don['’]t|do not|never|not|stop|instead|without|avoid|no longer|fail(?:s|ed|ing)?|errors?|broken|hangs?|crash(?:es|ed)?|why|wrong)\b|\?\s*$/i
