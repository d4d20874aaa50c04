import type { WireChange } from '../../src/contract/shapes.ts'
import { percentText } from '../../src/tokens/percent-text.ts'
import { sessionPath } from '../api/client.ts'
import { useApp } from './app-context.ts'

export type Changes = {
  readonly allowed: boolean
  readonly undo: () => Promise<void>
  readonly redo: () => Promise<void>
  readonly pin: (seq: number, on: boolean) => Promise<void>
  readonly editSummary: (seq: number, summary: string) => Promise<boolean>
}

/** What can be changed in a session. The answer is shown as a line; the screen follows the event. */
export function useChanges(id: string): Changes {
  const { client, mayWrite, notify } = useApp()

  async function change(method: string, path: string, done: (change: WireChange) => string, body?: unknown) {
    const answer = await client.ask<WireChange>(sessionPath(id, path), { method, body })
    if (answer.ok) notify(`${done(answer.value)} · context ${percentText(answer.value.status)}`)
    else notify(answer.message, 'error')
    return answer.ok
  }

  return {
    allowed: mayWrite,
    undo: async () => void (await change('POST', '/undo', ({ entry }) => `Took back #${entry.of}`)),
    redo: async () => void (await change('POST', '/redo', () => 'It is back')),
    pin: async (seq, on) =>
      void (await change(on ? 'PUT' : 'DELETE', `/pins/${seq}`, () => `#${seq} is ${on ? 'pinned' : 'not pinned'}`)),
    editSummary: (seq, summary) =>
      change('PUT', `/compactions/${seq}/summary`, () => 'The summary is yours now; undo takes it back', { summary }),
  }
}
