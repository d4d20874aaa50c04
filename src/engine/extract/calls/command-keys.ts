import { type ShellCommand, type ShellStep, shellSteps, withoutWrappers } from '../shell/shell-steps.ts'

/**
 * The purpose of each step of a command, as keys that other commands for the same purpose share: the program with its first
 * word (`npm test`, `git push`, `python app.py`), and its kind of check. Steps that only read files have no keys
 * and are left out: another `cat` that passes fixes nothing. Pass `steps` if they are known already.
 */
export function commandKeys(command: string, steps?: readonly ShellStep[]): string[][] {
  const known = command.length <= LOOKED_AT ? steps : undefined
  return (known ?? shellSteps(command.slice(0, LOOKED_AT)))
    .filter((step) => step.type === 'command')
    .map(keysOf)
    .filter((keys) => keys.length > 0)
}

const LOOKED_AT = 1_000

const KINDS: readonly (readonly [string, RegExp])[] = [
  ['test', /\b(?:tests?|vitest|jest|pytest|mocha|playwright|ctest|rspec)\b/],
  ['types', /\b(?:tsc|typecheck|mypy|pyright)\b/],
  ['lint', /\b(?:lint|eslint|biome|ruff|clippy)\b/],
  ['build', /\b(?:build|make)\b/],
]

/** Most commands have no kind. */
const ANY_KIND = new RegExp(KINDS.map(([, { source }]) => source).join('|'))

function keysOf({ words }: ShellCommand): string[] {
  const command = withoutWrappers(words)
  if (command === undefined || LOOKING_PROGRAMS.has(command.name)) return []
  const name = command.name.replace(/^(python|pip)3(?:\.\d+)?$/, '$1')
  const plain = command.rest.filter(({ text, open }) => !open && !text.startsWith('-')).map(({ text }) => text)
  const [first = '', second = first] = plain
  // A script from standard input could be anything.
  if (first === '' && INTERPRETERS.has(name)) return []
  const all = [name, ...plain].join(' ')
  const kinds = ANY_KIND.test(all) ? KINDS.filter(([, pattern]) => pattern.test(all)) : []
  return [`run ${name} ${first === 'run' ? second : first}`, ...kinds.map(([kind]) => `kind ${kind}`)]
}

const INTERPRETERS: ReadonlySet<string> = new Set('python node bun deno ruby perl php bash sh zsh'.split(' '))

/** Programs that only read files, or prepare the next step. */
export const LOOKING_PROGRAMS: ReadonlySet<string> = new Set(
  `cat tac head tail less more bat nl wc cut sort uniq diff cmp ls find tree stat
  grep egrep fgrep zgrep rg sed awk gawk jq tee echo printf cd pwd pushd popd which
  sleep export set source true false test [ [[ touch mkdir rm cp mv ln xargs date file`.split(/\s+/),
)
