import { describe, expect, it } from 'vitest'
import { compact } from '../../../../src/engine/compact/compact.ts'
import { logOf } from '../../../../src/engine/context/view/log.ts'
import type { PolicyPatch } from '../../../../src/model/policy/policy.ts'
import type { Message, SummaryRequest } from '../../../../src/model/types.ts'
import { messagesTokens } from '../../../../src/tokens/estimate/estimator.ts'
import { featureEstimator } from '../../../../src/tokens/estimate/feature-estimator.ts'
import { turns } from '../../../support/messages.ts'

const HEX = 'deadbeef0123456789abcdef '.repeat(40)
const FILE = {
  type: 'file',
  data: new Uint8Array(),
  mediaType: 'text/plain',
  filename: `${'a-long-name/of-a-file/'.repeat(80)}x.ts`,
} as const

describe('the most tokens that a request for a summary says it has', () => {
  it.each<[string, PolicyPatch, Message[]]>([
    ['for a conversation of words', {}, turns(60)],
    ['by an estimator that counts characters', { estimator: 'characters' }, said(HEX)],
    [
      'for a prompt that has the conversation twice',
      { prompt: 'First: {messages} Again: {messages}' },
      said('A sentence of words. '.repeat(80)),
    ],
    ['for files with long names', {}, withFiles()],
  ])('are at least as many as it has, %s', async (_, policy, messages) => {
    const requests: SummaryRequest[] = []
    await compact({
      log: logOf(messages),
      model: { contextWindow: 100_000 },
      policy,
      reason: 'manual',
      summaryModels: [
        {
          name: 'm',
          window: 1_000_000,
          async *stream(request) {
            requests.push(request)
            yield 'no'
          },
        },
      ],
    })
    expect(requests).not.toHaveLength(0)
    for (const { messages: sent, mostTokens = Number.POSITIVE_INFINITY } of requests)
      expect(mostTokens).toBeGreaterThanOrEqual(messagesTokens(sent, featureEstimator))
  })
})

function said(text: string): Message[] {
  return turns(40).map((message) => (message.role === 'user' ? { ...message, content: text } : message))
}

function withFiles(): Message[] {
  return turns(40).map((message) =>
    message.role === 'user' ? { ...message, content: [{ type: 'text', text: 'Look.' }, FILE] } : message,
  )
}
