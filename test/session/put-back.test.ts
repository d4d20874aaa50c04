import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { type EntryDraft, type Message, messagesOf } from '../../src/model/types.ts'
import { openSession } from '../../src/session/open-session.ts'
import { loggedStep, putBack } from '../../src/session/user-changes.ts'
import { openStore } from '../../src/store/open-store.ts'
import type { Store } from '../../src/store/store.ts'
import { compaction } from '../support/compaction.ts'
import { assistant, call, result, user } from '../support/messages.ts'

let store: Store
let id: string

beforeEach(async () => {
  store = await openStore(':memory:')
  onTestFinished(() => store.close())
  id = (await store.createSession({ owner: 'ann', workspace: '/repo' })).id
})

const say = (...messages: readonly Message[]) =>
  store.append(
    id,
    messages.map((message): EntryDraft => ({ type: 'message', message })),
  )

describe('the step of a logged message', () => {
  it('is a call with its results, whichever of them is asked for, and any other message alone', async () => {
    const messages = [user('Look.'), call('a'), result('a'), assistant('Done.')]
    await say(...messages)
    await store.append(id, [compaction({ upTo: 4 })])
    for (const target of [2, 3])
      expect(await loggedStep(store, id, target)).toEqual({ target, seqs: [2, 3], messages: messages.slice(1, 3) })
    expect(await loggedStep(store, id, 1)).toEqual({ target: 1, seqs: [1], messages: [user('Look.')] })
    expect(await loggedStep(store, id, 4)).toEqual({ target: 4, seqs: [4], messages: [assistant('Done.')] })
  })

  it('is found far from the beginning of the log, too', async () => {
    await say(...Array.from({ length: 150 }, (_, i) => user(`number ${i + 1}`)), call('a'), result('a'))
    expect(await loggedStep(store, id, 120)).toMatchObject({ seqs: [120], messages: [user('number 120')] })
    expect((await loggedStep(store, id, 152)).seqs).toEqual([151, 152])
  })

  it('has the messages as they were repaired; a repair is never taken back', async () => {
    const late = { op: 'add-result', seq: 2, toolCallId: 'a', toolName: 'read', why: 'missing' } as const
    await say(user('Look.'), call('a'), user('Well?'))
    await store.append(id, [{ type: 'repair', changes: [late] }])
    const roles = async () => (await loggedStep(store, id, 2)).messages.map(({ role }) => role)
    expect(await roles()).toEqual(['assistant', 'tool'])
    await store.append(id, [{ type: 'undo', of: 4 }])
    expect(await roles()).toEqual(['assistant', 'tool'])
  })

  it('ends with the next message if a call has no result: that call is one step, not everything after it', async () => {
    const late = [user('Go on.'), call('b'), result('b'), assistant('Done.'), user('Thanks.')]
    await say(user('Look.'), call('a'), ...late)
    await store.append(id, [compaction({ upTo: 7 })])
    expect((await loggedStep(store, id, 2)).seqs).toEqual([2])
    expect((await loggedStep(store, id, 3)).seqs).toEqual([3])
    for (const target of [4, 5]) expect((await loggedStep(store, id, target)).seqs).toEqual([4, 5])
    expect(await loggedStep(store, id, 7)).toEqual({ target: 7, seqs: [7], messages: [user('Thanks.')] })
  })

  it('is refused for an entry that is not a message of the session', async () => {
    await say(user('Look.'))
    await store.append(id, [compaction()])
    for (const target of [2, 9])
      await expect(loggedStep(store, id, target)).rejects.toThrow(`session ${id} has no message #${target}`)
  })
})

describe('a step that is put back', () => {
  it('is in the view again, and stays through later compactions', async () => {
    await say(user('Look.'), call('a'), result('a'), assistant('Done.'))
    await store.append(id, [compaction({ upTo: 4 })])
    const { session } = await openSession(store, id)
    const drift = { factor: 1.25, model: 'test/model' }
    expect(await putBack(store, id, await loggedStep(store, id, 2), { ...session, drift })).toMatchObject({
      ok: true,
      entries: [{ type: 'pin', target: 2, on: true, back: [2, 3], drift }],
    })
    await store.append(id, [compaction({ upTo: 5, keep: [2, 3] })])
    expect(messagesOf((await openSession(store, id)).view)).toEqual(expect.arrayContaining([call('a'), result('a')]))
  })

  it('is refused when the view has changed meanwhile', async () => {
    await say(user('Look.'), assistant('Done.'))
    await store.append(id, [compaction({ upTo: 1 })])
    const { session } = await openSession(store, id)
    await store.append(id, [compaction({ upTo: 2 })])
    expect(await putBack(store, id, await loggedStep(store, id, 1), session)).toMatchObject({
      ok: false,
      reason: 'superseded',
    })
  })
})
