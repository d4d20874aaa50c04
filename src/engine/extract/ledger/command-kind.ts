import type { CommandFact } from '../../../model/types.ts'
import { commandKeys, LOOKING_PROGRAMS } from '../calls/command-keys.ts'
import { baseName } from '../calls/paths.ts'
import type { Word } from '../shell/shell-lexer.ts'
import { type ShellCommand, type ShellStep, shellSteps, withoutWrappers } from '../shell/shell-steps.ts'

/** The kind of a command that is typical for work on a project: a check of the ledger, run, install and the like. */
export function commandKind(command: string): string | undefined {
  return checkKind(command) ?? otherKind(command)
}

/** The same for commands that are not checks. */
export function otherKind(command: string): string | undefined {
  const text = command.slice(0, 600).replace(/(["'])[\s\S]{60,}/, '')
  if (!ANY_KIND.test(text)) return undefined
  for (const [kind, pattern] of KINDS) if (pattern.test(text)) return kind
  return undefined
}

/** The purpose of any other command, as a key that commands for the same purpose share; undefined if it only reads something. */
export function purposeOf(command: string): string | undefined {
  const text = withoutRemarks(command).replace(/^\s*(?:cd\s+\S+\s*(?:&&|;)\s*)+/, '')
  if (/\s--(?:help|version)\b/.test(text)) return undefined
  // A command that always succeeds proves nothing by it.
  if (/\|\|\s*(?:echo|true|:)(?:\s|$)/.test(text) && !/[^&]&\s*\n/.test(text)) return undefined
  const first = /^[^|;\n]*/.exec(text)?.[0] ?? ''
  if (onlyLooks(first)) return undefined
  const key = commandKeys(first)[0]?.[0]
  return key === undefined || LOOKING.test(key) ? undefined : key
}

/** True for one plain command that only reads something. Most do, and need not be parsed. */
function onlyLooks(command: string): boolean {
  const name = /^\s*([\w.-]+)(?:\s[^&()]*)?$/.exec(command)?.[1]
  if (name === 'git') return !/merge|rebase|cherry-pick|bisect/.test(command)
  return name !== undefined && LOOKING_PROGRAMS.has(name)
}

/** A command without the comments before it. */
export function withoutRemarks(command: string): string {
  return command.replace(/^(?:\s*#[^\n]*\n)+/, '')
}

/** Programs that show a state, and the git commands that the ledger covers. Code on the command line is used only once. */
const LOOKING =
  /^run (?:git (?!merge|rebase|cherry-pick|bisect)|(?:ps|pgrep|lsof|kill|pkill|killall|env|whoami|uname|chmod|history|mdfind|type|open|wait|read|for|if|while)(?: |$)|(?:python|node|ruby|perl|php|bash|sh|zsh) (?:.*[\s;(){}]|$)|\w+=|\S* ?…)/

/** At the start of a command or after `&&`, `;`, `|`, `(` and assignments of variables. */
const START = String.raw`(?:^|&&|\|\||;|\n|\()\s*(?:[A-Z_]+=\S*\s+)*(?:sudo\s+|time\s+|timeout\s+\S+\s+)?`
const RUNNER = String.raw`(?:(?:npm|pnpm|yarn|bun)(?:\s+-\S+)*\s+(?:run\s+|exec\s+)?(?:-\S+\s+\S+\s+)?|npx\s+|bunx\s+|uv\s+run\s+|poetry\s+run\s+|bundle\s+exec\s+|mise\s+run\s+|make\s+|just\s+|task\s+|cargo\s+|go\s+|deno\s+(?:task\s+)?|dotnet\s+|mix\s+|gradle\s+|\./gradlew\s+|mvn\s+|python3?\s+(?:-m\s+)?|node\s+\S*\s*)?`

const KIND_WORDS: readonly (readonly [kind: string, words: string])[] = [
  [
    'run',
    String.raw`(?:dev\b|start\b|serve\b|run dev\b|docker compose up\b|docker-compose up\b|uvicorn\b|flask run\b|manage\.py runserver)`,
  ],
  ['install', String.raw`(?:install\b|ci\b|add\s|sync\b|mod tidy\b|pip3? install\b)`],
  ['migrate', String.raw`(?:migrate\b|migration\w*\b|prisma\b|alembic\b|manage\.py migrate)`],
  ['deploy', String.raw`(?:deploy\b|publish\b|wrangler\b|kubectl apply\b|terraform apply\b|gh workflow run\b)`],
  ['pull request', String.raw`(?:gh|glab)\s+(?:pr|mr)\s+(?:create|view|edit|checks)\b`],
  ['push', String.raw`git\s+push\b`],
  ['branch', String.raw`git\s+(?:checkout\s+-b|switch\s+-c|worktree\s+add)\b`],
]

function anywhere(words: string): RegExp {
  return new RegExp(START + RUNNER + words)
}

const KINDS = KIND_WORDS.map(([kind, words]) => [kind, anywhere(words)] as const)
/** Most commands match none of them. */
const ANY_KIND = anywhere(`(?:${KIND_WORDS.map(([, words]) => words).join('|')})`)

/** The kinds of commands that check the work, the most informative first. */
const CHECK_KINDS = ['test', 'build', 'types', 'lint'] as const
export type CheckKind = (typeof CHECK_KINDS)[number]

/** The name of each kind of check in a sentence. */
export const CHECK_NOUNS: Readonly<Record<CheckKind, string>> = {
  test: 'tests',
  build: 'build',
  types: 'type check',
  lint: 'linter',
}

/** The most informative check that a command line runs; undefined if it runs none. Pass `steps` if they are known already. */
export function checkKind(command: string, steps?: readonly ShellStep[]): CheckKind | undefined {
  const known = command.length <= MOST_CHARACTERS ? steps : undefined
  const kinds = (known ?? shellSteps(command.slice(0, MOST_CHARACTERS))).map((step) =>
    step.type === 'command' ? checkKindOf(step) : undefined,
  )
  return CHECK_KINDS.find((kind) => kinds.includes(kind))
}

const MOST_CHARACTERS = 4_000

/** The kind of check that one command of a command line is. */
export function checkKindOf(step: ShellCommand): CheckKind | undefined {
  const command = withoutWrappers(step.words)
  if (command === undefined) return undefined
  const { name, rest } = command
  if (rest.some(({ text }) => ASKS.has(text))) return undefined
  const tool = TOOLS.get(name)
  if (tool !== undefined) return tool
  if (INTERPRETERS.has(name)) return scriptKind(rest)
  if (RUNNERS.has(name)) return argumentsKind(rest) ?? DEFAULTS.get(name)
  // A script of the project itself: ./scripts/check-all.sh
  return /\.(?:sh|py|js|ts|mjs|rb|pl)$/.test(name) ? wordsKind(name) : undefined
}

/** `python -m pytest`, `node --test`, `python tests/runtests.py`: the name of the program decides, not its arguments. */
function scriptKind(words: readonly Word[]): CheckKind | undefined {
  if (words.some(({ text }) => text === '--test')) return 'test'
  const [first, second] = words
  const script = first?.text === '-m' ? second : words.find(({ text }) => !text.startsWith('-'))
  if (script === undefined || first?.text === '-c' || first?.text === '-e') return undefined
  const kind = TOOLS.get(baseName(script.text))
  return kind ?? (/(?:^|[^a-z])tests?(?:[^a-z]|$)/i.test(baseName(script.text)) ? 'test' : undefined)
}

/** `npm run -w web test:unit`, `go vet`: the first arguments that name a check. */
function argumentsKind(words: readonly Word[]): CheckKind | undefined {
  const named = words.filter(({ text }) => /^[^-\s]\S{0,80}$/.test(text)).slice(0, MOST_ARGUMENTS)
  for (const { text } of named) {
    const kind = INTERPRETERS.has(text) ? undefined : (TOOLS.get(baseName(text)) ?? wordsKind(text))
    if (kind !== undefined) return kind
  }
  return undefined
}

const MOST_ARGUMENTS = 4

function wordsKind(name: string): CheckKind | undefined {
  for (const word of baseName(name)
    .toLowerCase()
    .split(/[^a-z0-9]+/)) {
    const kind = WORDS.get(word)
    if (kind !== undefined) return kind
  }
  return undefined
}

const ASKS: ReadonlySet<string> = new Set(['--version', '--help', 'install', 'add', 'init', 'uninstall', 'remove'])

function table(rows: Readonly<Record<CheckKind, string>>): ReadonlyMap<string, CheckKind> {
  return new Map(CHECK_KINDS.flatMap((kind) => rows[kind].split(' ').map((name) => [name, kind] as const)))
}

/** Programs that do nothing else. */
const TOOLS = table({
  test: 'pytest py.test vitest jest mocha ava rspec phpunit ctest tox nox karma cypress playwright unittest nextest gotestsum behave cucumber busted bats minitest tap c8 nyc runtests.py',
  build: 'webpack rollup esbuild tsup parcel cmake ninja xcodebuild msbuild javac gcc g++ clang rustc',
  types: 'tsc mypy pyright vue-tsc basedpyright pyre flow sorbet svelte-check',
  lint: 'eslint ruff flake8 pylint golangci-lint biome prettier rubocop shellcheck stylelint black gofmt clippy oxlint xo standard hadolint markdownlint knip staticcheck credo ktlint',
})

/** Words in the name of a script or a target. */
const WORDS = table({
  test: 'test tests spec specs e2e unit integration testing coverage check checks verify validate ci',
  build: 'build compile bundle package assemble dist',
  types: 'typecheck types typing typings tsc',
  lint: 'lint linter fmt format vet clippy style',
})

/** Programs that run whatever their first arguments name. */
const RUNNERS: ReadonlySet<string> = new Set(
  'npm pnpm yarn bun deno npx bunx pnpx cargo go make gmake just task mvn mvnw gradle gradlew dotnet mix rake bundle poetry uv uvx hatch pdm pipenv composer swift bazel bazelisk nx turbo rush lerna mise sbt lein stack cabal zig flutter dart vite next docker docker-compose rails earthly dune'.split(
    ' ',
  ),
)

/** Programs that run a file of the project. */
const INTERPRETERS: ReadonlySet<string> = new Set('python python3 node ruby php perl tsx ts-node'.split(' '))

const DEFAULTS: ReadonlyMap<string, CheckKind> = new Map([
  ['make', 'build'],
  ['gmake', 'build'],
])

/** A command of an index, parsed once for everyone who needs its purpose. */
export type KnownCommand = {
  readonly fact: CommandFact
  /** The steps of its first characters. */
  readonly steps: readonly ShellStep[]
  /** The kind of check, if it is one. */
  readonly check: CheckKind | undefined
  /** The kind of check, or another typical kind of command: run, install and the like. */
  readonly kind: string | undefined
}

export function knownCommands(commands: readonly CommandFact[]): KnownCommand[] {
  return commands.map((fact) => {
    const text = fact.command.slice(0, MOST_CHARACTERS)
    const steps = shellSteps(text)
    const check = checkKind(text, steps)
    return { fact, steps, check, kind: check ?? otherKind(fact.command) }
  })
}
