import { expect, it, onTestFinished } from 'vitest'
import {
  type CompactSessionInput,
  compactSession,
  previewSession,
} from '../../../src/session/compaction/compact-session.ts'
import { assistant, user } from '../../support/messages.ts'
import { temporaryStore } from '../../support/store.ts'

it('the preview of a compaction is what it then does, and changes nothing', async () => {
  const { store, remove } = await temporaryStore()
  onTestFinished(remove)
  const { id } = await store.createSession({ owner: 'ann', workspace: '/repo' })
  const said = [0, 1, 2, 3, 4, 5].flatMap((i) => [user(`look at src/file-${i}.ts`), assistant('its text '.repeat(800))])
  await store.append(
    id,
    said.map((message) => ({ type: 'message', message })),
  )
  const input: CompactSessionInput = { holder: 'test', model: { contextWindow: 12_000 }, policy: { rungs: ['digest'] } }
  const preview = await previewSession(store, id, input)
  expect((await store.entries(id)).entries).toHaveLength(said.length)
  const done = await compactSession(store, id, input)
  const made = done.entries.find(({ type }) => type === 'compaction')
  expect(made?.type === 'compaction' && { kind: 'compact', from: made.from, messages: made.messages }).toEqual({
    kind: 'compact',
    from: preview.kind === 'compact' && preview.from,
    messages: preview.kind === 'compact' && preview.messages,
  })
})
