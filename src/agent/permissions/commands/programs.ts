/**
 * The effect of a program. `looks`: it only prints. `writes`: it changes the files it names. `runs`: it runs what the
 * files of the project say (`make`, hooks of git).
 */
export type ProgramKind = 'looks' | 'writes' | 'runs'

/**
 * The operands of a program: texts, names of files that it does not open, files that it reads or changes, or a
 * pattern and then files. `copied`: it reads all and changes the last one. `moved`: it changes all of them.
 */
export type OperandKind = 'text' | 'names' | 'read' | 'changed' | 'copied' | 'moved' | 'pattern'

/** A program that takes neither a command nor code as an argument. */
export type Program = {
  readonly kind: ProgramKind
  readonly operands: OperandKind
  /** All options that are known to be harmless. */
  readonly options: Options
  /** It reads or changes everything below its folders. */
  readonly goesDown?: (options: readonly string[]) => boolean
  /** A condition on its operands. */
  readonly accepts?: (operands: readonly string[]) => boolean
}

/** One-letter options, and those of them that take a value; long options, with `=` if they take a value. */
type Options = { readonly letters: string; readonly valued: string; readonly long: ReadonlySet<string> }

/** `An:q0 --quiet --lines=`: `-A`, `-n VALUE`, `-q`, `-5`, `--quiet`, `--lines VALUE`. */
function options(text: string): Options {
  const [letters = '', ...long] = text.split(' ')
  return {
    letters: letters.replaceAll(':', ''),
    valued: [...letters].filter((_, i) => letters[i + 1] === ':').join(''),
    long: new Set(long),
  }
}

/**
 * Whether a word is one of these options. Abbreviations are none: `--out` may be `--output`. A value in the next word is not
 * skipped, so that no option can hide in it.
 */
export function isKnownOption(word: string, { letters, valued, long }: Options): boolean {
  if (word.startsWith('--')) {
    const equals = word.indexOf('=')
    return long.has(equals === -1 ? word : word.slice(0, equals + 1)) || (equals === -1 && long.has(`${word}=`))
  }
  for (let i = 1; i < word.length; i++) {
    const letter = word[i] ?? ''
    if (/\d/.test(letter) ? !letters.includes('0') : !letters.includes(letter)) return false
    if (valued.includes(letter)) return true
  }
  return true
}

/** Whether the value of an option is the next word. */
export function takesNext(word: string, { valued, long }: Options): boolean {
  if (word.startsWith('--')) return long.has(`${word}=`)
  const at = [...word].findIndex((letter, i) => i > 0 && valued.includes(letter))
  return word.startsWith('-') && at === word.length - 1
}

const has =
  (letters: RegExp) =>
  (given: readonly string[]): boolean =>
    given.some((option) => letters.test(option))

const looks = (operands: OperandKind, text: string, more: Partial<Program> = {}): Program => ({
  kind: 'looks',
  operands,
  options: options(text),
  ...more,
})
const writes = (operands: OperandKind, text: string, more: Partial<Program> = {}): Program => ({
  ...looks(operands, text, more),
  kind: 'writes',
})

const GREP =
  'inrRlLcvwxoEFPGHIhsqazbA:B:C:m:e:f:0 --include= --exclude= --exclude-dir= --color= --color --line-number --ignore-case --count --only-matching'

/** Programs that take the same arguments. */
const same = (names: string, program: Program) => names.split(' ').map((name) => [name, program] as const)

/** Programs by name. Those with subcommands are in other tables. */
export const PROGRAMS: ReadonlyMap<string, Program> = new Map<string, Program>([
  ['echo', looks('text', 'neE')],
  // `-v` evaluates an array index, and with it any command.
  ['printf', looks('text', '')],
  ...same(': true false exit sleep seq whoami id nproc pwd uptime basename dirname', looks('text', '')),
  ['free', looks('text', 'hbkmg')],
  ['hostname', looks('text', '', { accepts: (operands) => operands.length === 0 })],
  ['uname', looks('text', 'asnrvmpio')],
  ['which', looks('text', 'a')],
  ['type', looks('text', 'atp')],
  ['date', looks('text', 'uIR', { accepts: (operands) => operands.every((word) => word.startsWith('+')) })],
  ['cd', looks('names', '')],
  ['ls', looks('names', 'aAlhrRtTSsdFiG1nopqBcCfgHkLmNQuUvwxXZ0 --color= --color --all --recursive --full-time')],
  ['stat', looks('names', 'c:f:Lt')],
  ['du', looks('names', 'shakmcd:0 --max-depth= --summarize --human-readable')],
  ['df', looks('names', 'hTik')],
  ['tree', looks('names', 'adfiL:I:P:shpC --noreport --dirsfirst --gitignore')],
  ['realpath', looks('names', 'emsqz')],
  ['readlink', looks('names', 'femnqz')],
  ['cat', looks('read', 'AbeEnstTuv')],
  ['head', looks('read', 'n:c:qv0 --lines= --bytes=')],
  ['tail', looks('read', 'n:c:qvfF0 --lines= --bytes=')],
  ['wc', looks('read', 'lwcmL --lines --words --bytes --chars')],
  ['nl', looks('read', 'b:w:s:')],
  ['od', looks('read', 'A:t:N:j:bcdoxv')],
  ['hexdump', looks('read', 'Cn:s:v')],
  // `@file` has more arguments.
  ['strings', looks('read', 'an:0', { accepts: (operands) => operands.every((word) => !word.startsWith('@')) })],
  ['cut', looks('read', 'd:f:c:b:s')],
  ['tr', looks('text', 'dsc')],
  ['fold', looks('read', 'w:s')],
  ...same('tac rev', looks('read', '')),
  ['column', looks('read', 'ts:')],
  ['paste', looks('read', 'd:s')],
  ['comm', looks('read', '0')],
  ['cmp', looks('read', 'sl')],
  ['diff', looks('read', 'urNqwbBiyaW:x:U:0 --brief --unified= --color=', { goesDown: () => true })],
  ['sort', looks('read', 'nrufhVbdgiMk:t:')],
  // The second operand of uniq is a file that it writes.
  ['uniq', looks('read', 'cdui', { accepts: (operands) => operands.length < 2 })],
  ['file', looks('read', 'biL')],
  ...same('md5sum sha1sum sha256sum sha512sum cksum', looks('read', 'bt')),
  ['base64', looks('read', 'dw:')],
  ...same('grep egrep fgrep', looks('pattern', GREP, { goesDown: has(/^-\w*[rR]/) })),
  [
    'rg',
    looks(
      'pattern',
      'inlcvwoFPUsSHN.uA:B:C:m:e:f:g:t:T:0 --files --hidden --glob= --type= --no-ignore --no-heading --line-number --color= --stats --json --count --multiline --ignore-case --files-with-matches --max-count= --sort=',
      { goesDown: () => true },
    ),
  ],
  [
    'jq',
    looks('pattern', 'rcsMenS', {
      accepts: (operands) => !/\b(?:import|include|modulemeta)\b/.test(operands[0] ?? ''),
    }),
  ],
  ['mkdir', writes('changed', 'pv')],
  ['rmdir', writes('changed', 'pv')],
  ['touch', writes('changed', 'c')],
  ['tee', writes('changed', 'a')],
  ['rm', writes('changed', 'rfvd', { goesDown: has(/^-\w*r/) })],
  ['mv', writes('moved', 'fnv', { goesDown: () => true })],
  ['cp', writes('copied', 'rRafpvn', { goesDown: has(/^-\w*[rRa]/) })],
])

const LOG =
  'n:pS:G:0 --oneline --stat --shortstat --numstat --graph --all --decorate --format= --pretty= --since= --until= --after= --before= --author= --grep= --name-only --name-status --no-merges --merges --first-parent --reverse --follow --max-count= --date= --abbrev-commit --no-color --no-decorate --'
const LOG_PROGRAM = looks('names', LOG, { goesDown: has(/^-\w*p/) })
const DIFF =
  'U:wbp --stat --name-only --name-status --cached --staged --numstat --shortstat --no-color --color= --word-diff --unified= --ignore-all-space --diff-filter= --no-index --no-ext-diff --format= --pretty= --oneline --check --'
const SUMMARY = /^--(?:stat|shortstat|numstat|name-only|name-status)$/
const PRINTS = looks('read', DIFF, {
  goesDown: (given) => !has(SUMMARY)(given) || has(/^-\w*[pU]|^--(?:un|word|check)/)(given),
})
const listOnly = (text: string) => looks('text', text, { accepts: (operands) => operands.length === 0 })
const runs = (text: string) => ({ ...looks('read', text), kind: 'runs' as const })
const changes = (text: string) => writes('changed', text, { goesDown: () => true })

/** Commands of git, which never start with an alias: git does not let one replace a command of its own. */
export const GIT: ReadonlyMap<string, Program> = new Map<string, Program>([
  ['status', looks('names', 'sbu:z --short --branch --porcelain --porcelain= --ignored --untracked-files= --')],
  ['log', LOG_PROGRAM],
  ['reflog', { ...LOG_PROGRAM, accepts: (operands) => operands.every((word) => word === 'show' || word === 'HEAD') }],
  ['diff', PRINTS],
  ['show', PRINTS],
  ['blame', looks('read', 'L:wCM --', { goesDown: () => true })],
  ['grep', { ...looks('pattern', 'inlcvwoEFPhHA:B:C:e:0 --'), goesDown: () => true }],
  ['branch', listOnly('arv --show-current --list --all --no-color')],
  ['tag', listOnly('ln --list --sort=')],
  ['shortlog', looks('text', 'sne')],
  ['remote', listOnly('v')],
  ['stash', { ...looks('text', ''), accepts: (operands) => operands.join(' ') === 'list' }],
  ['worktree', { ...looks('text', ''), accepts: (operands) => operands.join(' ') === 'list' }],
  [
    'config',
    {
      ...looks('text', 'l --get --list'),
      accepts: (operands) => operands.every((word) => word.includes('.')) && operands.length < 2,
    },
  ],
  ['rev-parse', looks('names', ' --show-toplevel --short --abbrev-ref --verify --is-inside-work-tree --git-dir --')],
  ['rev-list', looks('names', 'n:0 --count --all --max-count= --')],
  ['merge-base', looks('text', '')],
  ['describe', looks('text', ' --tags --always --dirty --abbrev=')],
  ['ls-files', looks('names', 'cdomsz --others --cached --modified --deleted --exclude-standard --')],
  ['ls-tree', looks('names', 'rdlt --name-only --')],
  ['check-ignore', looks('names', 'vq --')],
  ['add', runs('AufvN --all --update --force --')],
  [
    'commit',
    { ...runs('am:qs --all --message= --amend --no-edit --allow-empty --quiet --signoff --'), operands: 'text' },
  ],
  ['fetch', { ...runs(' --all --prune --tags'), accepts: areRefs }],
  ['checkout', changes('bqf --quiet --')],
  ['switch', changes('cq --create --quiet')],
  ['restore', changes('SW --staged --worktree --')],
  ['reset', changes('q --hard --soft --mixed --')],
  ['merge', { ...changes('q --no-ff --ff-only --no-edit --abort --squash'), accepts: areRefs }],
  ['pull', { ...changes('q --ff-only --rebase --no-rebase --quiet'), accepts: areRefs }],
  ['rm', changes('rfq --cached --')],
])

/** The names of branches and remotes: no address that names a program, such as `ext::`. */
function areRefs(operands: readonly string[]): boolean {
  return operands.every((word) => /^\w[\w./-]*$/.test(word) && !word.includes('..'))
}

/** The tests of find that only select and print. */
export const FIND: ReadonlySet<string> = new Set(
  (
    '-name -iname -path -ipath -wholename -regex -iregex -type -maxdepth -mindepth -size -mtime -mmin -newer -not -o -or -a ' +
    '-and -print -print0 -prune -empty -ls -L -P -H -quit -perm -user -group -xdev -printf'
  ).split(' '),
)

const WORD = String.raw`(?!-)[\w@./+:-]+`
const FILE = String.raw`(?!-)[\w@/+-]*[./][\w@./+-]*`
const CHECKERS = 'tsc|eslint|prettier|biome|oxlint|vitest|jest|mocha|ruff|mypy|black|flake8|pyright'
const VERSIONED =
  'node|npm|pnpm|yarn|bun|deno|python|python3|pip|pip3|go|cargo|rustc|git|ruby|java|gcc|make|cmake|docker'

/** Programs that run what the files of the project say, with all arguments that are known to be harmless. */
export const PROJECT_RUNS: RegExp = new RegExp(
  [
    // Other arguments might turn the project's script into another command: `npm run git push`.
    String.raw`(?:npm|pnpm) (?:test|run [\w:.-]+)(?: --)?(?: ${FILE})*`,
    // These two run any program of the packages, and bun any file.
    String.raw`yarn run [\w:.-]+|(?:yarn|bun) test(?: ${FILE})*`,
    '(?:npm|pnpm|yarn) (?:ci|install)',
    String.raw`go (?:test|build|vet|fmt|list|mod tidy)(?: (?:-v|-race|-short|-cover|-count=\d+|-run[= ][\w^$/|]+|-timeout[= ]\w+|${WORD}))*`,
    String.raw`cargo (?:test|build|check|clippy|fmt|doc|tree)(?: (?:--release|--all|--workspace|--lib|--tests|--quiet|-q|-v|--all-targets|--all-features|--no-run|--check|-p|--|--nocapture|${WORD}))*`,
    String.raw`make(?: (?:-[jkBs]\d*|-C [\w./]+|${WORD}))*`,
    String.raw`(?:python3? -m )?pytest(?: (?:-[qvxsl]+|-rA?|--tb=\w+|--lf|--maxfail=\d+|-k|-n|${WORD}))*`,
    String.raw`(?:npx )?(?:${CHECKERS})(?: (?:--noEmit|--fix|--check|--write|--run|--coverage|--watch=false|--reporter=\w+|-p|-t|-u|-b|${WORD}))*`,
    '(?:mvn|gradle)(?: (?:-q|compile|test|package|verify|clean|build|check))+',
  ]
    .map((pattern) => `^${pattern}$`)
    .join('|'),
)

/** Those of them that change the files that they name. */
export const FORMATTERS = /(?: fmt| format| --write| --fix|\bblack\b(?!.* --check)|\btsc\b(?!.* --noEmit))(?: |$)/

/** Commands that only print something about a program, and options of the shell that only make it stricter. */
export const PRINTS_VERSION: RegExp = new RegExp(
  String.raw`^(?:${VERSIONED}) --version$|^(?:node|npm) -v$|^(?:go|git) version$|^command -[vV] [\w.+-]+$|^ps (?:aux|-ef)$|^set -[eux]*(?:[eux]|o pipefail)$`,
)

/** A script of sed that prints, deletes or replaces lines, and neither runs a command nor opens another file. */
export const SED_SCRIPT: RegExp =
  /^(?:(?:\d+|\$)?(?:,(?:\d+|\$|\+\d+))?[pdq=];?)+$|^\/[^/\\\n]*\/(?:,\/[^/\\\n]*\/)?[pd]$|^s([/|#,])(?:(?!\1)[^\\\n]|\\[^\n])*\1(?:(?!\1)[^\\\n]|\\[^\n])*\1[gpI\d]*$/

/** Programs that run the commands or the code in their arguments: for them, a pattern with `*` allows anything. */
export const RUNS_OTHERS: RegExp =
  /^(?:(?:ba|z|da|k|a|fi)?sh|python[\d.]*|node|deno|bun|ruby|perl|php|lua|awk|gawk|mawk|sed|env|sudo|doas|xargs|parallel|find|git|tar|rsync|ssh|docker|podman|eval|exec|command|builtin|nohup|nice|setsid|time|timeout|stdbuf|watch|npx|busybox|make|gmake|just|cmake|ninja|script|su|chroot|unshare|flock|strace|ltrace|gdb|entr|tmux|screen|expect|tclsh|pwsh|java|Rscript|julia|swift|elixir|vim?|nvim|emacs|ed|ex|less|man|sqlite3|psql|mysql|socat|source|\.)$/

/** Tools with subcommands, which a prefix has to name. */
export const HAS_COMMANDS: RegExp =
  /^(?:git|npm|pnpm|yarn|docker|podman|kubectl|cargo|go|gh|brew|apt|apt-get|pip|pip3|uv|poetry|bundle|systemctl|aws|gcloud|az|terraform|composer|mix|dotnet|helm|make|just)$/
