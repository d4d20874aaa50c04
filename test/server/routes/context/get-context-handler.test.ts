import { describe, expect, it } from 'vitest'
import { call, result, turns, user } from '../../../support/messages.ts'
import { serverWorld } from '../../support/world.ts'

describe('the context over HTTP', () => {
  it('names its largest item after the call, as the terminal does', async () => {
    const { ask, session } = await serverWorld()
    const messages = [user('go'), call('a', 'bash', { command: 'npm test' }), result('a', 'x'.repeat(4_000))]
    const id = await session({ messages })
    const { body } = await ask('GET', `/v1/sessions/${id}/context`)
    expect(body.largest[0]).toMatchObject({ seq: 3, name: 'bash npm test' })
  })

  it('says why a compaction that is due does not come', async () => {
    const { ask, session } = await serverWorld({ window: 4_000, summaries: 'fail' })
    const id = await session({ policy: 'agent', messages: turns(16, 400) })
    const next = async () => (await ask('GET', `/v1/sessions/${id}/context`)).body.next
    expect(await next()).toBe('The next automatic compaction comes with the next message')
    for (const _ of [1, 2, 3]) await ask('POST', `/v1/sessions/${id}/compact`, { when: 'due' })
    expect(await next()).toMatch(/^No automatic compaction yet, though it is due at [\d,]+ tokens: ./)
  })

  it('in mode ask says that the next compaction asks first', async () => {
    const { ask, session } = await serverWorld()
    const id = await session({ policy: { mode: 'ask' }, messages: [user('go')] })
    const { body } = await ask('GET', `/v1/sessions/${id}/context`)
    expect(body.next).toMatch(/, and you are asked first$/)
  })
})
