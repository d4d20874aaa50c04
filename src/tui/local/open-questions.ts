import { randomUUID } from 'node:crypto'
import type { AgentDeps, CompactionAnswer } from '../../agent/agent.ts'
import type { AskPermission, PermissionAnswer } from '../../agent/permissions/permission-gate.ts'
import { requestNote, ruleText, type SuggestedRules, suggestRules } from '../../agent/permissions/rule.ts'
import type { PermissionRequest } from '../../agent/tool.ts'
import type { ProjectMcp } from '../../config/places/project-mcp.ts'
import type { TrustAnswer } from '../../config/places/trust.ts'
import type { PreviewResult } from '../../engine/compact/preview.ts'
import type { PreviewFacts } from '../../engine/report/outcome.ts'
import type { Answer, PermissionQuestion, PortEvent, Question } from '../port/port.ts'

type Emit = (event: PortEvent) => void

/** Questions that wait for the user. An interruption answers them with no. */
export class OpenQuestions {
  readonly #emit: Emit
  readonly #open = new Map<string, (answer: Answer) => void>()

  constructor(emit: Emit) {
    this.#emit = emit
  }

  answer(id: string, answer: Answer): void {
    this.#open.get(id)?.(answer)
  }

  readonly askPermission: AskPermission = async (request, toolCallId, signal, by) => {
    // No rule for a command answers a question about what it reaches beyond the sandbox, so none is offered.
    const reachesOut = request.kind === 'command' && (request.outside === true || request.writes !== undefined)
    const rules = reachesOut ? {} : suggestRules(request)
    const answer = await this.#ask(
      { ...permissionQuestion(request, rules, by), toolCallId },
      { kind: 'tell', text: '' },
      signal,
    )
    return permissionAnswer(answer, rules)
  }

  readonly askCompaction: NonNullable<AgentDeps['askCompaction']> = async (preview, signal) => {
    const question: Question = { kind: 'compaction', id: randomUUID(), preview: previewFacts(preview) }
    return compactionAnswer(await this.#ask(question, { kind: 'later' }, signal))
  }

  readonly askPlan: NonNullable<AgentDeps['askPlan']> = async (steps, signal) => {
    const answer = await this.#ask({ kind: 'plan', id: randomUUID(), steps }, { kind: 'refused' }, signal)
    if (answer.kind === 'tell') return answer
    return { kind: answer.kind === 'accepted' ? 'accepted' : 'refused' }
  }

  /** Undefined if the user puts the question off. */
  async askTrust({ file, asked }: ProjectMcp): Promise<TrustAnswer | undefined> {
    const question: Question = { kind: 'trust', id: randomUUID(), file, servers: asked }
    const { kind } = await this.#ask(question, { kind: 'later' }, new AbortController().signal)
    return kind === 'trusted' || kind === 'refused' ? kind : undefined
  }

  async #ask(question: Question, onAbort: Answer, signal: AbortSignal): Promise<Answer> {
    const { promise, resolve } = Promise.withResolvers<Answer>()
    const abort = () => resolve(onAbort)
    this.#open.set(question.id, resolve)
    signal.addEventListener('abort', abort, { once: true })
    if (signal.aborted) abort()
    else this.#emit({ type: 'question', question })
    const answer = await promise
    signal.removeEventListener('abort', abort)
    this.#open.delete(question.id)
    this.#emit({ type: 'question-closed', id: question.id })
    return answer
  }
}

function permissionQuestion(
  request: PermissionRequest,
  { exact, prefix }: SuggestedRules,
  by?: string,
): PermissionQuestion {
  const rule = exact?.map(ruleText).join(', ')
  const asked = {
    kind: 'permission' as const,
    id: randomUUID(),
    by,
    rule,
    prefix: prefix?.map(ruleText).join(', '),
    // Of a compound command, it is not clear which part the user would forbid.
    never: exact?.length === 1 ? rule : undefined,
    session: request.kind === 'edit' && !request.outside ? ('edits' as const) : ('request' as const),
  }
  if (request.kind === 'command') {
    const { command: target, outside = false } = request
    return { ...asked, action: 'command', target, outside, note: requestNote(request) }
  }
  if (request.kind === 'tool')
    return { ...asked, action: 'tool', target: `${request.tool}\n${request.input}`, outside: false }
  const { kind: action, path: target, outside } = request
  return { ...asked, action, target, outside, diff: request.kind === 'edit' ? request.diff : undefined }
}

function permissionAnswer(answer: Answer, { exact, prefix }: SuggestedRules): PermissionAnswer {
  if (answer.kind === 'once' || answer.kind === 'session') return { kind: answer.kind }
  if ((answer.kind === 'always' || answer.kind === 'never') && exact !== undefined)
    return { kind: answer.kind, rules: exact }
  if (answer.kind === 'prefix' && prefix !== undefined) return { kind: 'always', rules: prefix }
  return { kind: 'tell', text: answer.kind === 'tell' ? answer.text : '' }
}

function compactionAnswer(answer: Answer): CompactionAnswer {
  if (answer.kind === 'compact') return answer
  return { kind: answer.kind === 'off' ? 'off' : 'later' }
}

/** A preview without the messages themselves. */
export function previewFacts(preview: PreviewResult): PreviewFacts {
  if (preview.kind === 'keep') return { kind: 'keep', reason: preview.reason }
  const { tokens, messages, spanTokens, kept, estimatedCost } = preview
  return { kind: 'compact', tokens, messages, spanTokens, keptMessages: kept.length, estimatedCost }
}
