import { expect, it, onTestFinished } from 'vitest'
import { storedTexts } from '../../../src/session/compaction/compact-session.ts'
import { requireSession } from '../../../src/session/open-session.ts'
import { compaction } from '../../support/compaction.ts'
import { user } from '../../support/messages.ts'
import { temporaryStore } from '../../support/store.ts'

it('the texts of a session are those of all its messages until now, and its folder', async () => {
  const { store, remove } = await temporaryStore()
  onTestFinished(remove)
  const { id } = await store.createSession({ owner: 'ann', workspace: '/repo' })
  const say = (text: string) => store.append(id, [{ type: 'message', message: user(text) }])
  await say('one')
  await store.append(id, [compaction({ upTo: 1, summary: 'a summary' })])
  await say('two')
  const session = await requireSession(store, id)
  await say('three')
  const texts = await storedTexts(store, session)
  expect(texts.join('\n')).toMatch(/one.*two/s)
  expect(texts.join('\n')).not.toMatch(/three|a summary/)
  expect(texts).toContain('/repo')
})
