import fc from 'fast-check'
import { expect, it } from 'vitest'
import { viewOf } from '../../src/engine/context/view/view-of.ts'
import { type EntryDraft, type Message, messagesOf } from '../../src/model/types.ts'
import { compactSession, redo, undo } from '../../src/session/index.ts'
import { leaveOut, putBackLeftOut } from '../../src/session/leave-out.ts'
import { LiveSession } from '../../src/session/live-session.ts'
import { openSession } from '../../src/session/open-session.ts'
import { pin, redactEntries } from '../../src/session/user-changes.ts'
import { openStore } from '../../src/store/open-store.ts'
import { full } from '../support/full.ts'
import { assistant, call, result, user } from '../support/messages.ts'

const KINDS = ['turn', 'leave-out', 'later', 'tool', 'put-back', 'compact', 'pin', 'redact', 'undo', 'redo'] as const

const moves = fc.array(fc.record({ kind: fc.constantFrom(...KINDS), pick: fc.nat({ max: 500 }) }), {
  minLength: 1,
  maxLength: 14,
  size: 'max',
})

it('a session with parts left out is the same in memory, opened again, and folded from its whole log', async () => {
  const store = await openStore(':memory:')
  try {
    await fc.assert(
      fc.asyncProperty(moves, async (list) => {
        const { id } = await store.createSession({ owner: 'ann', workspace: '/repo' })
        await store.append(id, turn(0))
        const live = await LiveSession.open(store, id)
        for (const move of list) {
          await apply(live, move)
          await live.refresh()
          const opened = (await openSession(store, id)).view
          expect(messagesOf(live.view)).toEqual(messagesOf(opened))
          expect(messagesOf(opened)).toEqual(messagesOf(viewOf((await store.entries(id)).entries)))
        }
      }),
      { numRuns: full ? 400 : 15 },
    )
  } finally {
    await store.close()
  }
})

async function apply(live: LiveSession, { kind, pick }: { kind: (typeof KINDS)[number]; pick: number }): Promise<void> {
  const { store, id } = live
  const seq = 1 + (pick % live.session.lastSeq)
  const session = { live, context: () => live.context({}) }
  switch (kind) {
    case 'turn':
      await live.append(turn(live.session.lastSeq))
      return
    case 'leave-out':
      await leaveOut(store, session, `#${seq}-#${seq + (pick % 7)}`, { requestedBy: 'user' })
      return
    case 'later':
      await leaveOut(store, session, `#${seq}-#${seq + (pick % 7)}`, { requestedBy: 'model', when: 'cold' })
      return
    case 'tool':
      await leaveOut(store, session, 'tool:bash', { requestedBy: 'user' })
      return
    case 'put-back':
      await putBackLeftOut(store, session, seq)
      return
    case 'compact':
      await compactSession(store, id, { holder: 'test', policy: { keepTokens: 1 + pick * 4, rungs: ['digest'] } })
      return
    case 'pin':
    case 'redact': {
      const [entry] = (await store.entries(id, { seqs: [seq], only: 'messages' })).entries
      if (entry === undefined) return
      await (kind === 'pin' ? pin(store, id, seq) : redactEntries(store, id, [seq]))
      return
    }
    case 'undo':
      await undo(store, id)
      return
    case 'redo':
      await redo(store, id)
  }
}

function turn(n: number): EntryDraft[] {
  const long = `The herons of pond ${n} stand in src/pond${n}.ts and wait. `.repeat(12)
  const messages: Message[] = [
    user(`question ${n} ${long}`),
    call(`c${n}`, 'bash', { command: `run ${n}` }),
    result(`c${n}`, long, 'bash'),
    assistant(`answer ${n} ${long}`),
  ]
  return messages.map((message) => ({ type: 'message', message }))
}
