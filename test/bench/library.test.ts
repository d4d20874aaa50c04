import { expect, it } from 'vitest'
import { callOf, EDITS, FACTS, resultOf, STEPS, shownIn } from '../../bench/library/job.ts'
import { jobBrain } from '../../bench/library/job-brain.ts'
import type { Answer, ModelRequest } from '../support/model-server/index.ts'

const tools = [{ name: 'read', description: '', inputSchema: {} }]

function request(text: string, declared = tools): ModelRequest {
  const messages = [{ role: 'user' as const, parts: [{ type: 'text' as const, text }] }]
  return { protocol: 'chat', model: 'job', system: '', messages, tools: declared }
}

it('the job shows each fact and each edit at one step only', () => {
  const texts = Array.from({ length: STEPS - 1 }, (_, i) => {
    const call = callOf(i + 1)
    return JSON.stringify(call) + resultOf(call)
  })
  expect([FACTS.length, EDITS.length]).toEqual([50, 24])
  for (const planted of [...FACTS, ...EDITS])
    expect(texts.filter((text) => shownIn(text, [planted]).length > 0)).toHaveLength(1)
})

it('the model of the job makes one step after the other, and its summaries have what their request shows', async () => {
  const brain = jobBrain()
  const answers: Answer[] = []
  for (let step = 1; step <= STEPS; step++) answers.push((await brain(request('Go on.'), step)) as Answer)
  expect(answers[11]?.calls?.[0]?.name).toBe('edit')
  expect(answers.at(-1)).toEqual({ text: 'Done.' })
  const [fact, other] = FACTS
  const { text } = (await brain(request(`It holds ${fact?.mark} jobs.`, []), 0)) as Answer
  expect(text).toContain(fact?.line)
  expect(text).not.toContain(other?.mark)
})

it('the observer of a memory writes only what is new, its reflector everything', async () => {
  const [one, two] = FACTS.map(({ line }) => line)
  const earlier = `<observations>\n## Previous Observations\n${one}\n---\n${two}`
  const written = async (text: string) => ((await jobBrain()(request(text, []), 0)) as Answer).text
  expect(await written(earlier)).not.toContain(one)
  expect(await written(earlier)).toContain(two)
  expect(await written(`## OBSERVATIONS TO REFLECT ON\n${earlier}`)).toContain(one)
})
