import { randomUUID } from 'node:crypto'
import type { AskPermission, PermissionAnswer } from '../../agent/permissions/permission-gate.ts'
import type { PermissionRequest } from '../../agent/tool.ts'

/** A question of permission that a turn asks the reader of its events. */
export type PermissionQuestion = {
  readonly id: string
  readonly toolCallId: string
  readonly action: PermissionRequest['kind']
  /** The path or the command. */
  readonly target: string
  readonly outside: boolean
  readonly diff?: string
}

export type QuestionNews =
  | { readonly type: 'question'; readonly question: PermissionQuestion }
  | { readonly type: 'question-closed'; readonly id: string }

/** Yes, this once; or no, with something for the agent to go on with. Rules for good are the server's own. */
export type QuestionAnswer = { readonly allow: boolean; readonly text?: string | undefined }

const NOBODY: QuestionAnswer = { allow: false, text: 'nobody is there to ask any more. Go on without it.' }

/** The questions that turns of this process wait for. */
export class Questions {
  /** By session and id: nobody answers for a session that is not theirs. */
  readonly #open = new Map<string, (answer: QuestionAnswer) => void>()

  get isAsking(): boolean {
    return this.#open.size > 0
  }

  /** Answers a question; false when it is not one of this process, or has been answered. */
  answer(session: string, id: string, answer: QuestionAnswer): boolean {
    const resolve = this.#open.get(keyOf(session, id))
    resolve?.(answer)
    return resolve !== undefined
  }

  /** Asks a reader. When that has gone, what it was asked is answered with no. */
  asker(session: string, tell: (news: QuestionNews) => void, gone: AbortSignal): AskPermission {
    return async (request, toolCallId, signal) => {
      const question = questionOf(request, toolCallId)
      const { promise, resolve } = Promise.withResolvers<QuestionAnswer>()
      const leave = () => resolve(NOBODY)
      const key = keyOf(session, question.id)
      this.#open.set(key, resolve)
      for (const each of [gone, signal]) each.addEventListener('abort', leave, { once: true })
      if (gone.aborted || signal.aborted) leave()
      else tell({ type: 'question', question })
      const answer = await promise
      this.#open.delete(key)
      for (const each of [gone, signal]) each.removeEventListener('abort', leave)
      tell({ type: 'question-closed', id: question.id })
      return permissionOf(answer)
    }
  }
}

function keyOf(session: string, id: string): string {
  return `${session}\n${id}`
}

function questionOf(request: PermissionRequest, toolCallId: string): PermissionQuestion {
  const of = { id: randomUUID(), toolCallId }
  if (request.kind === 'command') return { ...of, action: 'command', target: request.command, outside: false }
  const diff = request.kind === 'edit' && request.diff !== undefined ? { diff: request.diff } : {}
  return { ...of, action: request.kind, target: request.path, outside: request.outside, ...diff }
}

function permissionOf({ allow, text = '' }: QuestionAnswer): PermissionAnswer {
  return allow ? { kind: 'once' } : { kind: 'tell', text }
}
