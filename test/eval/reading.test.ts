import { expect, it } from 'vitest'
import type { Ask } from '../../src/eval/kit/exchange.ts'
import { answersTo } from '../../src/eval/kit/reading.ts'

const CONTEXT = {
  about: 'answers about one',
  session: 'one',
  context: 'what is left',
  items: [{ kind: 'user' as const, question: 'Which rule?', truth: 'this one' }],
}

it('lets a reader recall four times, then asks without the tool, and counts the definition and all findings', async () => {
  const asks: Ask[] = []
  const reader = (ask: Ask) => {
    asks.push(ask)
    return ask.system.includes('`recall`') ? `<recall>\nnumber ${asks.length}\n</recall>` : '<user>this one</user>'
  }
  const recall = async (asked: string) => `found for ${asked}`
  const once = await answersTo({ ...CONTEXT, recall }, () => '<user>at once</user>')
  const answers = await answersTo({ ...CONTEXT, recall }, reader)
  expect(answers?.parts.user).toBe('this one')
  expect(asks).toHaveLength(5)
  expect(asks[4]?.prompt).toContain('found for number 1')
  expect(asks[4]?.prompt).toContain('found for number 4')
  expect(once?.recallTokens).toBeGreaterThan(0)
  expect(answers?.recallTokens).toBeGreaterThan(once?.recallTokens ?? 0)
})

it('takes a reply with answers as the answers, even if it quotes the tag of a call', async () => {
  const recall = async () => 'found'
  const answers = await answersTo({ ...CONTEXT, recall }, () => '<user>it wrote <recall> once</user>')
  expect(answers?.parts.user).toBe('it wrote <recall> once')
})

it('offers no tool to a reader without a recall, and waits for a reply that is missing', async () => {
  const systems: string[] = []
  const none = await answersTo(CONTEXT, ({ system }) => {
    systems.push(system)
    return undefined
  })
  expect(none).toBeUndefined()
  expect(systems.join()).not.toContain('`recall`')
})
