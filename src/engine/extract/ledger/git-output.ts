import { isFrame } from '../calls/exit-status.ts'

/** The files that `git status` lists, and whether it lists all that have uncommitted changes. */
export type StatusList = { readonly paths: string[]; readonly whole: boolean }

const MOST_OUTPUT = 40_000
const MOST_PATHS = 200

/** Reads the output of `git status` in its long and its short form; undefined if it is not one of them. */
export function statusOutput(output: string): StatusList | undefined {
  const paths: string[] = []
  let isUntracked = false
  let isStatus = CLEAN.test(output)
  for (const line of output.slice(0, MOST_OUTPUT).split('\n')) {
    isStatus ||= HEADS.test(line)
    // Any line that is not indented ends the list of untracked files.
    if (/^\S/.test(line)) isUntracked = line.startsWith('Untracked files:')
    const named = LONG.exec(line) ?? SHORT.exec(line)
    if (named !== null) {
      isStatus = true
      paths.push(...named.slice(1).filter((path) => path !== undefined))
    } else if (isUntracked && /^\t\S/.test(line)) paths.push(line.trim())
  }
  // `git status --short` prints nothing if nothing is uncommitted.
  if (!isStatus && !isEmpty(output)) return undefined
  const whole = output.length <= MOST_OUTPUT && paths.length <= MOST_PATHS && !TRUNCATED.test(output)
  return { paths: paths.slice(0, MOST_PATHS).map(unquoted), whole }
}

const CLEAN = /\bnothing to commit, working (?:tree|directory) clean\b/
const HEADS =
  /^(?:On branch |HEAD detached |Changes (?:to be committed|not staged)|Untracked files:|Unmerged paths:|## )/
const LONG =
  /^\t(?:modified|new file|deleted|renamed|copied|typechange|both \w+|(?:added|deleted) by \w+): +(.+?)(?: -> (.+))?$/
const SHORT = /^(?:[MADRCUT][ MADRCUT]| [MADRCUT]|\?\?) (\S.*?)(?: -> (.+))?$/
/** Agents cut long output and say so in a line of their own. */
const TRUNCATED = /^.{0,40}\b(?:truncated|omitted|more lines)\b.{0,80}$/im

function isEmpty(output: string): boolean {
  return output.split('\n').every((line) => line.trim() === '' || isFrame(line) || NO_OUTPUT.test(line))
}

const NO_OUTPUT = /^\(?(?:Bash completed with )?no output\)?$/i

function unquoted(path: string): string {
  return /^".*"$/.test(path) ? path.slice(1, -1) : path
}

/** The files in the output of `git diff`, `git show` and `git log`: whole patches, `--stat`, `--name-only` and `--name-status`. */
export function listedFiles(output: string, isNamesOnly = false): string[] {
  const text = output.slice(0, MOST_OUTPUT)
  const stats = Array.from(text.matchAll(STAT), ([, path = '']) => path)
  const statuses = Array.from(text.matchAll(NAME_STATUS), ([, ...paths]) => paths).flat()
  const patches = Array.from(text.matchAll(PATCH), ([, path = '']) => path)
  const names = isNamesOnly ? text.split('\n').filter((line) => NAME.test(line) && !isFrame(line)) : []
  const all = [...stats, ...statuses, ...patches, ...names].filter((path) => path !== undefined)
  // `--stat` shortens long paths to `.../rest` and writes moves as `{old => new}/file`: neither names a file.
  return [...new Set(all)].filter((path) => !/\.\.\.|=>/.test(path)).slice(0, MOST_PATHS)
}

const STAT = /^ ([^\s|][^|\n]{0,300}?) +\| +(?:\d+|Bin)/gm
const NAME_STATUS = /^[MADRCT]\d{0,3}\t([^\t\n]{1,300})(?:\t([^\t\n]{1,300}))?$/gm
const PATCH = /^diff --git a\/\S{1,300} b\/(\S{1,300})$/gm
const NAME = /^[\w.@+-][^\s:]{0,299}$/

/** The files that `git commit` reports as created, deleted or renamed. It does not list those that it only changed. */
export function reportedFiles(output: string): string[] {
  return Array.from(output.slice(0, MOST_OUTPUT).matchAll(MODE), ([, path = '']) => path).slice(0, MOST_PATHS)
}

const MODE = /^ (?:create|delete) mode \d{6} (.{1,300})$/gm

/** The paths that `git add` and `git check-ignore` report as ignored. */
export function ignoredIn(output: string): string[] {
  const list = IGNORED.exec(output.slice(0, MOST_OUTPUT))?.[1] ?? ''
  return list.split('\n').filter((line) => NAME.test(line))
}

const IGNORED = /paths are ignored by one of your \.gitignore files:\n((?:(?!hint:).+\n?){1,200})/

/** The hashes and subjects in the output of `git log`, in its short and its long form. */
export function loggedCommits(output: string): { hash: string; subject: string }[] {
  const text = output.slice(0, MOST_OUTPUT)
  const short = Array.from(text.matchAll(ONE_LINE), ([, hash = '', subject = '']) => ({ hash, subject }))
  const long = Array.from(text.matchAll(WHOLE), ([, hash = '', subject = '']) => ({ hash, subject }))
  return [...short, ...long].slice(0, MOST_LOGGED)
}

const ONE_LINE = /^(?:[*|/\\ ]{0,20})([0-9a-f]{7,40}) (?:\([^)\n]{1,200}\) )?(\S.{0,299})$/gm
const WHOLE =
  /^commit ([0-9a-f]{40})[^\n]*\n(?:(?:Author|AuthorDate|Commit|CommitDate|Date|Merge):[^\n]*\n)+\n {4}(\S.{0,299})$/gm
const MOST_LOGGED = 30
