import { describe, expect, it, onTestFinished } from 'vitest'
import { LiveSessions } from '../../../src/server/sessions/live-sessions.ts'
import { openStore } from '../../../src/store/open-store.ts'
import { user } from '../../support/messages.ts'

async function sessions(most: number, count: number) {
  const store = await openStore(':memory:')
  onTestFinished(() => store.close())
  const ids: string[] = []
  for (let i = 0; i < count; i++) ids.push((await store.createSession({ owner: 'local', workspace: '' })).id)
  return { store, ids, live: new LiveSessions(store, most) }
}

describe('the sessions in memory', () => {
  it('are as many as the limit; the one that was used longest ago goes first', async () => {
    const { live, ids } = await sessions(2, 3)
    const [a = '', b = '', c = ''] = ids
    const first = await live.open(a, 'local')
    const second = await live.open(b, 'local')
    expect(await live.open(a, 'local')).toBe(first)
    await live.open(c, 'local')
    expect(await live.open(a, 'local')).toBe(first)
    expect(await live.open(b, 'local')).not.toBe(second)
  })

  it('are refreshed when they are opened again', async () => {
    const { live, ids, store } = await sessions(2, 1)
    const [a = ''] = ids
    const served = await live.open(a, 'local')
    await store.append(a, [{ type: 'message', message: user('hello') }])
    await live.open(a, 'local')
    expect(served.live.session.lastSeq).toBe(1)
  })

  it('are unknown to another owner, in memory or not', async () => {
    const { live, ids } = await sessions(2, 1)
    const [a = ''] = ids
    const unknown = `there is no session ${a}`
    await expect(live.peek(a, 'other')).rejects.toThrow(unknown)
    await expect(live.open(a, 'other')).rejects.toThrow(unknown)
    await expect(live.open(a, 'other')).rejects.toMatchObject({ status: 404, code: 'unknown-session' })
    expect((await live.open(a, 'local')).id).toBe(a)
  })

  it('are not pushed out by a look', async () => {
    const { live, ids } = await sessions(1, 2)
    const [a = '', b = ''] = ids
    const first = await live.open(a, 'local')
    expect((await live.peek(b, 'local')).id).toBe(b)
    expect(await live.peek(a, 'local')).toBe(first)
    expect(await live.open(a, 'local')).toBe(first)
  })

  it('are opened again once they were forgotten or closed', async () => {
    const { live, ids } = await sessions(2, 1)
    const [a = ''] = ids
    const first = await live.open(a, 'local')
    live.forget(a)
    const second = await live.open(a, 'local')
    expect(second).not.toBe(first)
    await live.close()
    expect(await live.open(a, 'local')).not.toBe(second)
  })

  it('do not hold a session that could not be opened', async () => {
    const { live, store } = await sessions(2, 0)
    await expect(live.open('later', 'local')).rejects.toMatchObject({ code: 'unknown-session' })
    const { id } = await store.createSession({ owner: 'local', workspace: '' })
    expect((await live.open(id, 'local')).id).toBe(id)
  })

  it('do not hold a session that was deleted meanwhile', async () => {
    const { live, ids, store } = await sessions(2, 1)
    const [a = ''] = ids
    await live.open(a, 'local')
    await store.deleteSession(a)
    for (const _ of [1, 2]) await expect(live.open(a, 'local')).rejects.toMatchObject({ code: 'unknown-session' })
  })
})
