import { isStepCount, streamText, wrapLanguageModel } from 'ai'
import { expect, it } from 'vitest'
import { compactionMiddleware, contextManager, summaryModelOf } from '../../../src/adapters/ai-sdk/index.ts'
import { sdkModel } from '../../support/model-server/sdk-model.ts'
import { reader, TOOLS, WINDOW } from './world.ts'

const SECRET = `ghp_${'A1b2C3d4'.repeat(5).slice(0, 36)}`

it.each(['a manager', 'a wrapped model'])('%s sends no secret to the model that writes summaries', async (kind) => {
  const server = await reader(10)
  const plain = sdkModel(server, 'chat')
  const options = { window: WINDOW, summaryModels: [summaryModelOf(plain, { window: WINDOW })] }
  const isWrapped = kind === 'a wrapped model'
  const model = isWrapped ? wrapLanguageModel({ model: plain, middleware: compactionMiddleware(options) }) : plain
  const steps = isWrapped ? {} : { prepareStep: contextManager(options).prepareStep }
  const prompt = `Read the whole book. My token is ${SECRET}.`
  await streamText({ model, tools: TOOLS, prompt, stopWhen: isStepCount(60), ...steps }).consumeStream()
  expect(server.summaries()).toBeGreaterThan(0)
  const asked = server.requests.filter(({ summarising }) => summarising).map(({ body }) => JSON.stringify(body))
  expect(asked.join('')).toContain('[secret left out')
  expect(asked.join('')).not.toContain(SECRET)
})
