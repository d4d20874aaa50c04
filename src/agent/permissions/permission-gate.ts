import { lstatSync, readlinkSync, realpathSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import type { PermissionMode } from '../../config/tables/file-schema.ts'
import type { AgentDeps, Permit } from '../agent.ts'
import { notRun, untilAborted } from '../interruption.ts'
import type { CommandRequest, PermissionRequest } from '../tool.ts'
import { entriesOf } from '../workspace.ts'
import type { FileProbe } from './commands/forbidden-paths.ts'
import { knownReach, type ReachWall } from './commands/known-reach.ts'
import { type CommandPlace, decide, onlyReads } from './decide.ts'
import { mayRead } from './decide-direct.ts'
import { homeRules, NO_RULES, PERMISSION_MODES, type Rule, type Rules, withoutUser } from './rule.ts'
import { addRule, type RulesPlace, readRules, removeRule, writtenRules } from './rules-file.ts'

/** The user's answer to a permission question. */
export type PermissionAnswer =
  | { readonly kind: 'once' }
  | { readonly kind: 'always' | 'never'; readonly rules: readonly Rule[] }
  /** Allowed until the session is closed: all edits in the workspace, or this very request. */
  | { readonly kind: 'session' }
  /** A refusal, with a text for the model to continue with. */
  | { readonly kind: 'tell'; readonly text: string }

/** Asks the user. Absent if nobody can be asked. `by`: the sub-agent that asks. */
export type AskPermission = (
  request: PermissionRequest,
  toolCallId: string,
  signal: AbortSignal,
  by?: string,
) => Promise<PermissionAnswer>

/** Decides what calls may do, by the mode, the user's rules for the workspace and, if possible, the user's answer. */
export class PermissionGate {
  readonly #place: RulesPlace
  readonly #ask: AskPermission | undefined
  /** Rules in addition to those of the user's file. */
  readonly #more: Rules
  #rules: Rules = NO_RULES
  /** Requests that the user allowed for this session. */
  readonly #allowed = new Set<string>()
  #allowsEdits = false
  mode: PermissionMode
  /** The sandbox of commands, if there is one. */
  wall: (NonNullable<CommandPlace['wall']> & ReachWall) | undefined
  /** True in plan mode: whatever the mode and the rules are, only what reads is allowed. */
  isPlanning: () => boolean = () => false
  /** How many requests were refused. */
  refused = 0

  private constructor(mode: PermissionMode, place: RulesPlace, more: Rules, ask: AskPermission | undefined) {
    this.mode = mode
    this.#place = place
    this.#more = homeRules(more, homedir())
    this.#ask = ask
  }

  /** `more`: rules in addition to those of the user's file, for the lifetime of this gate. */
  static async open(
    mode: PermissionMode,
    place: RulesPlace,
    ask?: AskPermission,
    more: Rules = NO_RULES,
  ): Promise<PermissionGate> {
    const gate = new PermissionGate(mode, place, more, ask)
    await gate.#readRules()
    return gate
  }

  async #readRules(): Promise<void> {
    const { always, never } = await readRules(this.#place)
    this.#rules = { always: [...always, ...this.#more.always], never: [...never, ...this.#more.never] }
  }

  readonly mayRead: NonNullable<AgentDeps['mayRead']> = (path) => mayRead(this.#rules, path, this.#place.workspace)

  /** The never rules in force, for the sandbox of commands. */
  readonly never: NonNullable<AgentDeps['never']> = () => this.#rules.never

  /** The user's rules for the workspace, as written in the file. */
  rules(): Promise<Rules> {
    return writtenRules(this.#place)
  }

  /** Removes a rule of the user, from the next call on. */
  async remove(list: keyof Rules, rule: Rule): Promise<void> {
    await removeRule(this.#place, list, rule)
    await this.#readRules()
  }

  readonly permit: AgentDeps['permit'] = async (request, toolCallId, signal, by) => {
    const permit = await this.#decide(request, toolCallId, signal, by)
    // A call that is refused a second run has run.
    if (!permit.ok && !(request.kind === 'command' && request.again)) this.refused++
    return permit
  }

  async #decide(
    plain: PermissionRequest,
    toolCallId: string,
    signal: AbortSignal,
    by: string | undefined,
  ): Promise<Permit> {
    const place = { workspace: this.#place.workspace, home: homedir(), probe: DISK_PROBE, wall: this.wall }
    if (this.isPlanning() && !onlyReads(plain, place)) return { ok: false, reason: planningReason(by) }
    const request = await this.#withReach(plain)
    const mode = request.kind === 'edit' && this.mode === 'ask' && this.#allowsEdits ? 'auto-edit' : this.mode
    const decision = decide(mode, this.#rules, request, place)
    const allowed: Permit = request === plain ? ALLOWED : { ok: true, request }
    if (decision.kind === 'allow') return allowed
    if (decision.kind === 'refuse') return { ok: false, reason: decision.reason }
    if (this.#allowed.has(keyOf(request))) return allowed
    if (this.#ask === undefined) {
      const allowing = PERMISSION_MODES.find((each) => decide(each, this.#rules, request, place).kind === 'allow')
      return { ok: false, reason: decision.doubt ?? withoutUser(request, allowing) }
    }
    const answer = await untilAborted(this.#ask(request, toolCallId, signal, by), signal)
    if (answer === undefined) return { ok: false, reason: notRun(signal) }
    const permit = await this.#answered(answer, request)
    return permit.ok ? allowed : permit
  }

  /**
   * A command with what it is known to reach beyond the sandbox. If nobody is asked, it stays inside even if it needs a secret:
   * it may have another one from its environment.
   */
  async #withReach(request: PermissionRequest): Promise<PermissionRequest> {
    if (request.kind !== 'command' || request.outside === true || this.wall === undefined) return request
    const { command } = request
    const staysInside = this.mode === 'full' || this.#ask === undefined
    const allowed: CommandRequest = { kind: 'command', command, outside: true }
    if (!staysInside && this.#allowed.has(keyOf(allowed))) return allowed
    const { workspace } = this.#place
    const { needs, writes } = await knownReach(command, {
      workspace,
      home: homedir(),
      wall: this.wall,
      never: this.#rules.never,
    })
    if (needs === undefined) return writes === undefined ? request : { ...request, writes }
    return staysInside ? request : { ...allowed, needs }
  }

  async #answered(answer: PermissionAnswer, request: PermissionRequest): Promise<Permit> {
    switch (answer.kind) {
      case 'once':
        return ALLOWED
      case 'session':
        if (request.kind === 'edit' && !request.outside) this.#allowsEdits = true
        else this.#allowed.add(keyOf(request))
        return ALLOWED
      case 'always':
      case 'never':
        for (const rule of answer.rules) await addRule(this.#place, answer.kind, rule)
        await this.#readRules()
        // A new never rule may be about what was allowed before it.
        if (answer.kind === 'never') this.#allowed.clear()
        return answer.kind === 'always'
          ? ALLOWED
          : { ok: false, reason: 'The user forbids this for good. Do not try it another way.' }
      case 'tell':
        return answer.text.trim() === ''
          ? { ok: false, reason: 'The user does not want this.' }
          : { ok: false, reason: `The user does not want this and says: ${answer.text}`, said: answer.text }
    }
  }
}

const ALLOWED: Permit = { ok: true }

/** A sub-agent (`by`) has no plan to hand over. */
function planningReason(by: string | undefined): string {
  const next =
    by === undefined ? 'When you know enough, hand over the plan with the todo tool.' : 'Report what you found.'
  return `Not allowed in plan mode, in which you only read: files, searches, and plain commands that change nothing. ${next}`
}

/** The same request again has the same key. The diff of an edit is a part of it. */
function keyOf(request: PermissionRequest): string {
  if (request.kind === 'tool') return JSON.stringify({ tool: request.tool })
  if (request.kind !== 'command') return JSON.stringify(request)
  const { command, outside = false, writes } = request
  return JSON.stringify({ command, outside, writes })
}

const MOST_ENTRIES = 20_000

/** Checks for files on the disk, without following links. */
export const DISK_PROBE: FileProbe = {
  exists: (path) => lstatSync(path, { throwIfNoEntry: false }) !== undefined,
  real: (path) => realPath(path),
  below: (folder) => {
    const found: string[] = []
    return collect(folder, found) ? found : undefined
  },
}

const MOST_LINKS = 40

/** The real path, also of a file that does not exist yet: writing to a link without a target makes the target. */
function realPath(path: string, links = 0): string | undefined {
  try {
    return realpathSync.native(path)
  } catch {
    if (path === '/' || links > MOST_LINKS) return undefined
    const folder = realPath(dirname(path), links)
    if (folder === undefined) return undefined
    const here = `${folder}/${basename(path)}`
    if (lstatSync(here, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return resolve(here)
    return realPath(resolve(folder, readlinkSync(here)), links + 1)
  }
}

/** False if there are too many entries, or a link to another folder: a shell would follow it. */
function collect(folder: string, found: string[]): boolean {
  for (const entry of entriesOf(folder)) {
    if (found.length >= MOST_ENTRIES) return false
    const path = join(folder, entry.name)
    found.push(path)
    if (entry.isSymbolicLink()) {
      if (leadsToFolder(path)) return false
      found.push(realPath(path) ?? path)
    }
    if (entry.isDirectory() && !collect(path, found)) return false
  }
  return true
}

function leadsToFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}
