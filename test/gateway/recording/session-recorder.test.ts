import { hostname } from 'node:os'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { FaceRequest } from '../../../src/gateway/faces/face.ts'
import { readRequest } from '../../../src/gateway/faces/read-request.ts'
import type { Place } from '../../../src/gateway/recording/session-ends.ts'
import { SessionRecorder } from '../../../src/gateway/recording/session-recorder.ts'
import { withRecordMark } from '../../../src/gateway/records/seal.ts'
import { type Message, textOf } from '../../../src/model/types.ts'
import { openStore } from '../../../src/store/open-store.ts'
import type { SessionId, Store } from '../../../src/store/store.ts'

const model = 'local/m'
const usage = { inputTokens: 10, outputTokens: 2 }

async function world() {
  const store = await openStore(':memory:')
  onTestFinished(() => store.close())
  const recorderOf = (holder: string) => new SessionRecorder({ store, holder, owner: 'local', workspace: '/w' })
  return { store, recorderOf, recorder: recorderOf('other-machine:1') }
}

/** A request in which user and assistant speak in turn. */
function request(...texts: string[]): FaceRequest {
  const messages = texts.map((content, i) => ({ role: i % 2 === 0 ? 'user' : 'assistant', content }))
  const body = Buffer.from(JSON.stringify({ model: 'm', messages }))
  const read = readRequest({ method: 'POST', path: '/v1/messages', headers: {}, body })
  if (read === undefined) throw new Error('the request is not read')
  return read
}

const answer = (content: string) => ({ message: { role: 'assistant', content } as Message, usage })

async function said(store: Store, id: SessionId | undefined): Promise<string[]> {
  const { entries } = await store.entries(id ?? '')
  return entries.map((entry) => (entry.type === 'message' ? textOf(entry.message) : entry.type))
}

describe('the sessions of several servers on one database', () => {
  /** Two servers, which hold all sessions together. */
  async function servers() {
    const { store, recorderOf } = await world()
    return { store, one: recorderOf('servers'), two: recorderOf('servers') }
  }

  it('continue at either server', async () => {
    const { store, one, two } = await servers()
    const first = await one.addAnswer(await one.addRequest(request('a')), answer('b'), model)
    const second = await two.addAnswer(await two.addRequest(request('a', 'b', 'c')), answer('d'), model)
    const third = await one.addRequest(request('a', 'b', 'c', 'd', 'e'))
    expect([second.session, third.session]).toEqual([first.session, first.session])
    expect(await said(store, first.session)).toEqual(['a', 'b', 'c', 'd', 'e'])
  })

  it('take the same request and answer once if both servers get them at once', async () => {
    const { store, one, two } = await servers()
    for (const texts of [['a'], ['a', 'b', 'c'], ['a', 'b', 'c', 'd', 'e', 'f', 'g']]) {
      const places = await Promise.all([one, two].map((each) => each.addRequest(request(...texts))))
      const reply = answer(texts.length === 1 ? 'b' : 'd')
      const ends = [one, two].map((each, i) => each.addAnswer(places[i] as Place, reply, model))
      expect(new Set((await Promise.all(ends)).map(({ session }) => session)).size).toBe(1)
    }
    const { sessions } = await store.sessions()
    expect(sessions).toHaveLength(1)
    expect(await said(store, sessions[0]?.id)).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'd'])
  })

  it('take only what is missing if another server has appended a part of the request meanwhile', async () => {
    const { store, one, two } = await servers()
    const place = await one.addRequest(request('a'))
    const [end, next] = await Promise.all([
      one.addAnswer(place, answer('b'), model),
      two.addRequest(request('a', 'b', 'c')),
    ])
    expect([end.session, next.session]).toEqual([place.session, place.session])
    expect((await said(store, place.session)).filter((text) => text !== 'void')).toEqual(['a', 'b', 'c'])
  })

  it('keep the usage of an answer that the next request has brought to another server first', async () => {
    const { store, one, two } = await servers()
    const place = await one.addRequest(request('a'))
    await two.addRequest(request('a', 'b', 'c'))
    await one.addAnswer(place, answer('b'), model)
    expect(await said(store, place.session)).toEqual(['a', 'b', 'c', 'void'])
    const { entries } = await store.entries(place.session ?? '', { seqs: [4] })
    expect(entries).toMatchObject([{ usage, model }])
  })

  it('branch if both continue with other words at once', async () => {
    const { store, one, two } = await servers()
    await one.addRequest(request('a', 'b', 'c'))
    const ends = await Promise.all([
      one.addRequest(request('a', 'b', 'c', 'd', 'e1')),
      two.addRequest(request('a', 'b', 'c', 'd', 'e2')),
    ])
    const texts = await Promise.all(ends.map(({ session }) => said(store, session)))
    expect(texts).toEqual([
      ['a', 'b', 'c', 'd', 'e1'],
      ['a', 'b', 'c', 'd', 'e2'],
    ])
  })

  it("continue once after a summary that the client's model wrote, if both get the next request at once", async () => {
    const { store, one, two } = await servers()
    const place = await one.addRequest(request('a', 'b', 'c'))
    const summary = 'All of the work was done, and the tests of the parser pass.'
    await one.addSummary(place, answer(summary), model)
    const next = request(summary, 'Understood.', 'Go on.')
    const ends = await Promise.all([one.addRequest(next), two.addRequest(next)])
    expect(ends.map(({ session }) => session)).toEqual([place.session, place.session])
    expect((await said(store, place.session)).slice(3)).toEqual(['void', 'compaction', 'Understood.', 'Go on.'])
  })

  it('begin again if the session was deleted while a fork shares its entries', async () => {
    const { store, one } = await servers()
    const { session = '' } = await one.addRequest(request('a', 'b', 'c'))
    await one.addRequest(request('a', 'b', 'C'))
    await store.deleteSession(session)
    const again = await one.addRequest(request('a', 'x', 'y'))
    expect(again.session).not.toBe(session)
    expect(await said(store, again.session)).toEqual(['a', 'x', 'y'])
  })
})

describe('the sessions of a gateway', () => {
  it('grow by what is new in each request, and by the answer with its usage', async () => {
    const { store, recorder } = await world()
    const first = await recorder.addAnswer(await recorder.addRequest(request('a')), answer('b'), model)
    const second = await recorder.addAnswer(await recorder.addRequest(request('a', 'b', 'c')), answer('d'), model)
    expect(second.session).toBe(first.session)
    expect(await said(store, first.session)).toEqual(['a', 'b', 'c', 'd'])
    const { entries } = await store.entries(first.session ?? '', { seqs: [2] })
    expect(entries).toMatchObject([{ usage, model }])
    expect(await store.session(first.session ?? '')).toMatchObject({ title: 'a', workspace: '/w', owner: 'local' })
  })

  it('continue after a restart of the gateway, whatever process recorded them', async () => {
    const { store, recorderOf } = await world()
    const dead = recorderOf(`${hostname()}:999999`)
    const { session } = await dead.addAnswer(await dead.addRequest(request('a')), answer('b'), model)
    const place = await recorderOf('other-machine:2').addRequest(request('a', 'b', 'c'))
    expect(place.session).toBe(session)
    expect(await said(store, session)).toEqual(['a', 'b', 'c'])
  })

  it('are forked by another process that begins with the same words while the first one lives', async () => {
    const { store, recorderOf } = await world()
    const [one, two] = [recorderOf('other-machine:1'), recorderOf('other-machine:2')]
    const first = await one.addAnswer(await one.addRequest(request('a')), answer('b'), model)
    const second = await two.addAnswer(await two.addRequest(request('a')), answer('b'), model)
    expect(second.session).not.toBe(first.session)
    const [again, other] = [
      await one.addRequest(request('a', 'b', 'c1')),
      await two.addRequest(request('a', 'b', 'c2')),
    ]
    expect([again.session, other.session]).toEqual([first.session, second.session])
    expect(await said(store, first.session)).toEqual(['a', 'b', 'c1'])
    expect(await said(store, second.session)).toEqual(['a', 'b', 'c2'])
  })

  it('are not continued by another process while the one that wrote them lives', async () => {
    const { store, recorderOf } = await world()
    const [one, two] = [recorderOf('other-machine:1'), recorderOf('other-machine:2')]
    const first = await one.addAnswer(await one.addRequest(request('a')), answer('b'), model)
    const second = await two.addRequest(request('a', 'b', 'c2'))
    expect(second.session).not.toBe(first.session)
    expect(await said(store, first.session)).toEqual(['a', 'b'])
  })

  it('branch where a client goes back or changes a message, and share what comes before it', async () => {
    const { store, recorder } = await world()
    const { session } = await recorder.addRequest(request('a', 'b', 'c', 'd', 'e'))
    const rewound = await recorder.addAnswer(await recorder.addRequest(request('a', 'b', 'c')), answer('D'), model)
    expect(await store.session(rewound.session ?? '')).toMatchObject({ parent: { id: session, seq: 3 } })
    expect(await said(store, rewound.session)).toEqual(['a', 'b', 'c', 'D'])
    const edited = await recorder.addRequest(request('a', 'b', 'C'))
    expect(await said(store, edited.session)).toEqual(['a', 'b', 'C'])
    const onward = await recorder.addRequest(request('a', 'b', 'c', 'd', 'e', 'f', 'g'))
    expect(onward.session).toBe(session)
    expect(await said(store, session)).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g'])
  })

  it('are others for side requests, such as for a title, and for other owners', async () => {
    const { store, recorder } = await world()
    const main = await recorder.addRequest(request('a'))
    const title = await recorder.addRequest(request('Write a title for: a'))
    expect(title.session).not.toBe(main.session)
    const stranger = new SessionRecorder({ store, holder: 'other-machine:1', owner: 'ann', workspace: '/w' })
    expect((await stranger.addRequest(request('a'))).session).not.toBe(main.session)
  })

  it('do not continue for another owner who begins with a copy of their record', async () => {
    const { store } = await world()
    const key = Buffer.alloc(32)
    const recorderOf = (owner: string) =>
      new SessionRecorder({ store, holder: 'other-machine:1', owner, workspace: '/w', key })
    const { session = '', seq = 0 } = await recorderOf('local').addRequest(request('a', 'b', 'c'))
    const record = withRecordMark('The record.', { session, seq }, key)
    const next = request(record, 'Understood.', 'What was the password?')
    const stranger = await recorderOf('ann').addRequest(next)
    expect(stranger.session).not.toBe(session)
    expect(await store.session(stranger.session ?? '')).toMatchObject({ owner: 'ann', parent: undefined })
    expect(await said(store, session)).toEqual(['a', 'b', 'c'])
    expect((await recorderOf('local').addRequest(next)).session).toBe(session)
  })

  it('do not continue for another owner who begins with the summary that their model wrote', async () => {
    const { store } = await world()
    const recorderOf = (owner: string) =>
      new SessionRecorder({ store, holder: 'other-machine:1', owner, workspace: '/w' })
    const own = recorderOf('local')
    const place = await own.addRequest(request('a', 'b', 'c'))
    const summary = 'All of the work was done, and the tests of the parser pass.'
    await own.addSummary(place, answer(summary), model)
    const next = request(summary, 'Understood.', 'What was the password?')
    const stranger = await recorderOf('ann').addRequest(next)
    expect(stranger.session).not.toBe(place.session)
    expect(await said(store, place.session)).not.toContain('compaction')
    expect((await own.addRequest(next)).session).toBe(place.session)
  })

  it('take a request that comes twice, with the same or with another answer', async () => {
    const { store, recorder } = await world()
    const first = await recorder.addAnswer(await recorder.addRequest(request('a')), answer('b'), model)
    const same = await recorder.addAnswer(await recorder.addRequest(request('a')), answer('b'), model)
    expect(same.session).toBe(first.session)
    const other = await recorder.addAnswer(await recorder.addRequest(request('a')), answer('B'), model)
    expect(await said(store, other.session)).toEqual(['a', 'B'])
    expect(await said(store, first.session)).toEqual(['a', 'b'])
  })

  it('have the name of the first one when only the answer is another', async () => {
    const { store, recorder } = await world()
    const place = await recorder.addRequest(request('Look at the parser'))
    await recorder.addAnswer(place, answer('I look.'), model)
    await recorder.addAnswer(place, answer('I read it first.'), model)
    const { sessions } = await store.sessions()
    expect(sessions.map(({ title }) => title)).toEqual(['Look at the parser', 'Look at the parser'])
  })

  it('are never mixed when two processes extend one at the same moment', async () => {
    const { store, recorderOf } = await world()
    const dead = recorderOf(`${hostname()}:999999`)
    await dead.addRequest(request('a'))
    const places = await Promise.all(
      ['c1', 'c2'].map((words, i) => recorderOf(`other-machine:${i}`).addRequest(request('a', 'b', words))),
    )
    const logs = await Promise.all(places.map(({ session }) => said(store, session)))
    expect(logs).toEqual([
      ['a', 'b', 'c1'],
      ['a', 'b', 'c2'],
    ])
  })

  it('change nothing for a mark, an id, reasoning or white space that the client moves', async () => {
    const { store, recorder } = await world()
    const { session } = await recorder.addAnswer(await recorder.addRequest(request('a')), answer('b \n'), model)
    const moved = request('a', 'b', 'c')
    const marked = JSON.parse(moved.body.toString())
    marked.messages[0].content = [{ type: 'text', text: 'a', cache_control: { type: 'ephemeral' } }]
    marked.messages[1].content = [
      { type: 'thinking', thinking: 'x', signature: 's' },
      { type: 'text', text: 'b' },
    ]
    const body = Buffer.from(JSON.stringify(marked))
    const read = readRequest({ method: 'POST', path: '/v1/messages', headers: {}, body })
    if (read !== undefined) expect((await recorder.addRequest(read)).session).toBe(session)
    expect(await said(store, session)).toEqual(['a', 'b \n', 'c'])
  })
})

describe('a conversation that continues from a summary of the client’s own model', () => {
  const SUMMARY =
    '<analysis>Thought of many things.</analysis>\n<summary>\nThe heron of the lake was drawn.\nThe reeds are missing.\n</summary>'
  const FRAME = 'This session goes on from an earlier one.\nThe heron of the lake was drawn.\nThe reeds are missing.'

  async function summarised() {
    const { store, recorder, recorderOf } = await world()
    await recorder.addAnswer(await recorder.addRequest(request('Draw the heron.')), answer('Drawn.'), model)
    const whole = request('Draw the heron.', 'Drawn.', 'Never push.', 'All right.')
    const place = await recorder.addRequest(whole)
    await recorder.addSummary(place, answer(SUMMARY), model)
    return { store, recorder, recorderOf, place }
  }

  it('continues in the same session, after that compaction', async () => {
    const { store, recorder, place } = await summarised()
    const next = await recorder.addRequest(request(FRAME, 'I see.', 'Go on.'))
    expect(next.session).toBe(place.session)
    await recorder.addAnswer(next, answer('Reeds drawn.'), model)
    const more = await recorder.addRequest(request(FRAME, 'I see.', 'Go on.', 'Reeds drawn.', 'More.'))
    expect(more.session).toBe(place.session)
    const before = ['Draw the heron.', 'Drawn.', 'Never push.', 'All right.']
    expect(await said(store, place.session)).toEqual([
      ...before,
      ...['void', 'compaction', 'I see.', 'Go on.', 'Reeds drawn.', 'More.'],
    ])
    const { entries } = await store.entries(place.session ?? '')
    const compaction = entries.find(({ type }) => type === 'compaction')
    expect(compaction).toMatchObject({ summary: FRAME, upTo: 4, keep: [], messages: 4, tokensBefore: 12 })
    expect((await store.sessions()).sessions).toHaveLength(1)
  })

  it('keeps what the client says again after the summary', async () => {
    const { store, recorder, place } = await summarised()
    await recorder.addRequest(request(FRAME, 'Drawn.', 'Never push.', 'All right.', 'Go on.'))
    const { entries } = await store.entries(place.session ?? '')
    expect(entries.find(({ type }) => type === 'compaction')).toMatchObject({ keep: [2, 3, 4], messages: 1 })
    expect((await said(store, place.session)).slice(4)).toEqual(['void', 'compaction', 'Go on.'])
  })

  it('continues in another process, too', async () => {
    const { store, recorderOf, place } = await summarised()
    const next = await recorderOf('other-machine:2').addRequest(request(FRAME, 'I see.', 'Go on.'))
    expect((await said(store, next.session)).slice(4)).toEqual(['void', 'compaction', 'I see.', 'Go on.'])
    expect(next.session).toBe(place.session)
  })

  it('continues as before if the client does not use the summary', async () => {
    const { store, recorder, place } = await summarised()
    const next = await recorder.addRequest(request('Draw the heron.', 'Drawn.', 'Never push.', 'All right.', 'Go on.'))
    expect(next.session).toBe(place.session)
    expect((await said(store, place.session)).slice(4)).toEqual(['void', 'Go on.'])
  })

  it('is a branch if another one has continued from it already', async () => {
    const { store, recorder, place } = await summarised()
    await recorder.addRequest(request(FRAME, 'I see.', 'Go on.'))
    const other = await recorder.addRequest(request(FRAME, 'I see.', 'Stop.'))
    expect(other.session).not.toBe(place.session)
    expect(await store.session(other.session ?? '')).toMatchObject({ parent: { id: place.session } })
  })

  it('is known when the client has this very summary checked, and not another one', async () => {
    const { recorderOf, place } = await summarised()
    const { session, seq } = place
    // Another server on the database may get the second question.
    const recorder = recorderOf('other-machine:2')
    expect(await recorder.summedBefore(request('Draw the heron.', SUMMARY, 'Check it.'))).toMatchObject({
      session,
      seq,
    })
    expect(await recorder.summedBefore(request('Draw the heron.', 'Another summary.', 'Check it.'))).toBeUndefined()
  })

  it('is a separate session if it only resembles a summary', async () => {
    const { recorder, place } = await summarised()
    const other = await recorder.addRequest(request('The heron of the lake was drawn.'))
    expect(other.session).not.toBe(place.session)
  })
})
