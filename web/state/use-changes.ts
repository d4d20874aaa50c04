import { isAgentId } from '../../src/contract/agent-id.ts'
import type { WireChange } from '../../src/contract/shapes.ts'
import { percentText } from '../../src/engine/report/numbers.ts'
import { sessionPath } from '../api/api-client.ts'
import { useApp } from './app-context.ts'

export type SessionChanges = {
  readonly allowed: boolean
  readonly undo: () => Promise<void>
  readonly redo: () => Promise<void>
  readonly pin: (seq: number, on: boolean) => Promise<void>
  readonly editSummary: (seq: number, summary: string) => Promise<boolean>
}

/** The changes that a user can make to a session. A message shows the result; the screen updates with the event. */
export function useChanges(id: string): SessionChanges {
  const { client, mayWrite, notify } = useApp()

  async function change(method: string, path: string, done: (change: WireChange) => string, body?: unknown) {
    const answer = await client.ask<WireChange>(sessionPath(id, path), { method, body })
    if (answer.ok) notify(`${done(answer.value)} · context ${percentText(answer.value.status)}`)
    else notify(answer.message, 'error')
    return answer.ok
  }

  return {
    allowed: mayWrite && !isAgentId(id),
    undo: async () => void (await change('POST', '/undo', ({ entry }) => `Undid #${entry.of}`)),
    redo: async () => void (await change('POST', '/redo', () => 'Redone')),
    pin: async (seq, on) =>
      void (await change(on ? 'PUT' : 'DELETE', `/pins/${seq}`, () => `#${seq} is ${on ? 'pinned' : 'not pinned'}`)),
    editSummary: (seq, summary) =>
      change('PUT', `/compactions/${seq}/summary`, () => 'The summary is replaced; undo brings the old one back', {
        summary,
      }),
  }
}
