import { mkdir, open, readFile, rm, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import { writePrivate } from '../../config/write/write-private.ts'
import { messageOf, PithError } from '../../model/problems/errors.ts'
import { jsonProblem } from '../../model/problems/json-problem.ts'
import { parse } from '../../model/problems/parse.ts'
import { coversPath, pathPattern } from '../sandbox/path-pattern.ts'
import { errorCode } from '../tool.ts'
import { homeRules, inHome, NO_RULES, type Rule, type Rules, rulesSchema, ruleText } from './rule.ts'

const STALE_MS = 10_000
const PATIENCE_MS = 15_000
const POLL_MS = 15

/** Runs `work` while holding the lock. The lock of a process that died is taken over after ten seconds. */
export async function withFileLock<T>(
  path: string,
  work: () => Promise<T>,
  patienceMs: number = PATIENCE_MS,
): Promise<T> {
  await acquire(path, patienceMs)
  try {
    return await work()
  } finally {
    await rm(path, { force: true })
  }
}

async function acquire(path: string, patienceMs: number): Promise<void> {
  for (let waited = 0; waited < patienceMs; waited += POLL_MS) {
    if (await made(path)) return
    if (await isStale(path)) await rm(path, { force: true })
    else await pause(POLL_MS)
  }
  throw new PithError('store-unwritable', `${path} is held by another process: try again, or remove it if none runs`)
}

async function made(path: string): Promise<boolean> {
  try {
    await (await open(path, 'wx', 0o600)).close()
    return true
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false
    throw error
  }
}

async function isStale(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined)
  return found !== undefined && Date.now() - found.mtimeMs > STALE_MS
}

/** The place of a workspace's rules: `permissions.json` in the user's data folder. */
export type RulesPlace = { readonly folder: string; readonly workspace: string }

const fileSchema = z.strictObject({ version: z.literal(1), workspaces: z.record(z.string(), rulesSchema) })
type RulesFile = z.infer<typeof fileSchema>

const NO_FILE: RulesFile = { version: 1, workspaces: {} }

/** The rules for a workspace. `~` at the start of a path is replaced by the home folder. */
export async function readRules(place: RulesPlace, home: string = homedir()): Promise<Rules> {
  const written = await writtenRules(place)
  for (const rule of written.never) {
    const problem = neverProblem(rule, place.workspace, home)
    if (problem === undefined) continue
    throw new PithError('bad-rules', `${pathIn(place.folder)}: the rule never ${ruleText(rule)} ${problem}`)
  }
  return homeRules(written, home)
}

/**
 * A sentence on why no one could keep a never rule, and how to write it instead. In 0.2 such rules had no effect, or one on
 * the text of commands only. The sandbox would hide the workspace from every command.
 */
function neverProblem({ kind, pattern }: Rule, workspace: string, home: string): string | undefined {
  if (kind !== 'read' && kind !== 'edit') return undefined
  const path = inHome(pattern, home)
  if (path.split('/').includes('..')) return `has ".." in it: write ${kind}: ${resolve(workspace, path)}`
  const { isAbsolute, names } = pathPattern(path)
  if (!(isAbsolute ? coversPath(pathPattern(path), workspace, workspace) : names.length === 0)) return undefined
  return `is about the workspace itself, in which the agent works: name the folders that you mean (${kind}: ~/.ssh/**), or write ${kind}: ** for all files of the workspace`
}

/** The rules for a workspace as written in the file, for a list. */
export async function writtenRules({ folder, workspace }: RulesPlace): Promise<Rules> {
  return rulesFor(await readFileOf(pathIn(folder)), workspace)
}

function rulesFor({ workspaces }: RulesFile, workspace: string): Rules {
  return Object.hasOwn(workspaces, workspace) ? (workspaces[workspace] ?? NO_RULES) : NO_RULES
}

/** Adds a rule permanently, and removes it from the other list. */
export async function addRule(place: RulesPlace, list: keyof Rules, rule: Rule): Promise<void> {
  const other = list === 'always' ? 'never' : 'always'
  await change(place, (rules) => ({
    always: [],
    never: [],
    [list]: [...without(rules[list], rule), rule],
    [other]: without(rules[other], rule),
  }))
}

export async function removeRule(place: RulesPlace, list: keyof Rules, rule: Rule): Promise<void> {
  await change(place, (rules) => ({ ...rules, [list]: without(rules[list], rule) }))
}

function without(rules: readonly Rule[], { kind, pattern }: Rule): Rule[] {
  return rules.filter((rule) => rule.kind !== kind || rule.pattern !== pattern)
}

/** Reads, changes and writes the file under a lock. */
async function change({ folder, workspace }: RulesPlace, to: (rules: Rules) => Rules): Promise<void> {
  const path = pathIn(folder)
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await withFileLock(`${path}.lock`, async () => {
      const file = await readFileOf(path)
      const rules = to(rulesFor(file, workspace))
      const next: RulesFile = { version: 1, workspaces: { ...file.workspaces, [workspace]: rules } }
      writePrivate(path, `${JSON.stringify(next, undefined, 2)}\n`)
    })
  } catch (error) {
    if (error instanceof PithError || !(error instanceof Error)) throw error
    throw new PithError('store-unwritable', `${path} cannot be written (${error.message}): fix its permissions`, {
      cause: error,
    })
  }
}

async function readFileOf(path: string): Promise<RulesFile> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return undefined
    const why = messageOf(error)
    throw new PithError('bad-rules', `${path} cannot be read (${why}): fix its permissions`, { cause: error })
  })
  if (text === undefined) return NO_FILE
  const what = `${path} was left unchanged, fix it or move it away`
  const broken = jsonProblem(text)
  if (broken !== undefined) {
    const { line, column, text: why } = broken
    throw new PithError('bad-rules', `${what}: it is not JSON (line ${line}, column ${column}: ${why})`)
  }
  return parse(fileSchema, JSON.parse(text), { what, code: 'bad-rules' })
}

function pathIn(folder: string): string {
  return join(folder, 'permissions.json')
}
