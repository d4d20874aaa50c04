import { randomUUID } from 'node:crypto'
import type { AgentDeps, CompactionAnswer } from '../../agent/agent.ts'
import type { AskPermission, PermissionAnswer } from '../../agent/permissions/permission-gate.ts'
import { type Rule, ruleText, suggestRule } from '../../agent/permissions/rule.ts'
import type { PermissionRequest } from '../../agent/tool.ts'
import type { ProjectMcp } from '../../config/places/project-mcp.ts'
import type { TrustAnswer } from '../../config/places/trust.ts'
import type { PreviewResult } from '../../engine/compact/preview.ts'
import type { PreviewFacts } from '../../engine/report/outcome.ts'
import type { Answer, PortEvent, Question } from '../port/port.ts'

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

  readonly askPermission: AskPermission = async (request, _, signal) => {
    const rule = suggestRule(request)
    const answer = await this.#ask(permissionQuestion(request, rule), { kind: 'tell', text: '' }, signal)
    return permissionAnswer(answer, rule)
  }

  readonly askCompaction: NonNullable<AgentDeps['askCompaction']> = async (preview, signal) => {
    const question: Question = { kind: 'compaction', id: randomUUID(), preview: previewFacts(preview) }
    return compactionAnswer(await this.#ask(question, { kind: 'later' }, signal))
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

function permissionQuestion(request: PermissionRequest, suggested: Rule | undefined): Question {
  const id = randomUUID()
  const rule = suggested === undefined ? undefined : ruleText(suggested)
  if (request.kind === 'command') {
    const { command: target, outside = false } = request
    // No rule is offered, because it would also apply to the command inside the sandbox.
    return { kind: 'permission', id, action: 'command', target, outside, rule: outside ? undefined : rule }
  }
  if (request.kind === 'tool') {
    const target = `${request.tool}\n${request.input}`
    return { kind: 'permission', id, action: 'tool', target, outside: false, rule }
  }
  const { kind: action, path: target, outside } = request
  const diff = request.kind === 'edit' ? request.diff : undefined
  return { kind: 'permission', id, action, target, outside, diff, rule }
}

function permissionAnswer(answer: Answer, rule: Rule | undefined): PermissionAnswer {
  if (answer.kind === 'once') return { kind: 'once' }
  if ((answer.kind === 'always' || answer.kind === 'never') && rule !== undefined) return { kind: answer.kind, rule }
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
