import { baseName } from '../calls/paths.ts'
import type { Word } from '../shell/shell-lexer.ts'
import { type ShellCommand, type ShellStep, shellSteps, withoutWrappers } from '../shell/shell-steps.ts'

/** The kinds of commands that check the work, the most informative first. */
export const CHECK_KINDS = ['test', 'build', 'types', 'lint'] as const
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
    step.type === 'command' ? kindOf(step) : undefined,
  )
  return CHECK_KINDS.find((kind) => kinds.includes(kind))
}

const MOST_CHARACTERS = 4_000

function kindOf(step: ShellCommand): CheckKind | undefined {
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
