import type { RawStep } from './raw-session.ts'
import { absolute } from './raw-session.ts'
import { commandLine, type Segment, segmentsOf } from './shell-segments.ts'
import { isUnder } from './standing-truth.ts'

export type CheckKind = 'tests' | 'build' | 'type check' | 'linter'

/** A check that ran. `paths` is empty if it covers its whole folder. */
export type CheckRun = {
  readonly at: number
  readonly kind: CheckKind
  readonly text: string
  /** The whole command line. */
  readonly line: string
  readonly folder: string
  readonly paths: readonly string[]
  /** It was restricted to tests of some names, which are in no file that the log shows. */
  readonly isFiltered: boolean
  readonly files: RegExp
  readonly ok: boolean | undefined
}

export function checkRuns(steps: readonly RawStep[]): CheckRun[] {
  return steps.flatMap((step, at) => {
    const segments = segmentsOf(step)
    return segments.flatMap((segment): CheckRun[] => {
      const rule = RULES.find(({ program }) => program.test(programOf(segment)))
      return rule === undefined ? [] : [{ at, ...runOf(segment, rule, step, segments) }]
    })
  })
}

type Rule = { readonly program: RegExp; readonly kind: CheckKind; readonly files: RegExp }

const SCRIPT = /\.(?:[cm]?[jt]sx?|vue|svelte|json|html|css|scss|snap|astro)$/
const ANY_CODE = /\.(?!(?:md|mdx|txt|rst|png|svg|jpe?g|gif|ya?ml)$)\w+$/

/** Which files a program looks at at all. */
const RULES: readonly Rule[] = [
  { program: /^go (?:test|tool cover)/, kind: 'tests', files: /\.(?:go|mod|sum|golden|txtar|json)$|testdata/ },
  { program: /^go (?:build|install|run)/, kind: 'build', files: /\.(?:go|mod|sum)$/ },
  { program: /^go vet|^gofmt|^goimports|^golangci-lint|^staticcheck/, kind: 'linter', files: /\.(?:go|mod)$|golangci/ },
  { program: /^cargo (?:test|nextest)/, kind: 'tests', files: /\.(?:rs|toml|lock)$/ },
  { program: /^cargo (?:build|check|run)/, kind: 'build', files: /\.(?:rs|toml|lock)$/ },
  { program: /^cargo (?:clippy|fmt)|^rustfmt/, kind: 'linter', files: /\.rs$/ },
  {
    program: /^(?:pytest|tox|nox)|^python3? (?:-m (?:pytest|unittest)|\S*tests?\S*\.py)/,
    kind: 'tests',
    files: /\.(?:py|toml|cfg|ini)$/,
  },
  { program: /^(?:mypy|pyright)|^python3? -m mypy/, kind: 'type check', files: /\.pyi?$/ },
  { program: /^(?:ruff|flake8|pylint|black|isort)/, kind: 'linter', files: /\.pyi?$/ },
  {
    program: /^(?:npx |pnpm (?:exec )?|bunx |yarn )?(?:vitest|jest|mocha|ava|playwright|cypress)/,
    kind: 'tests',
    files: SCRIPT,
  },
  { program: /^node (?:--\S+ )*--test|^bun test|^deno test/, kind: 'tests', files: SCRIPT },
  {
    program: /^(?:npx |pnpm (?:exec )?|bunx |yarn )?(?:tsc|vue-tsc|tsgo|svelte-check)/,
    kind: 'type check',
    files: SCRIPT,
  },
  {
    program: /^(?:npx |pnpm (?:exec )?|bunx |yarn )?(?:eslint|biome|prettier|oxlint|oxfmt|stylelint)/,
    kind: 'linter',
    files: /\.\w+$/,
  },
  {
    program:
      /^(?:npm|pnpm|yarn|bun)(?: run)?(?: -\S+(?: \S+)?)* (?:run )?[\w:.-]*(?:test|spec|e2e|verify|\bcheck|\bci\b)/,
    kind: 'tests',
    files: ANY_CODE,
  },
  {
    program: /^(?:npm|pnpm|yarn|bun)(?: run)?(?: -\S+(?: \S+)?)* (?:run )?[\w:.-]*(?:typecheck|types)/,
    kind: 'type check',
    files: SCRIPT,
  },
  {
    program: /^(?:npm|pnpm|yarn|bun)(?: run)?(?: -\S+(?: \S+)?)* (?:run )?[\w:.-]*(?:lint|format|fmt)/,
    kind: 'linter',
    files: /\.\w+$/,
  },
  {
    program: /^(?:npm|pnpm|yarn|bun)(?: run)?(?: -\S+(?: \S+)?)* (?:run )?[\w:.-]*build/,
    kind: 'build',
    files: ANY_CODE,
  },
  {
    program: /^(?:mise|make|just|task|gradlew?|mvn|dotnet|nx|turbo)(?: run)? .*(?:test|check|verify|ci)/,
    kind: 'tests',
    files: ANY_CODE,
  },
  {
    program: /^(?:mise|make|just|task|gradlew?|mvn|dotnet|nx|turbo)(?: run)? .*(?:lint|fmt|format|vet)/,
    kind: 'linter',
    files: /\.\w+$|\/[^.]+$/,
  },
  { program: /^(?:make|gradlew?|mvn|dotnet|nx|turbo|vite|next)\b/, kind: 'build', files: ANY_CODE },
]

function programOf({ words }: Segment): string {
  return words.filter((word) => !/^\d?>|^2>&1$/.test(word)).join(' ')
}

const NAME_FILTERS = /^(?:-run|--run|-t|-k|--testNamePattern|--test-name-pattern|-g|--grep|--filter|-bench)(?:=|$)/
/** A file that the run writes is not one that it looks at. */
const OUTPUT_OPTIONS = /^(?:-o|--output|--outfile|--outdir|--out|-coverprofile|--reporter|-c|--config)$/
const PACKAGE_OPTIONS = /^(?:-p|--package|-w|--workspace|--filter|-F|--prefix|-C|--dir|--project)$/

function runOf({ words, folder, text }: Segment, { kind, files }: Rule, step: RawStep, all: readonly Segment[]) {
  const rest = words.slice(1)
  const paths: string[] = []
  for (const [i, word] of rest.entries()) {
    if (NAME_FILTERS.test(rest[i - 1] ?? '') && !(rest[i - 1] ?? '').includes('=')) continue
    if (OUTPUT_OPTIONS.test(rest[i - 1] ?? '')) continue
    if (PACKAGE_OPTIONS.test(rest[i - 1] ?? '')) paths.push(...packagePaths(word, folder))
    else if (/^[^-\s]*[/.]/.test(word) && !/^(?:\.|\.\/\.\.\.|\.\.\.|\d)/.test(word) && !/^\d?>/.test(word))
      paths.push(pathOf(word, folder))
    else if (/^\.{1,2}\/(?!\.\.\.)/.test(word)) paths.push(pathOf(word, folder))
  }
  const isFiltered = rest.some((word) => NAME_FILTERS.test(word) && !/^--filter/.test(word))
  // The exit status is that of the last program of a pipe, and of the last of several commands.
  const isPiped = /\|(?!\|)/.test(commandLine(step) ?? '')
  const isLast = !isPiped && (all.at(-1)?.text === text || step.ok === true)
  const isRunning = /Process running with session ID \d+(?![\s\S]*Process exited)/.test(step.output)
  // Other programs of the same command line print counts, too.
  const counted = isRunning ? undefined : kind === 'tests' ? countsIn(step.output) : failedIn(step.output)
  return {
    kind,
    text,
    line: commandLine(step) ?? '',
    folder,
    paths,
    isFiltered,
    files,
    ok: counted ?? (isLast ? step.ok : undefined),
  }
}

function pathOf(word: string, folder: string): string {
  return absolute(
    word
      .replace(/\/?\.\.\.$/, '')
      .replace(/[*:].*$/, '')
      .replace(/\/$/, ''),
    folder,
  )
}

/** A package by its folder, or any folder of its name. */
function packagePaths(name: string, folder: string): string[] {
  const last = name.replace(/^[.@]?[^/]*\//, '').replace(/[^\w-]/g, '')
  return name.startsWith('.') || name.startsWith('/') ? [pathOf(name, folder)] : [`*/${last}`]
}

function countsIn(output: string): boolean | undefined {
  if (/\b[1-9]\d* (?:failed|failing|failures?|errors?)\b|^FAIL\b|^--- FAIL/m.test(output)) return false
  return /\b\d+ (?:tests? )?pass(?:ed|ing)?\b|^ok\s+\S+|test result: ok|^PASS\b|^# pass [1-9]/m.test(output)
    ? true
    : undefined
}

/** A filter hides the exit status of a build, but not what its program prints. */
function failedIn(output: string): false | undefined {
  return /^npm (?:error|ERR!)|\berror TS\d+:|^error(?:\[E\d+\])?: /m.test(output) ? false : undefined
}

/** True if a run looked at the file. */
export function covers({ paths, folder, isFiltered, files }: CheckRun, path: string): boolean {
  if (!files.test(path)) return false
  if (paths.length === 0) return !isFiltered && isUnder(path, folder)
  return paths.some((one) => {
    if (one.startsWith('*/')) return path.split('/').includes(one.slice(2)) && !isFiltered
    if (stemOf(one) === stemOf(path)) return true
    return !isFiltered && isUnder(path, one)
  })
}

/** `src/a/plan.test.ts` is the test of `plan.ts`. */
function stemOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1)
  return name.replace(/^test_|(?:[._-](?:test|spec|e2e))?(?:\.[a-z]+)+$/g, '').replace(/_test$/, '')
}
