import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it, onTestFinished } from 'vitest'
import { turns } from '../../../support/messages.ts'
import { serverWorld } from '../../support/world.ts'

it('recall gives the entries of the handles in order, up to the limit', async () => {
  const { ask, session } = await serverWorld()
  const id = await session({ messages: turns(3) })
  const recalled = async (query: string) => {
    const { body } = await ask('GET', `/v1/sessions/${id}/recall?${query}`)
    return body.entries.map(({ seq }: { seq: number }) => seq)
  }
  expect(await recalled('handles=2-5')).toEqual([2, 3, 4, 5])
  expect(await recalled('handles=2-5&limit=2')).toEqual([2, 3])
  expect((await ask('GET', `/v1/sessions/${id}/recall`)).body.error).toMatchObject({
    code: 'bad-request',
    message: 'the query has neither q nor handles: send one of them',
  })
})

it('recall names the entries that cannot be read', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pith-damaged-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'pith.db')
  const { ask, session } = await serverWorld({ store: file })
  const id = await session({ messages: turns(3) })
  const database = new DatabaseSync(file)
  database.exec("UPDATE entries SET body = '{' WHERE seq = 4")
  database.close()
  const { body } = await ask('GET', `/v1/sessions/${id}/recall?handles=3-5`)
  expect(body.entries.map(({ seq }: { seq: number }) => seq)).toEqual([3, 5])
  expect(body.bad_rows).toEqual([{ seq: 4, reason: expect.stringContaining('JSON') }])
  expect((await ask('GET', `/v1/sessions/${id}/recall?handles=3`)).body).not.toHaveProperty('bad_rows')
})

it('a workspace with the name of a property that every object has is not a workspace', async () => {
  const { ask, store } = await serverWorld()
  const { id } = await store.createSession({ owner: 'local', workspace: 'constructor' })
  expect(await ask('GET', `/v1/sessions/${id}/files?q=a`)).toMatchObject({ status: 200, body: { paths: [] } })
})

it('what a session has cost comes with its last turns, as many as are asked for', async () => {
  const { ask, session } = await serverWorld({ noModel: true })
  const id = await session({ messages: turns(3) })
  const spent = async (query = '') => (await ask('GET', `/v1/sessions/${id}/spent${query}`)).body
  expect(await spent()).not.toHaveProperty('turns')
  expect((await spent('?turns=2')).turns.map(({ seq }: { seq: number }) => seq)).toEqual([3, 5])
})

it('the cost of sub-agents is a part of its own', async () => {
  const { ask, session, store } = await serverWorld({ noModel: true })
  const id = await session({ messages: turns(1) })
  const spent = async () => (await ask('GET', `/v1/sessions/${id}/spent`)).body
  expect(await spent()).not.toHaveProperty('tasks')
  const usage = { inputTokens: 10, outputTokens: 1 }
  await store.append(id, [{ type: 'void', reason: 'sub-agent task-1', task: 'task-1', usage }])
  expect(await spent()).toMatchObject({ tasks: { calls: 1, known_cost: 0 } })
})
