import { isAgentId } from '../../src/contract/shapes/agent-id.ts'
import type { WireLostMessage } from '../../src/contract/shapes/compaction-shapes.ts'
import type { WireChange, WireLeaveOut, WirePlacedEntry, WireSessionDetail } from '../../src/contract/shapes/shapes.ts'
import { putBackText } from '../../src/engine/report/change-text.ts'
import { counted } from '../../src/engine/report/numbers.ts'
import { sessionPath } from '../api/api-client.ts'
import { go } from '../state/page-route.ts'
import { contextSize } from '../text/compaction-cost.ts'
import { useApp } from './app-context.ts'

/** If more entries were redacted, the message counts them and does not name them. */
const MOST_SHOWN = 20

/** The changes that a user can make to a session. A message shows the result; the screen updates with the event. */
export function useChanges(id: string) {
  const { client, mayWrite, notify } = useApp()

  async function change<C extends WireChange>(
    method: string,
    path: string,
    done: (change: C) => string,
    body?: unknown,
  ) {
    const answer = await client.ask<C>(sessionPath(id, path), { method, body })
    if (answer.ok) notify(`${done(answer.value)} · context ${contextSize(answer.value.status)}`)
    else notify(answer.message, 'error')
    return answer.ok
  }

  /** Removes the text of these entries for good. */
  async function redact([seq, ...also]: readonly number[]): Promise<void> {
    if (seq === undefined) return
    const answer = await client.ask(sessionPath(id, '/redact'), { method: 'POST', body: { seq, also } })
    if (!answer.ok) return notify(answer.message, 'error')
    const seqs = [seq, ...also].map((one) => `#${one}`)
    const shown = seqs.length > MOST_SHOWN ? counted(seqs.length, 'entry') : seqs.join(', ')
    notify(`${shown} ${seqs.length === 1 ? 'is' : 'are'} redacted`)
  }

  /** Makes a session that ends with this entry, and goes there. */
  async function fork(seq: number): Promise<void> {
    const call = { method: 'POST', body: { seq } }
    const answer = await client.ask<WireSessionDetail>(sessionPath(id, '/fork'), call)
    if (!answer.ok) return notify(answer.message, 'error')
    notify(`This is a fork that ends with #${seq}`)
    go({ session: answer.value.id })
  }

  return {
    allowed: mayWrite && !isAgentId(id),
    undo: async () => void (await change('POST', '/undo', ({ entry }) => `Undid #${entry.of}`)),
    redo: async () => void (await change('POST', '/redo', () => 'Redone')),
    /** Puts a message that was lost back, word for word. */
    putBack: async ({ seq, step, step_tokens }: Pick<WireLostMessage, 'seq' | 'step' | 'step_tokens'>) => {
      const text = putBackText({ seq, messages: step.length, tokens: step_tokens })
      await change('PUT', `/pins/${seq}?back=true`, () => text)
    },
    /** Leaves messages out of the context, now or when there is no cache to lose. */
    leaveOut: (what: string, when: 'now' | 'cold') => {
      const done = ({ parts }: WireLeaveOut) =>
        when === 'now'
          ? `${counted(parts, 'message')} left out`
          : `${counted(parts, 'message')} to be left out when the cache is cold or a compaction is due`
      return change('POST', '/leave-out', done, { what, when })
    },
    /** Puts back what a leave-out hides or waits to hide, by its entry or by one of its messages. */
    putBackLeftOut: async ({ seq, type, waits }: WirePlacedEntry) => {
      const part = waits === true ? `#${seq} is taken back` : `What #${seq} left out is back`
      const text = type === 'message' ? `#${seq} is back, with what was left out together with it` : part
      await change('POST', '/put-back', () => text, { seq })
    },
    cancelCompaction: () => void client.ask(sessionPath(id, '/compact'), { method: 'DELETE' }),
    fork,
    /** Keeps a message through later compactions. If it is not in the context word for word, it is put back. */
    pin: async (seq: number) => {
      const done = ({ entry }: WireChange) =>
        entry.back === undefined ? 'is pinned' : 'is back word for word and stays'
      await change('PUT', `/pins/${seq}?back=true`, (made) => `#${seq} ${done(made)}`)
    },
    unpin: async (seq: number) => void (await change('DELETE', `/pins/${seq}`, () => `#${seq} is not pinned`)),
    /** The other messages that have the same words as this one; undefined if the request failed. */
    sameText: async (seq: number): Promise<readonly number[] | undefined> => {
      const body = { seq, dry_run: true }
      const answer = await client.ask<{ same_text: number[] }>(sessionPath(id, '/redact'), { method: 'POST', body })
      if (answer.ok) return answer.value.same_text
      notify(answer.message, 'error')
      return undefined
    },
    redact,
    editSummary: (seq: number, summary: string) =>
      change('PUT', `/compactions/${seq}/summary`, () => 'The summary is replaced; undo brings the old one back', {
        summary,
      }),
  }
}

export type SessionChanges = ReturnType<typeof useChanges>
