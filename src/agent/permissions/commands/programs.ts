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
function options(words: readonly string[]): Options {
  const letters = words.find((word) => !word.startsWith('--')) ?? ''
  return {
    letters: letters.replaceAll(':', ''),
    valued: [...letters].filter((_, i) => letters[i + 1] === ':').join(''),
    long: new Set(words.filter((word) => word.startsWith('--'))),
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

/** The programs of a table: `name options` between commas, by their operands. */
function programs(kind: ProgramKind, table: { [of in OperandKind]?: string }, more: Partial<Program> = {}) {
  return Object.entries(table).flatMap(([operands, names]) =>
    names.split(/,\s*/).map((entry) => {
      const [name = '', ...rest] = entry.split(/\s+/)
      return [name, { kind, operands: operands as OperandKind, options: options(rest), ...more }] as [string, Program]
    }),
  )
}

const DEEP = { goesDown: () => true }
/** A condition on each operand, and how many there may be. */
const each = (good: RegExp, most = Number.POSITIVE_INFINITY) => ({
  accepts: (operands: readonly string[]) => operands.length <= most && operands.every((word) => good.test(word)),
})
const ALONE = each(/^/, 0)

const GREP =
  'inrRlLcvwxoEFPGHIhsqazbA:B:C:m:e:f:0 --include= --exclude= --exclude-dir= --color= --color --line-number --ignore-case --count --only-matching'

/** Programs by name. Those with subcommands are in other tables. */
export const PROGRAMS: ReadonlyMap<string, Program> = new Map<string, Program>([
  ...programs('looks', {
    // `printf -v` evaluates an array index, and with it any command.
    text: `echo neE, printf, :, true, false, exit, sleep, seq, whoami, id, nproc, pwd, uptime, basename, dirname,
      free hbkmg, uname asnrvmpio, which a, type atp, tr dsc`,
    names: `cd, ls aAlhrRtTSsdFiG1nopqBcCfgHkLmNQuUvwxXZ0 --color= --color --all --recursive --full-time, stat c:f:Lt,
      du shakmcd:0 --max-depth= --summarize --human-readable, df hTik, realpath emsqz, readlink femnqz,
      tree adfiL:I:P:shpC --noreport --dirsfirst --gitignore`,
    read: `cat AbeEnstTuv, head n:c:qv0 --lines= --bytes=, tail n:c:qvfF0 --lines= --bytes=, nl b:w:s:, fold w:s,
      wc lwcmL --lines --words --bytes --chars, od A:t:N:j:bcdoxv, hexdump Cn:s:v, cut d:f:c:b:s, tac, rev, column ts:,
      paste d:s, comm 0, cmp sl, sort nrufhVbdgiMk:t:, file biL, base64 dw:, md5sum bt, sha1sum bt, sha256sum bt,
      sha512sum bt, cksum bt`,
  }),
  ...programs('looks', { text: 'hostname' }, ALONE),
  ...programs('looks', { text: 'date uIR' }, each(/^\+/)),
  // `@file` has more arguments.
  ...programs('looks', { read: 'strings an:0' }, each(/^(?!@)/)),
  // The second operand of uniq is a file that it writes.
  ...programs('looks', { read: 'uniq cdui' }, each(/^/, 1)),
  ...programs('looks', { pattern: `grep ${GREP}, egrep ${GREP}, fgrep ${GREP}` }, { goesDown: has(/^-\w*[rR]/) }),
  ...programs(
    'looks',
    {
      read: 'diff urNqwbBiyaW:x:U:0 --brief --unified= --color=',
      pattern: `rg inlcvwoFPUsSHN.uA:B:C:m:e:f:g:t:T:0 --files --hidden --glob= --type= --no-ignore --no-heading --line-number
        --color= --stats --json --count --multiline --ignore-case --files-with-matches --max-count= --sort=`,
    },
    DEEP,
  ),
  ...programs(
    'looks',
    { pattern: 'jq rcsMenS' },
    { accepts: ([program = '']) => !/\b(?:import|include|modulemeta)\b/.test(program) },
  ),
  ...programs('writes', { changed: 'mkdir pv, rmdir pv, touch c, tee a' }),
  ...programs('writes', { changed: 'rm rfvd' }, { goesDown: has(/^-\w*r/) }),
  ...programs('writes', { moved: 'mv fnv' }, DEEP),
  ...programs('writes', { copied: 'cp rRafpvn' }, { goesDown: has(/^-\w*[rRa]/) }),
])

const LOG = `n:pS:G:0 --oneline --stat --shortstat --numstat --graph --all --decorate --format= --pretty= --since= --until=
  --after= --before= --author= --grep= --name-only --name-status --no-merges --merges --first-parent --reverse --follow
  --max-count= --date= --abbrev-commit --no-color --no-decorate --`
const DIFF = `U:wbp --stat --name-only --name-status --cached --staged --numstat --shortstat --no-color --color= --word-diff
  --unified= --ignore-all-space --diff-filter= --no-index --no-ext-diff --format= --pretty= --oneline --check --`
const SUMMARY = /^--(?:stat|shortstat|numstat|name-only|name-status)$/
const PATCH = has(/^-\w*p/)
/** The names of branches and remotes: no address that names a program, such as `ext::`. */
const REFS = each(/^(?!.*\.\.)\w[\w./-]*$/)

/** Commands of git, which never start with an alias: git does not let one replace a command of its own. */
export const GIT: ReadonlyMap<string, Program> = new Map<string, Program>([
  ...programs('looks', {
    text: 'shortlog sne, merge-base, describe --tags --always --dirty --abbrev=',
    names: `status sbu:z --short --branch --porcelain --porcelain= --ignored --untracked-files= --,
      rev-parse --show-toplevel --short --abbrev-ref --verify --is-inside-work-tree --git-dir --,
      rev-list n:0 --count --all --max-count= --, ls-tree rdlt --name-only --, check-ignore vq --,
      ls-files cdomsz --others --cached --modified --deleted --exclude-standard --`,
  }),
  ...programs('looks', { names: `log ${LOG}` }, { goesDown: PATCH }),
  ...programs('looks', { names: `reflog ${LOG}` }, { goesDown: PATCH, ...each(/^(?:show|HEAD)$/) }),
  ...programs(
    'looks',
    { read: `diff ${DIFF}, show ${DIFF}` },
    { goesDown: (given) => !has(SUMMARY)(given) || has(/^-\w*[pU]|^--(?:un|word|check)/)(given) },
  ),
  ...programs('looks', { read: 'blame L:wCM --', pattern: 'grep inlcvwoEFPhHA:B:C:e:0 --' }, DEEP),
  ...programs(
    'looks',
    { text: 'branch arv --show-current --list --all --no-color, tag ln --list --sort=, remote v' },
    ALONE,
  ),
  ...programs('looks', { text: 'stash, worktree' }, { accepts: (operands) => operands.join(' ') === 'list' }),
  ...programs('looks', { text: 'config l --get --list' }, each(/\./, 1)),
  ...programs('runs', {
    read: 'add AufvN --all --update --force --',
    text: 'commit am:qs --all --message= --amend --no-edit --allow-empty --quiet --signoff --',
  }),
  ...programs('runs', { read: 'fetch --all --prune --tags' }, REFS),
  ...programs(
    'writes',
    {
      changed: `checkout bqf --quiet --, switch cq --create --quiet, restore SW --staged --worktree --,
        reset q --hard --soft --mixed --, rm rfq --cached --`,
    },
    DEEP,
  ),
  ...programs(
    'writes',
    { changed: 'merge q --no-ff --ff-only --no-edit --abort --squash, pull q --ff-only --rebase --no-rebase --quiet' },
    { ...DEEP, ...REFS },
  ),
])

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
    `cargo (?:test|build|check|clippy|fmt|doc|tree)(?: (?:--release|--all|--workspace|--lib|--tests|--quiet|-q|-v|--all-targets|--all-features|--no-run|--check|-p|--|--nocapture|${WORD}))*`,
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
